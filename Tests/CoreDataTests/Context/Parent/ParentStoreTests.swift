import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// The state that a child sees.
@Suite struct ParentStoreTests {
    @Test(arguments: StoreKind.allCases) func aChildSeesItsParentsUnsavedChanges(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let (kept, changed) = (tree.root.make("Company", ["name": "Kept"]), tree.root.make("Company"))
        changed.setValue("Old", forKey: "name")
        let dropped = tree.root.make("Company", ["name": "Dropped"])
        try tree.root.save()
        changed.setValue("New", forKey: "name")
        tree.root.delete(dropped)
        _ = tree.root.make("Company", ["name": "Unsaved"])
        for context in [tree.middle, tree.leaf] {
            try expect(context.strings("Company"), equals: ["Kept", "New", "Unsaved"])
            try expect(context.all("Company", "name == 'New'").count, equals: 1)
            #expect(try context.all("Company", "name == 'Old'").isEmpty)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
            try expect(context.count(for: request), equals: 3)
            request.predicate = NSPredicate(format: "name == 'Unsaved'")
            let found = try #require(try context.fetch(request).first)
            #expect(found.objectID.isTemporaryID && !found.hasChanges && !found.isInserted)
        }
        #expect(tree.root.registeredObject(for: kept.objectID) === kept)
        #expect(!tree.middle.hasChanges && !tree.leaf.hasChanges)
    }

