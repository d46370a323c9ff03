import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Unsaved relationships to objects that others deleted.
@Suite struct DeletedElsewhereTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType]

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
            #expect(keys == [[nil], [nil]])
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
        #expect(error?.code == NSValidationMissingMandatoryPropertyError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "company")
        person["company"] = companies[0]
        try mine.save()
        #expect(try pair.stack.another().all("Person", "company.name = 'A'").count == 1)
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
        #expect(person.names("notes", "text") == ["d", "c", "a"])
        let fresh = pair.stack.another()
        try withExtendedLifetime(fresh) {
            let stored = try #require(try fresh.all("Person").first)
            #expect(stored.names("notes", "text") == ["d", "c", "a"])
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
}
