import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Temporary and permanent IDs on all levels.
@Suite struct ChildListTests {
    @Test(arguments: StoreKind.allCases) func aChildTakesPermanentIDsOver(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let company = tree.leaf.make("Company", ["name": "Acme"])
        let person = tree.leaf.make("Person", ["name": "Ada", "company": company])
        try tree.saveAll()
        let above = try #require(try tree.root.all("Company").first)
        #expect(!above.objectID.isTemporaryID)
        try expect(tree.leaf.all("Company"), equals: [company])
        #expect(company.objectID == above.objectID && !person.objectID.isTemporaryID)
        #expect(tree.leaf.registeredObject(for: above.objectID) === company)
        tree.leaf.refresh(person, mergeChanges: false)
        #expect(person.value(forKey: "company") as? NSManagedObject === company)
        person.setValue("Bea", forKey: "name")
        company.setValue("Apex", forKey: "name")
        try tree.saveAll()
        #expect(try tree.fresh().strings("Company") == ["Apex"] && tree.fresh().strings("Person") == ["Bea"])
    }

    /// A relationship that a child set before it heard of a permanent ID has that ID in its parent.
    @Test func aYoungerChildFollowsRelationshipsToPermanentIDs() throws {
        let tree = try ContextTree(.sqlite, RivalGraphModel.make { .nullifyDeleteRule })
        let knots = (0..<2).map { tree.middle.make("Knot", ["number": $0]) }
        let mine = try tree.leaf.all("Knot", sort: "number")
        _ = mine.map { $0.value(forKey: "name") }
        try tree.middle.obtainPermanentIDs(for: knots)
        mine[0].setValue(mine[0], forKey: "next")
        mine[1].setValue(mine[0], forKey: "whole")
        try tree.leaf.save()
        let younger = ContextTree.child(of: tree.middle)
        let theirs = try younger.all("Knot", sort: "number")
        expect(theirs[0].value(forKey: "next") as? NSManagedObject, equals: theirs[0])
        expect(theirs[1].value(forKey: "whole") as? NSManagedObject, equals: theirs[0])
    }

    /// A child that is made after its parent's objects got permanent IDs follows relationships that were saved before.
    @Test func aChildThatIsMadeLaterFollowsRelationships() throws {
        let tree = try ContextTree()
        let company = tree.middle.make("Company", ["name": "Acme"])
        let person = tree.middle.make("Person", ["name": "Ada", "company": company])
        try tree.middle.save()
        try tree.root.save()
        try tree.middle.obtainPermanentIDs(for: [company, person])
        let younger = ContextTree.child(of: tree.middle)
        let found = try #require(try younger.all("Person").first)
        let other = found.value(forKey: "company") as? NSManagedObject
        expect(other?.objectID, equals: company.objectID)
        expect(other?.value(forKey: "name") as? String, equals: "Acme")
    }

    @Test func anIDFromTheRootLeadsToTheGrandchildsObject() throws {
        let tree = try ContextTree()
        _ = tree.middle.make("Person", ["name": "Ada"])
        let ada = try #require(try tree.leaf.all("Person").first)
        expect(ada.text("name"), equals: "Ada")
        try tree.middle.save()
        try tree.root.save()
        let identity = try #require(try tree.root.all("Person").first?.objectID)
        #expect(tree.leaf.object(with: identity) === ada)
        let bea = tree.leaf.make("Person", ["name": "Bea"])
        try tree.saveAll()
        let other = try #require(try tree.root.all("Person", "name == 'Bea'").first?.objectID)
        #expect(tree.leaf.registeredObject(for: other) === bea)
        bea.setValue("Cyd", forKey: "name")
        try tree.saveAll()
        try expect(tree.fresh().strings("Person"), equals: ["Ada", "Cyd"])
    }

    @Test func rowsThatNameTemporaryKeysStayGood() throws {
        let tree = try ContextTree()
        let company = tree.root.make("Company", ["name": "Acme"])
        _ = tree.root.make("Person", ["name": "Ada", "company": company])
        let ada = try #require(try tree.leaf.all("Person").first)
        expect(ada.text("name"), equals: "Ada")
        try tree.root.save()
        // The row that the leaf has names the company by its temporary key.
        let mine = try #require(ada.value(forKey: "company") as? NSManagedObject)
        #expect(mine.text("name") == "Acme" && mine.objectID == company.objectID)
        #expect(try tree.leaf.all("Company").first === mine && ada.names("company") == ["Acme"])
        ada.setValue("Bea", forKey: "name")
        try tree.saveAll()
        try expect(tree.fresh().find("Person", "company.name == %@", "Acme").count, equals: 1)
    }