    @Test(arguments: StoreKind.allCases) func sortsAndBoundsCountUnsavedObjects(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        for name in ["B", "D"] { _ = tree.root.make("Company", ["name": name]) }
        try tree.root.save()
        for name in ["A", "C"] { _ = tree.root.make("Company", ["name": name]) }
        _ = tree.middle.make("Company", ["name": "AA"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchOffset = 1
        request.fetchLimit = 3
        let found = try tree.leaf.fetch(request)
        expect(found.compactMap { $0.value(forKey: "name") as? String }, equals: ["AA", "B", "C"])
    }

    @Test func aFetchMakesNoObjectsInTheParent() throws {
        let tree = try ContextTree()
        for number in 0..<300 { _ = tree.root.make("Company", ["name": "\(number)"]) }
        try tree.root.save()
        tree.root.reset()
        let found = try tree.leaf.all("Company")
        #expect(found.count == 300 && tree.root.registeredObjects.isEmpty)
        #expect(tree.middle.registeredObjects.isEmpty)
        expect(Set(found.compactMap { $0.value(forKey: "name") as? String }).count, equals: 300)
    }

    @Test func valuesAreThoseOfTheParentsObject() throws {
        let tree = try ContextTree()
        let company = tree.root.make("Company", ["name": "First"])
        try tree.root.save()
        let other = tree.fresh()
        let same = try #require(try other.all("Company").first)
        same.setValue("Second", forKey: "name")
        try other.save()
        let seen = try #require(try tree.leaf.all("Company").first)
        expect(seen.value(forKey: "name") as? String, equals: "First")
        tree.root.refresh(company, mergeChanges: false)
        tree.leaf.refresh(seen, mergeChanges: false)
        expect(seen.value(forKey: "name") as? String, equals: "Second")
    }

    @Test(arguments: StoreKind.allCases) func identitiesAreTheSameOnAllLevels(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let saved = tree.root.make("Employee", ["name": "Saved"])
        try tree.root.save()
        let unsaved = tree.root.make("Employee", ["name": "Unsaved"])
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        request.resultType = .managedObjectIDResultType
        try expect(Set(tree.leaf.fetch(request)), equals: [saved.objectID, unsaved.objectID])
        for object in [saved, unsaved] {
            let mine = tree.leaf.object(with: object.objectID)
            #expect(mine.isFault && mine.objectID == object.objectID && mine.entity.name == "Employee")
            #expect(mine.objectID.persistentStore === object.objectID.persistentStore)
            expect(mine.value(forKey: "name") as? String, equals: object.value(forKey: "name") as? String)
            #expect(try tree.leaf.existingObject(with: object.objectID) === mine)
            #expect(tree.leaf.registeredObject(for: object.objectID) === mine)
            #expect(try tree.leaf.find("Person", "SELF == %@", object.objectID).first === mine)
        }
    }

    @Test func existingObjectThrowsForWhatTheParentDeleted() throws {
        let tree = try ContextTree()
        let company = tree.root.make("Company", ["name": "Gone"])
        try tree.root.save()
        let seen = tree.leaf.object(with: company.objectID)
        tree.root.delete(company)
        func code(_ objectID: NSManagedObjectID) -> Int? {
            StoreFixtures.error { _ = try tree.leaf.existingObject(with: objectID) }?.code
        }
        expect(code(company.objectID), equals: NSManagedObjectReferentialIntegrityError)
        #expect(seen.value(forKey: "name") == nil && seen.isDeleted)
        let never = ContextTree.child(of: tree.root).make("Company")
        expect(code(never.objectID), equals: NSManagedObjectReferentialIntegrityError)
    }

    @Test(arguments: StoreKind.allCases) func objectsInPredicatesAreThoseOfAnyLevel(_ kind: StoreKind) throws
    {
        let tree = try ContextTree(kind)
        let acme = tree.root.make("Company", ["name": "Acme"])
        _ = tree.root.make("Person", ["name": "Ada", "company": acme])
        try tree.root.save()
        _ = tree.root.make("Person", ["name": "Bob", "company": acme])
        let mine = try #require(try tree.leaf.all("Company").first)
        _ = tree.leaf.make("Person", ["name": "Cy", "company": mine])
        try expect(tree.leaf.find("Person", "company == %@", mine).count, equals: 3)
        try expect(tree.leaf.find("Person", "company IN %@", [mine]).count, equals: 3)
        try expect(tree.middle.find("Person", "company == %@", acme.objectID).count, equals: 2)
    }

    @Test func dictionariesComeFromTheStore() throws {
        let tree = try ContextTree()
        let company = tree.root.make("Company", ["name": "Saved"])
        try tree.root.save()
        company.setValue("Changed", forKey: "name")
        _ = tree.root.make("Company", ["name": "Unsaved"])
        let request = NSFetchRequest<NSDictionary>(entityName: "Company")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name"]
        try expect(tree.leaf.fetch(request), equals: [["name": "Saved"]])
    }

    @Test func aBatchSizeFillsFaultsTogether() throws {
        let stack = try TestStack()
        let leaf = ContextTree.child(of: ContextTree.child(of: stack.context))
        for number in 0..<40 { _ = stack.context.make("Company", ["name": "\(number)"]) }
        try stack.context.save()
        stack.context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        request.fetchBatchSize = 10
        let found = try leaf.fetch(request)
        try stack.expectSelects(4) {
            #expect(found.allSatisfy { $0.isFault })
            expect(Set(found.compactMap { $0.text("name") }).count, equals: 40)
        }
        let batched = try leaf.fetchBatched(request)
        expect(Set(batched.compactMap { $0.text("name") }).count, equals: 40)
        expect(batched.objectID(at: 3), equals: batched[3].objectID)
    }

    @Test(arguments: StoreKind.allCases) func relationshipsArePrefetched(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let acme = tree.root.make("Company", ["name": "Acme"])
        for name in ["A", "B"] {
            let person = tree.root.make("Person", ["name": name, "company": acme])
            person.mutableOrderedSetValue(forKey: "notes").add(tree.root.make("Note", ["text": name]))
        }
        try tree.root.save()
        let late = tree.root.make("Person", ["name": "C", "company": acme])
        late.mutableOrderedSetValue(forKey: "notes").add(tree.root.make("Note", ["text": "C"]))
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        request.relationshipKeyPathsForPrefetching = ["people.notes"]
        let company = try #require(try tree.leaf.fetch(request).first)
        #expect(!company.hasFault(forRelationshipNamed: "people"))
        expect(company.names("people"), equals: ["A", "B", "C"])
        for person in company.mutableSetValue(forKey: "people").allObjects.compactMap({
            $0 as? NSManagedObject
        }) {
            #expect(!person.hasFault(forRelationshipNamed: "notes"))
            expect(person.names("notes", "text"), equals: [person.value(forKey: "name") as? String])
        }
    }

    @Test(arguments: StoreKind.allCases) func everyKindOfRelationshipIsReadThroughTheParent(
        _ kind: StoreKind
    ) throws {
        let tree = try ContextTree(kind, StoreFixture.model())
        let root = tree.root
        let sales = root.make("Department", ["name": "Sales"])
        let people = ["A", "B", "C"].map { root.make("Employee", ["name": $0, "department": sales]) }
        people[0].setValue(people[1], forKey: "boss")
        people[0].setValue(Set([people[1]]), forKey: "friends")
        people[0].setValue(Set([root.make("Note", ["text": "n1"])]), forKey: "notes")
        let projects = ["P", "Q", "R"].map { root.make("Project", ["name": $0]) }
        sales.setValue(NSOrderedSet(array: [projects[2], projects[0]]), forKey: "projects")
        projects[0].setValue(Set([people[0], people[2]]), forKey: "people")
        try root.save()
        people[0].mutableSetValue(forKey: "friends").add(people[2])
        people[0].mutableSetValue(forKey: "notes").add(root.make("Note", ["text": "n2"]))
        sales.mutableOrderedSetValue(forKey: "projects").insert(projects[1], at: 1)
        projects[0].mutableSetValue(forKey: "people").remove(people[2])
        people[2].setValue(people[0], forKey: "boss")
        for context in [tree.middle, tree.leaf] {
            let ada = try #require(try context.all("Person", "name == 'A'").first)
            let (department, project) = (
                try #require(try context.all("Department").first),
                try #require(try context.all("Project", "name == 'P'").first)
            )
            #expect(ada.names("boss") == ["B"] && ada.names("reports") == ["C"])
            #expect(ada.names("friends") == ["B", "C"] && ada.names("notes", "text") == ["n1", "n2"])
            expect(department.names("projects"), equals: ["R", "Q", "P"])
            expect(department.names("members"), equals: ["A", "B", "C"])
            #expect(project.names("people") == ["A"] && ada.names("projects") == ["P"])
        }
    }

    @Test func refreshingGoesBackToTheParent() throws {
        let tree = try ContextTree()
        let company = tree.root.make("Company", ["name": "One"])
        try tree.root.save()
        company.setValue("Two", forKey: "name")
        let mine = tree.middle.object(with: company.objectID)
        mine.setValue("Three", forKey: "name")
        tree.middle.refresh(mine, mergeChanges: true)
        #expect(mine.value(forKey: "name") as? String == "Three" && mine.hasChanges)
        expect(mine.committedValues(forKeys: ["name"])["name"] as? String, equals: "Two")
        tree.middle.rollback()
        #expect(mine.value(forKey: "name") as? String == "Two" && !tree.middle.hasChanges)
        company.setValue("Four", forKey: "name")
        tree.middle.refreshAllObjects()
        #expect(mine.isFault && mine.value(forKey: "name") as? String == "Four")
        tree.middle.reset()
        #expect(tree.middle.registeredObjects.isEmpty && mine.managedObjectContext == nil)
        #expect(try tree.middle.strings("Company") == ["Four"] && tree.root.hasChanges)
    }

    @Test func anUnsavedObjectOfTheParentCanBeRefreshed() throws {
        let tree = try ContextTree()
        let note = tree.root.make("Note", ["text": "One"])
        let mine = tree.leaf.object(with: note.objectID)
        expect(mine.value(forKey: "text") as? String, equals: "One")
        note.setValue("Two", forKey: "text")
        tree.leaf.refresh(mine, mergeChanges: false)
        #expect(mine.isFault && mine.value(forKey: "text") as? String == "Two")
        tree.root.rollback()
        tree.leaf.refresh(mine, mergeChanges: false)
        #expect(mine.value(forKey: "text") == nil && mine.isDeleted)
    }
}
