// Pinned contexts where states meet: rows that are new or gone elsewhere, conflicts, batches, histories, children.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct GenerationEdgeTests {
    private let old = ["p0", "p1", "p2"]

    @Test(arguments: PinnedPair.Scene.allCases)
    func aRowThatIsNewElsewhereIsNotThere(_ scene: PinnedPair.Scene) throws {
        let pair = try PinnedPair(scene.writer, in: scene.kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        let uri = try pair.writer.run {
            try #require(try pair.writer.all("Person", "age == 9").first).objectID.uriRepresentation()
        }
        let context = pair.pinned
        try context.run { () throws in
            let coordinator = try #require(context.persistentStoreCoordinator)
            let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
            #expect(throws: NSError.self) { try context.existingObject(with: id) }
            try context.setQueryGenerationFrom(.current)
            try expect(context.existingObject(with: id).text("name"), equals: "new")
        }
    }

    /// The row is there as long as the context is pinned, and gone once it follows its store.
    @Test(arguments: PinnedPair.Scene.allCases)
    func aRowThatWasDeletedElsewhereGoesWithThePin(_ scene: PinnedPair.Scene) throws {
        let pair = try PinnedPair(scene.writer, in: scene.kind)
        try pair.fill()
        try pair.snapshot()
        let context = pair.pinned
        let people = try context.run { try context.all("Person", sort: "age") }
        context.performAndWait { context.refreshAllObjects() }
        try pair.change()
        try context.run { () throws in
            #expect(people[0].text("name") == "p0" && !people[0].isDeleted)
            try context.setQueryGenerationFrom(nil)
            expect(people[0].text("name"), equals: "p0", "unpinning refreshes nothing")
            context.refresh(people[1], mergeChanges: true)
            expect(people[1].text("name"), equals: "changed")
            context.refresh(people[0], mergeChanges: false)
            #expect(people[0].value(forKey: "name") == nil && people[0].isDeleted)
            #expect(throws: NSError.self) { try context.existingObject(with: people[0].objectID) }
        }
    }

    /// A refresh in a pinned context brings the former values; the save meets the present ones.
    @Test(arguments: PinnedPair.Scene.allCases, [1, 2, 3, 4])
    func policiesSettleWhatWasWrittenSince(_ scene: PinnedPair.Scene, _ policy: Int) throws {
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        let pair = try PinnedPair(scene.writer, in: scene.kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        let context = pair.pinned
        context.performAndWait { context.mergePolicy = policies[policy] }
        try context.run { () throws in
            let person = try #require(try context.all("Person", "age == 1").first)
            person.setValue("mine", forKey: "name")
            person.setValue(7, forKey: "level")
            context.refresh(person, mergeChanges: true)
            expect(person.text("name"), equals: "mine")
            try context.save()
            let name = policy == 2 || policy == 3 ? "mine" : "changed"
            #expect(person.text("name") == name && !context.hasChanges)
            expect(person.value(forKey: "level") as? Int, equals: (policy == 4 ? nil : 7))
            try expect(PinnedPair.names(context).sorted(), equals: [name, "changed", "new"].sorted())
        }
    }

    /// A batch writes past the context: nothing moves until its IDs are merged.
    @Test(arguments: StoreKind.inPlace) func batchesMoveOnWhenTheyAreMerged(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        let context = pair.pinned
        try context.run { () throws in
            let token = context.queryGenerationToken
            let request = NSBatchUpdateRequest(entityName: "Person")
            request.propertiesToUpdate = ["name": "b"]
            request.resultType = .updatedObjectIDsResultType
            let result = try context.execute(request) as? NSBatchUpdateResult
            let ids = try #require(result?.result as? [NSManagedObjectID])
            expect(ids.count, equals: 3)
            #expect(try PinnedPair.names(context) == old && context.queryGenerationToken == token)
            try expect(context.batchDelete("Person", "name == 'b' AND age == 2"), equals: 1)
            try expect(context.all("Person").count, equals: 3)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [context])
            try expect(PinnedPair.names(context), equals: ["b", "b"])
            #expect(context.queryGenerationToken != token && context.queryGenerationToken != nil)
        }
    }

    @Test(arguments: StoreKind.inPlace) func aSaveOfAChildMovesNothingAndThatOfItsParentDoes(
        _ kind: StoreKind
    ) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = pair.pinned
        try child.run { () throws in
            _ = child.make("Person", ["name": "child", "age": 20])
            try child.save()
        }
        try expect(PinnedPair.names(pair.pinned), equals: old + ["child"])
        try pair.pinned.run { try pair.pinned.save() }
        try expect(PinnedPair.names(pair.pinned), equals: ["changed", "changed", "new", "child"])
        try expect(PinnedPair.names(child), equals: ["changed", "changed", "new", "child"])
    }

    /// The history tells of what was saved since: that is how a pinned context learns what to merge.
    @Test(arguments: PinnedPair.Scene.allCases)
    func theHistoryIsNotPinned(_ scene: PinnedPair.Scene) throws {
        let pair = try PinnedPair(
            scene.writer, in: scene.kind, options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        try pair.fill()
        try pair.snapshot()
        let context = pair.pinned
        let people = try context.run { try context.all("Person", sort: "age") }
        let coordinator = try #require(context.persistentStoreCoordinator)
        let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        try pair.change()
        try context.run { () throws in
            expect(people.map { $0.text("name") }, equals: old)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
            expect(transactions.count, equals: 1)
            for transaction in transactions {
                context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
            #expect(people[0].isDeleted && people[1].text("name") == "changed")
            try expect(PinnedPair.names(context), equals: ["changed", "changed", "new"])
        }
    }

    /// Of two stores only one is an SQLite file; and a store that is removed takes its state along.
    @Test func storesOfOtherKindsAndStoresThatGo() throws {
        let model = NSManagedObjectModel()
        model.entities = ["Left", "Right"].map {
            NSEntityDescription($0, [NSAttributeDescription("name", .stringAttributeType)])
        }
        for entity in model.entities { model.setEntities([entity], forConfigurationName: entity.name ?? "") }
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let left = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Left", at: folder.file("Left.sqlite"))
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "Right", at: nil)
        let contexts = (0..<2).map { _ in
            NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        }
        for context in contexts { context.persistentStoreCoordinator = coordinator }
        let (context, writer) = (contexts[0], contexts[1])
        try context.run { () throws in
            try context.setQueryGenerationFrom(.current)
            #expect(try context.all("Left").isEmpty && context.all("Right").isEmpty)
        }
        try writer.run { () throws in
            _ = writer.make("Left")
            _ = writer.make("Right")
            try writer.save()
        }
        try context.run { () throws in
            #expect(try context.all("Left").isEmpty, "a file is pinned")
            try expect(context.all("Right").count, equals: 1, "memory isn't")
        }
        try coordinator.remove(left)
        try context.run { () throws in
            #expect(try context.all("Left").isEmpty && context.all("Right").count == 1)
            _ = context.make("Right")
            try context.save()
            try expect(context.all("Right").count, equals: 2)
        }
    }
}
