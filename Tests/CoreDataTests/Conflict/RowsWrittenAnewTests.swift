// Rows that a third context deleted, and that two contexts write anew at once.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RowsWrittenAnewTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    /// Has somebody else save once the first conflict is settled, before the save that met it runs again.
    private final class Policy: NSMergePolicy, @unchecked Sendable {
        var beforeSecondRun: (() throws -> Void)?
        private(set) var conflicts: [NSMergeConflict] = []

        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            conflicts += list
            try super.resolve(optimisticLockingConflicts: list)
            let others = beforeSecondRun
            beforeSecondRun = nil
            try others?()
        }
    }

    /// Objects of a graph as mine and a rival see them, the first of which a third context deletes.
    private struct Race {
        let graph: RivalGraph
        let policy: Policy
        let mine: [NSManagedObject]
        let rival: [NSManagedObject]
        private let rivals: NSManagedObjectContext

        init(
            _ type: String, _ policy: NSMergePolicyType = .mergeByPropertyObjectTrumpMergePolicyType,
            _ entities: [String] = ["Knot"]
        ) throws {
            self.policy = Policy(merge: policy)
            graph = try RivalGraph(type: type, self.policy, entities)
            rivals = graph.stack.another()
            rivals.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            mine = try graph.objects(in: graph.mine, entities.count)
            rival = try graph.objects(in: rivals, entities.count)
            graph.theirs.delete(try graph.object(0, in: graph.theirs))
            try graph.theirs.save()
        }

        /// Saves mine, and the rival in the midst of it.
        func save() throws {
            policy.beforeSecondRun = { [rivals] in try rivals.save() }
            try graph.mine.save()
            #expect(policy.beforeSecondRun == nil)
        }
    }

    private func stored(_ race: Race) throws -> [[String: Any]] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Knot")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", "number"]
        return try race.graph.stack.another().fetch(request).compactMap { $0 as? [String: Any] }
    }

    /// Has each context set a value of the one row, and expects the name set here to be stored with a number.
    private func setInBoth(_ race: Race, storing number: Int) throws {
        race.mine[0].setValue("mine", forKey: "name")
        race.rival[0].setValue(7, forKey: "number")
        try race.save()
        let stored = try stored(race)
        expect(stored.map { $0["name"] as? String }, equals: ["mine"])
        expect(stored.map { $0["number"] as? Int }, equals: [number])
    }

    /// Each context's change is in the row.
    @Test(arguments: types)
    func changesOfBothAreMerged(_ type: String) throws {
        let race = try Race(type)
        try setInBoth(race, storing: 7)
        expect(race.mine[0].value(forKey: "number") as? Int, equals: 7)
        #expect(!race.graph.mine.hasChanges)
        // The row has the version that the context knows.
        race.graph.mine.mergePolicy = NSMergePolicy.error
        race.mine[0].setValue("again", forKey: "name")
        try race.graph.mine.save()
        try race.graph.check()
    }

    @Test(arguments: types)
    func theLastOneOverwritesTheRow(_ type: String) throws {
        let race = try Race(type, .overwriteMergePolicyType)
        try setInBoth(race, storing: 0)
    }

    /// Both connect the object, each in another way, beside what it was connected with.
    @Test(arguments: types)
    func relationshipsOfBothAreMerged(_ type: String) throws {
        let race = try Race(
            type, .mergeByPropertyObjectTrumpMergePolicyType, ["Knot", "Pin", "Tag", "Bag", "Knot", "Knot"])
        let (mine, rival) = (race.mine, race.rival)
        mine[0].setValue(mine[1], forKey: "pin")
        mine[0].mutableSetValue(forKey: "tags").add(mine[2])
        mine[0].setValue(mine[4], forKey: "whole")
        rival[0].setValue(rival[3], forKey: "bag")
        rival[0].setValue(rival[5], forKey: "whole")
        try race.save()
        for (number, key, others) in [
            (0, "pin", [1]), (0, "tags", [2]), (0, "bag", [3]), (0, "whole", [4]), (4, "parts", [0]),
            (5, "parts", []),
        ] {
            try expect(race.graph.stored(number, key), equals: others, "\(key)")
            expect(race.graph.numbers(mine[number], key), equals: others, "\(key)")
        }
        try race.graph.check()
    }

    /// The conflict is one of a row that is there, with the values that were read before it was deleted.
    @Test(arguments: types)
    func conflictsTellWhatWasReadBefore(_ type: String) throws {
        let race = try Race(type)
        race.mine[0].setValue("mine", forKey: "name")
        race.rival[0].setValue("rival", forKey: "name")
        try race.save()
        expect(race.policy.conflicts.count, equals: 2)
        let last = try #require(race.policy.conflicts.last)
        expect(last.oldVersionNumber, equals: 1)
        #expect(last.newVersionNumber > 1)
        expect(last.objectSnapshot?["name"] as? String, equals: "Knot0")
        let now = last.persistedSnapshot ?? last.cachedSnapshot
        expect(now?["name"] as? String, equals: "rival")
    }

    /// A store with an item whose value is large enough for a file, and four contexts that have read it.
    private struct Items {
        let stack: TestStack
        let contexts: [NSManagedObjectContext]
        let items: [NSManagedObject]
        let data = Data(repeating: 7, count: 300_000)

        init(_ type: String, reading key: String) throws {
            let photo = NSAttributeDescription("photo", .binaryData)
            photo.allowsExternalBinaryDataStorage = true
            let model = NSManagedObjectModel()
            model.entities = [NSEntityDescription("Item", [NSAttributeDescription("name", .string), photo])]
            stack = try TestStack(type: type, model: model)
            _ = stack.context.make("Item", ["name": "item", "photo": data])
            try stack.context.save()
            contexts = [stack.another(), stack.another(), stack.another()]
            items = try contexts.map { try #require($0.all("Item").first) }
            for item in items { _ = item.value(forKey: key) }
        }

        var stored: NSManagedObject {
            get throws { try #require(stack.another().keepingAll("Item").first) }
        }
    }

    /// Values that lie in files, which the deletion removed.
    @Test(arguments: types)
    func largeValuesAreWrittenAnew(_ type: String) throws {
        let items = try Items(type, reading: "photo")
        items.contexts[2].delete(items.items[2])
        try items.contexts[2].save()
        let policy = Policy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        for number in 0...1 {
            items.contexts[number].mergePolicy = policy
            items.items[number].setValue("item \(number)", forKey: "name")
        }
        policy.beforeSecondRun = { try items.contexts[1].save() }
        try items.contexts[0].save()
        let stored = try items.stored
        expect(stored.value(forKey: "name") as? String, equals: "item 0")
        expect(stored.value(forKey: "photo") as? Data, equals: items.data)
    }

    /// A value that was never read is lost with its file: it can't be saved until it is set.
    @Test func largeValuesThatWereNeverReadAreLost() throws {
        let items = try Items(NSSQLiteStoreType, reading: "name")
        let (context, item) = (items.contexts[0], items.items[0])
        items.contexts[2].delete(items.items[2])
        try items.contexts[2].save()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        item.setValue("mine", forKey: "name")
        let error = #expect(throws: CocoaError.self) { try context.save() }
        expect(error?.code, equals: .fileReadUnknown)
        item.setValue(Data([1]), forKey: "photo")
        try context.save()
        try expect(items.stored.value(forKey: "photo") as? Data, equals: Data([1]))
    }

    /// A value that was never read and that another context replaced is that one's.
    @Test(arguments: types)
    func largeValuesThatOthersReplaced(_ type: String) throws {
        let items = try Items(type, reading: "name")
        let (context, item) = (items.contexts[0], items.items[0])
        let data = Data(repeating: 8, count: 300_000)
        items.items[1].setValue(data, forKey: "photo")
        try items.contexts[1].save()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        item.setValue("mine", forKey: "name")
        try context.save()
        try expect(items.stored.value(forKey: "photo") as? Data, equals: data)
        try expect(items.stored.value(forKey: "name") as? String, equals: "mine")
        expect(item.value(forKey: "photo") as? Data, equals: data)
    }
}
