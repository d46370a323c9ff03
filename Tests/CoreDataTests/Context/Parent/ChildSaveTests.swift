import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// The effects of a child's save on its parent.
@Suite struct ChildSaveTests {
    /// Deletions of the parent reach what a child connects with deleted objects afterwards.
    @Test(arguments: [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
    func theParentsDeletionsReachWhatAChildConnects(_ rule: NSDeleteRule) throws {
        let tree = try ContextTree(.sqlite, RivalGraphModel.make { rule })
        let (whole, part) = (tree.root.make("Knot", ["number": 0]), tree.root.make("Knot", ["number": 1]))
        try tree.root.save()
        let mine = try tree.middle.all("Knot", sort: "number")
        mine[1].setValue(mine[0], forKey: "whole")
        tree.root.delete(whole)
        tree.root.processPendingChanges()
        try tree.middle.save()
        expect(part.isDeleted, equals: rule == .cascadeDeleteRule)
        #expect(part.isDeleted || part.value(forKey: "whole") == nil)
        try tree.root.save()
        let stored = try tree.fresh().graphState()
        expect(stored.count, equals: rule == .cascadeDeleteRule ? 0 : 1)
        expect(
            tree.container.persistentStoreCoordinator.managedObjectModel.contradictions(in: stored),
            equals: [])
    }

    /// An object that the parent had deleted for a while has nothing to say in the child, which takes it out of a relationship.
    @Test func whatTheChildTakesOutIsOutOnBothSides() throws {
        let tree = try ContextTree(.sqlite, RivalGraphModel.make { .nullifyDeleteRule })
        let (knot, tag) = (tree.root.make("Knot"), tree.root.make("Tag"))
        tag.mutableSetValue(forKey: "knots").add(knot)
        try tree.root.save()
        let mine = try tree.middle.all("Tag")
        for object in mine { _ = object.graphValues() }
        let part = tree.middle.object(with: knot.objectID)
        tree.middle.refresh(part, mergeChanges: false)
        tree.root.delete(knot)
        tree.root.processPendingChanges()
        #expect(part.value(forKey: "name") == nil && part.isDeleted)
        mine[0].mutableSetValue(forKey: "knots").remove(part)
        tree.root.rollback()
        try tree.middle.save()
        let model = tree.container.persistentStoreCoordinator.managedObjectModel
        for isStored in [false, true] {
            if isStored { try tree.root.save() }
            let state = try (isStored ? tree.fresh() : tree.root).graphState()
            expect(state[knot.graphName]?["tags"], equals: "")
            expect(model.contradictions(in: state), equals: [])
        }
    }

    @Test(arguments: StoreKind.allCases) func aSaveReachesTheParentOnly(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let saved = tree.root.make("Company", ["name": "Saved"])
        let doomed = tree.root.make("Company", ["name": "Doomed"])
        try tree.root.save()
        tree.leaf.object(with: saved.objectID).setValue("Changed", forKey: "name")
        tree.leaf.delete(tree.leaf.object(with: doomed.objectID))
        let new = tree.leaf.make("Company", ["name": "New"])
        #expect(!tree.middle.hasChanges)
        try expect(tree.middle.strings("Company"), equals: ["Doomed", "Saved"])

        try tree.leaf.save()
        #expect(!tree.leaf.hasChanges && new.objectID.isTemporaryID && !new.isInserted)
        #expect(tree.middle.hasChanges && !tree.root.hasChanges)
        expect(tree.middle.insertedObjects.map(\.objectID), equals: [new.objectID])
        expect(tree.middle.updatedObjects.map(\.objectID), equals: [saved.objectID])
        expect(tree.middle.deletedObjects.map(\.objectID), equals: [doomed.objectID])
        try expect(tree.middle.strings("Company"), equals: ["Changed", "New"])
        try expect(tree.root.strings("Company"), equals: ["Doomed", "Saved"])

        try tree.middle.save()
        #expect(!tree.middle.hasChanges && tree.root.hasChanges)
        try expect(tree.root.strings("Company"), equals: ["Changed", "New"])
        try expect(tree.fresh().strings("Company"), equals: ["Doomed", "Saved"])

        try tree.root.save()
        #expect(!tree.root.hasChanges)
        try expect(tree.fresh().strings("Company"), equals: ["Changed", "New"])
        try expect(tree.leaf.strings("Company"), equals: ["Changed", "New"])
    }

    /// The first request after the root's save names objects that have permanent keys there.
    @Test(arguments: StoreKind.allCases) func predicatesNameWhatWasSavedBelow(_ kind: StoreKind) throws {
        func requests(_ company: NSManagedObject) -> [(String, NSPredicate, Int)] {
            [
                ("Person", NSPredicate(format: "company == %@", company), 1),
                ("Person", NSPredicate(format: "company IN %@", [company]), 1),
                ("Company", NSPredicate(format: "SELF == %@", company), 1),
                ("Company", NSPredicate(format: "SELF != %@", company), 0),
            ]
        }
        for number in 0..<4 {
            let tree = try ContextTree(kind)
            let company = tree.leaf.make("Company", ["name": "Acme"])
            _ = tree.leaf.make("Person", ["name": "Ada", "company": company])
            for context in tree.upwards { try context.save() }
            let (entity, predicate, count) = requests(company)[number]
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = predicate
            try expect(tree.leaf.count(for: request), equals: count, "\(predicate)")
            try expect(tree.leaf.fetch(request).count, equals: count, "\(predicate)")
        }
    }

    @Test func anEmptySaveDoesNothing() throws {
        let tree = try ContextTree()
        let company = tree.root.make("Company", ["name": "Acme"])
        try tree.root.save()
        let mine = tree.leaf.object(with: company.objectID)
        try tree.leaf.save()
        mine.setValue("Acme", forKey: "name")
        #expect(tree.leaf.hasChanges)
        try tree.leaf.save()
        #expect(!tree.leaf.hasChanges && !tree.middle.hasChanges)
        let short = tree.leaf.make("Company", ["name": "Short"])
        tree.leaf.delete(short)
        try tree.leaf.save()
        #expect(!tree.leaf.hasChanges && !tree.middle.hasChanges)
    }

    @Test(arguments: StoreKind.allCases) func everyAttributeTypeTravels(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let values: [String: AnyHashable] = [
            "name": "Ada", "age": 36, "height": 1.65, "isActive": NSNumber(value: true), "badge": UUID(),
            "home": try #require(URL(string: "https://example.org/ada")), "photo": Data([1, 2, 3]),
            "rating": Float(2.5), "level": -4, "visits": 12, "tags": ["a", "b"],
        ]
        func expectAll(_ person: NSManagedObject?) throws {
            let person = try #require(person)
            for (key, value) in values {
                expect(person.value(forKey: key) as? AnyHashable, equals: value, "\(key)")
            }
        }
        let person = tree.leaf.make("Person", values)
        for context in [tree.leaf, tree.middle, tree.root] {
            try context.save()
            try expectAll(person)
            try expectAll(tree.fresh().all("Person").first ?? context.parent?.all("Person").first)
        }
        for (key, _) in values { person.setValue(nil, forKey: key) }
        try tree.saveAll()
        let stored = try #require(try tree.fresh().all("Person").first)
        for (key, _) in values { #expect(stored.value(forKey: key) == nil, "\(key)") }
    }

    @Test func transientValuesTravelToTheParent() throws {
        let tree = try ContextTree()
        let person = tree.leaf.make("Person", ["scratch": "one"])
        try tree.leaf.save()
        let above = try #require(try tree.middle.all("Person").first)
        expect(above.text("scratch"), equals: "one")
        person.setValue("two", forKey: "scratch")
        try tree.leaf.save()
        #expect(above.text("scratch") == "two" && above.changedValues()["scratch"] as? String == "two")
        try tree.middle.save()
        try expect(tree.root.all("Person").first?.text("scratch"), equals: "two")
    }

    /// A row that was fetched has no transient values, whoever has it.
    @Test func transientValuesOfTheParentAreNotFetched() throws {
        let tree = try ContextTree()
        let person = tree.leaf.make("Person", ["name": "Ada", "scratch": "one"])
        try tree.leaf.save()
        tree.leaf.refresh(person, mergeChanges: false)
        #expect(person.text("scratch") == nil && person.text("name") == "Ada")
        tree.leaf.reset()
        let again = try #require(try tree.leaf.all("Person").first)
        #expect(again.text("scratch") == nil && again.text("name") == "Ada")
        try expect(tree.middle.all("Person").first?.text("scratch"), equals: "one")
    }

    @Test func notificationsCarryTemporaryIDs() throws {
        let tree = try ContextTree()
        let saved = tree.root.make("Company", ["name": "Saved"])
        try tree.root.save()
        let ids = Posted(NSManagedObjectContext.didSaveObjectIDsNotification, tree.leaf)
        let objects = Posted(.NSManagedObjectContextDidSave, tree.leaf)
        let new = tree.leaf.make("Company", ["name": "New"])
        tree.leaf.object(with: saved.objectID).setValue("Changed", forKey: "name")
        try tree.leaf.save()
        expect(ids.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>, equals: [new.objectID])
        #expect(new.objectID.isTemporaryID)
        expect(ids.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>, equals: [saved.objectID])
        expect(objects.objects(NSInsertedObjectsKey), equals: [new])
    }

    @Test func theParentTellsItsObservers() throws {
        let tree = try ContextTree()
        let saved = tree.root.make("Company", ["name": "Saved"])
        try tree.root.save()
        let changes = Posted(.NSManagedObjectContextObjectsDidChange, tree.root)
        let child = ContextTree.child(of: tree.root)
        child.object(with: saved.objectID).setValue("Changed", forKey: "name")
        let new = child.make("Company", ["name": "New"])
        try child.save()
        #expect(changes.all.count == 1 && changes.objects(NSUpdatedObjectsKey) == [saved])
        expect(changes.objects(NSInsertedObjectsKey)?.map(\.objectID), equals: [new.objectID])
    }

    @Test func newObjectsAwakeInTheParentBeforeTheyGetTheirValues() throws {
        let tree = try ContextTree()
        let person = tree.leaf.make("Person", ["name": "Ada"])
        person.setValue("mine", forKey: "scratch")
        try tree.leaf.save()
        let above = try #require(try tree.middle.all("Person").first as? Person)
        #expect(above.awakenings == ["insert"] && above.text("scratch") == "mine" && above.isInserted)
    }

    @Test func onlyChangedPropertiesAreTakenOver() throws {
        let tree = try ContextTree()
        let person = tree.root.make("Person", ["name": "Ada", "age": 1])
        try tree.root.save()
        let (first, second) = (ContextTree.child(of: tree.root), ContextTree.child(of: tree.root))
        let (mine, yours) = (first.object(with: person.objectID), second.object(with: person.objectID))
        #expect(mine.text("name") == "Ada" && yours.text("name") == "Ada")
        mine.setValue("Bea", forKey: "name")
        yours.setValue(2, forKey: "age")
        try first.save()
        try second.save()
        #expect(person.text("name") == "Bea" && person.value(forKey: "age") as? Int == 2)
        expect(Set(person.changedValues().keys), equals: ["name", "age"])
        mine.setValue("Cleo", forKey: "name")
        try first.save()
        yours.setValue("Dora", forKey: "name")
        try second.save()
        expect(person.text("name"), equals: "Dora")
        try tree.root.save()
        try expect(tree.fresh().strings("Person"), equals: ["Dora"])
    }

    @Test func aFailedValidationLeavesTheParentAsItWas() throws {
        let tree = try ContextTree()
        let company = tree.leaf.make("Company")
        let error = StoreFixtures.error { try tree.leaf.save() }
        expect(error?.code, equals: NSValidationMissingMandatoryPropertyError)
        #expect(!tree.middle.hasChanges && company.isInserted && tree.leaf.hasChanges)
        company.setValue("Acme", forKey: "name")
        try tree.leaf.save()
        #expect(tree.middle.hasChanges)
    }

    @Test func changesOfWhatTheParentDeletedAreAConflict() throws {
        let tree = try ContextTree()
        let (gone, kept) = (
            tree.root.make("Company", ["name": "Gone"]), tree.root.make("Company", ["name": "Kept"])
        )
        try tree.root.save()
        let child = ContextTree.child(of: tree.root)
        let mine = try child.existingObject(with: gone.objectID)
        let other = try child.existingObject(with: kept.objectID)
        tree.root.delete(gone)
        mine.setValue("Changed", forKey: "name")
        other.setValue("Changed", forKey: "name")
        let error = StoreFixtures.error { try child.save() }
        expect(error?.code, equals: NSManagedObjectMergeError)
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        expect(conflicts?.map(\.sourceObject), equals: [mine])
        #expect(child.hasChanges && mine.isUpdated && !kept.hasChanges)
        child.delete(mine)
        try child.save()
        #expect(kept.text("name") == "Changed" && gone.isDeleted)
    }

    @Test(arguments: StoreKind.allCases) func deleteRulesWorkInAChild(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let person = tree.root.make("Person", ["name": "Ada"])
        for text in ["a", "b"] {
            person.mutableOrderedSetValue(forKey: "notes").add(tree.root.make("Note", ["text": text]))
        }
        let company = tree.root.make("Company", ["name": "Acme"])
        person.setValue(company, forKey: "company")
        try tree.root.save()
        // The leaf has never heard of this one.
        person.mutableOrderedSetValue(forKey: "notes").add(tree.root.make("Note", ["text": "c"]))
        tree.leaf.delete(tree.leaf.object(with: person.objectID))
        try tree.leaf.save()
        #expect(try tree.leaf.all("Note").isEmpty && tree.middle.all("Note").isEmpty)
        try expect(tree.root.all("Note").count, equals: 3)
        try tree.middle.save()
        #expect(company.names("people").isEmpty && person.isDeleted)
        try tree.root.save()
        let fresh = tree.fresh()
        #expect(try fresh.all("Person").isEmpty && fresh.all("Note").isEmpty)
        try expect(fresh.strings("Company"), equals: ["Acme"])
    }

    @Test func manyChangesAreReadTogether() throws {
        let stack = try TestStack()
        for number in 0..<50 { _ = stack.context.make("Company", ["name": "\(number)"]) }
        try stack.context.save()
        stack.context.reset()
        let child = ContextTree.child(of: stack.context)
        for company in try child.all("Company") { company.setValue("x", forKey: "name") }
        try stack.expectSelects(1) { try child.save() }
        try stack.context.save()
        try expect(stack.another().all("Company", "name == 'x'").count, equals: 50)
    }
}