    @Test(arguments: [1, 2]) func permanentIDsStayTheSame(_ depth: Int) throws {
        let tree = try ContextTree()
        let context = depth == 1 ? tree.middle : tree.leaf
        let company = context.make("Company", ["name": "Acme"])
        let person = context.make("Person", ["name": "Ada", "company": company])
        try context.obtainPermanentIDs(for: [company, person])
        let identity = company.objectID
        #expect(!identity.isTemporaryID && company.isInserted)
        var above: NSManagedObjectContext? = context
        while let next = above {
            try next.save()
            expect(company.objectID, equals: identity)
            above = next.parent
            if let above { expect(above.registeredObject(for: identity)?.isInserted, equals: true) }
        }
        let fresh = tree.fresh()
        let stored = try fresh.existingObject(with: identity)
        expect(stored.names("people"), equals: ["Ada"])
    }

    @Test func permanentIDsOfWhatTheParentHas() throws {
        let tree = try ContextTree()
        let company = tree.leaf.make("Company", ["name": "Acme"])
        try tree.leaf.save()
        try tree.middle.save()
        try tree.leaf.obtainPermanentIDs(for: [company])
        let identity = company.objectID
        #expect(!identity.isTemporaryID)
        expect(tree.middle.object(with: identity).text("name"), equals: "Acme")
        expect(tree.root.registeredObject(for: identity)?.isInserted, equals: true)
        try tree.root.save()
        try expect(tree.fresh().existingObject(with: identity).text("name"), equals: "Acme")
    }

    @Test func oldIDsLeadToTheSameObject() throws {
        let tree = try ContextTree()
        let company = tree.leaf.make("Company", ["name": "Acme"])
        let identity = company.objectID
        try tree.saveAll()
        #expect(try tree.leaf.existingObject(with: identity) === company)
        #expect(try tree.leaf.all("Company") == [company] && company.objectID != identity)
        #expect(tree.leaf.object(with: identity) === company)
        #expect(tree.leaf.registeredObject(for: identity) === company)
    }

    @Test func siblingsSeeEachOthersSaves() throws {
        let tree = try ContextTree()
        let (first, second) = (ContextTree.child(of: tree.root), ContextTree.child(of: tree.root))
        let company = first.make("Company", ["name": "Acme"])
        try first.save()
        let seen = try #require(try second.all("Company").first)
        #expect(seen.objectID == company.objectID && seen.objectID.isTemporaryID)
        seen.setValue("Apex", forKey: "name")
        try second.save()
        try tree.root.save()
        #expect(try second.all("Company").first === seen)
        first.refresh(company, mergeChanges: false)
        #expect(company.text("name") == "Apex" && company.objectID == seen.objectID)
        #expect(try first.all("Company").first === company)
    }

    @Test func objectsGoToTheStoreThatTheyWereAssignedTo() throws {
        let container = try StoreKind.sqlite.makeContainer()
        let coordinator = container.persistentStoreCoordinator
        let second = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let root = NSManagedObjectContext(.privateQueue)
        root.persistentStoreCoordinator = coordinator
        let child = ContextTree.child(of: ContextTree.child(of: root))
        let (here, there) = (
            child.make("Company", ["name": "Here"]), child.make("Company", ["name": "There"])
        )
        child.assign(there, to: second)
        let ada = child.make("Person", ["name": "Ada", "company": there])
        child.assign(ada, to: second)
        try child.save()
        let leaf = ContextTree.child(of: child)
        let mine = leaf.object(with: ada.objectID)
        expect(mine.names("company"), equals: ["There"])
        try expect(leaf.strings("Company"), equals: ["Here", "There"])
        try #require(child.parent).save()
        try root.save()
        try expect(child.strings("Company"), equals: ["Here", "There"])
        #expect(here.objectID.persistentStore === container.store)
        #expect(there.objectID.persistentStore === second && ada.objectID.persistentStore === second)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        request.affectedStores = [second]
        try expect(leaf.fetch(request).map(\.objectID), equals: [there.objectID])
        #expect(mine.names("company") == ["There"] && mine.objectID.persistentStore === second)
    }
}
