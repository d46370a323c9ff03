import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Unsaved relationships to objects that others deleted.
@Suite struct DeletedElsewhereTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    @Test(arguments: types) func aToOneIsNil(_ type: String) throws {
        let pair = try MergingPair(type)
        let mine = pair.mine
        let company = mine.make("Company", ["name": "A"])
        let person = mine.make("Person", ["name": "Ada"])
        try mine.save()
        person["company"] = company
        let new = mine.make("Person", ["name": "Bob", "company": company])
        mine.mergeChanges(
            fromContextDidSave: try pair.saving { $0.delete(try $0.all("Company")[0]) })
        var seen: [String] = []
        let observation = person.observe("company") { _, _ in seen.append("company") }
        try mine.save()
        observation.invalidate()
        #expect(person["company"] == nil && new["company"] == nil && seen == ["company"])
        let theirs = pair.stack.another()
        #expect(try theirs.all("Person", "company != nil").isEmpty)
        #expect(try theirs.all("Person").count == 2 && !mine.hasChanges)
        if type == NSSQLiteStoreType {
            let keys = try RawDatabase(pair.stack.url).rows("SELECT ZCOMPANY FROM ZPERSON")
            expect(keys, equals: [[nil], [nil]])
        }
    }

    @Test(arguments: types) func aRequiredToOneFailsTheSave(_ type: String) throws {
        let model = CompanyModel.make()
        model.entitiesByName["Person"]?.relationshipsByName["company"]?.isOptional = false
        let pair = try MergingPair(type, model: model)
        let mine = pair.mine
        let companies = ["A", "B"].map { mine.make("Company", ["name": $0]) }
        let person = mine.make("Person", ["name": "Ada", "company": companies[0]])
        try mine.save()
        person["company"] = companies[1]
        mine.mergeChanges(
            fromContextDidSave: try pair.saving { $0.delete(try $0.all("Company", "name = 'B'")[0]) })
        let error = thrownError { try mine.save() }
        expect(error?.code, equals: NSValidationMissingMandatoryPropertyError)
        expect(error?.userInfo[NSValidationKeyErrorKey] as? String, equals: "company")
        person["company"] = companies[0]
        try mine.save()
        try expect(pair.stack.another().all("Person", "company.name = 'A'").count, equals: 1)
    }

    @Test(arguments: types) func aNewOrderHasNoGap(_ type: String) throws {
        let pair = try MergingPair(type)
        let mine = pair.mine
        let person = mine.make("Person", ["name": "Ada"])
        let notes = ["a", "b", "c", "d"].map { mine.make("Note", ["text": $0]) }
        person["notes"] = NSOrderedSet(array: notes)
        try mine.save()
        person["notes"] = NSOrderedSet(array: Array(notes.reversed()))
        mine.mergeChanges(
            fromContextDidSave: try pair.saving { $0.delete(try $0.all("Note", "text = 'b'")[0]) })
        try mine.save()
        #expect(person.names("notes", "text") == ["d", "c", "a"] && !mine.hasChanges)
        mine.refreshAllObjects()
        expect(person.names("notes", "text"), equals: ["d", "c", "a"])
        let fresh = pair.stack.another()
        try withExtendedLifetime(fresh) {
            let stored = try #require(try fresh.all("Person").first)
            expect(stored.names("notes", "text"), equals: ["d", "c", "a"])
        }
    }

    @Test func theParentHearsNothingOfThem() throws {
        let tree = try ContextTree()
        try tree.leaf.run { () throws in
            let (leaf, root) = (tree.leaf, tree.root)
            let company = leaf.make("Company", ["name": "A"])
            let person = leaf.make("Person", ["name": "Ada"])
            try tree.saveAll()
            person["company"] = company
            let other = tree.fresh()
            let posted = Posted(.NSManagedObjectContextDidSaveObjectIDs, other)
            other.delete(try other.all("Company")[0])
            try other.save()
            for context in [root, tree.middle, leaf] {
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: posted.userInfo ?? [:], into: [context])
            }
            try tree.saveAll()
            #expect(person["company"] == nil)
            #expect(try tree.fresh().all("Person", "company != nil").isEmpty)
        }
    }

    /// A save looks for relationships to lost objects only where there may be some.
    @Test func nothingIsLookedForWithoutReason() throws {
        let stack = try TestStack()
        let manager = CountingUndoManager()
        stack.context.undoManager = manager
        try stack.context.run { () throws in
            let context = stack.context
            let companies = ["A", "B"].map { context.make("Company", ["name": $0]) }
            let people = (0..<3).map { context.make("Person", ["age": $0, "company": companies[0]]) }
            try context.save()
            people[0]["company"] = companies[1]
            context.delete(people[1])
            try context.save()
            people[2]["company"] = companies[1]
            try context.save()
            #expect(manager.pauses == 0 && !context.mayReferToLost)
            // The second person is gone: a relationship to it may be made all the same.
            companies[1].mutableSetValue(forKey: "people").add(people[1])
            #expect(context.mayReferToLost)
            try context.save()
            #expect(manager.pauses == 1 && !context.mayReferToLost)
            expect(companies[1].relatedObjects(forKey: "people").count, equals: 2)
            companies[0]["name"] = "C"
            try context.save()
            expect(manager.pauses, equals: 1)
        }
    }

    /// The reason stays until a save succeeds.
    @Test func aFailedSaveLooksAgain() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let companies = ["A", "B"].map { context.make("Company", ["name": $0]) }
            let person = context.make("Person", ["name": "Ada", "company": companies[0]])
            try context.save()
            context.delete(companies[1])
            try context.save()
            person["company"] = companies[1]
            context.delete(person)
            let invalid = context.make("Person", ["age": -1])
            #expect(thrownError { try context.save() } != nil && context.mayReferToLost)
            context.delete(invalid)
            // Not deleted after all.
            context.insert(person)
            try context.save()
            #expect(!context.mayReferToLost)
            try expect(RawDatabase(stack.url).rows("SELECT ZCOMPANY FROM ZPERSON"), equals: [[nil]])
        }
    }
}

/// Counts how often nothing was to be recorded.
private final class CountingUndoManager: UndoManager {
    var pauses = 0

    override func disableUndoRegistration() {
        pauses += 1
        super.disableUndoRegistration()
    }
}
