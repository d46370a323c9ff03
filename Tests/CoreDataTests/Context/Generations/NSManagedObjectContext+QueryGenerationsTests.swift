// The state that a pinned context sees, and the time when it moves on.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct QueryGenerationTests {
    private let old = ["p0", "p1", "p2"]
    private let new = ["changed", "changed", "new"]

    @Test(arguments: PinnedPair.Scene.allCases)
    func fetchesFindWhatWas(_ scene: PinnedPair.Scene) throws {
        let pair = try PinnedPair(scene.writer, in: scene.kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        try expect(PinnedPair.names(pair.pinned), equals: old)
        let other = pair.container.newBackgroundContext()
        try expect(PinnedPair.names(other), equals: new)
    }

    @Test(arguments: PinnedPair.Scene.allCases)
    func countsIDsAndDictionariesAreThoseOfThen(_ scene: PinnedPair.Scene) throws {
        let pair = try PinnedPair(scene.writer, in: scene.kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        let context = pair.pinned
        try context.run { () throws in
            let young = NSFetchRequest<NSManagedObject>(entityName: "Person")
            young.predicate = NSPredicate(format: "age < 5 AND name BEGINSWITH 'p'")
            try expect(context.count(for: young), equals: 3)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            try expect(context.fetch(ids).count, equals: 3)
            let rows = NSFetchRequest<NSDictionary>(entityName: "Person")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["name"]
            rows.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            try expect(context.fetch(rows).map { $0["name"] as? String }, equals: old)
        }
    }

    @Test(arguments: PinnedPair.Scene.allCases)
    func faultsAndRelationshipsReadWhatWas(_ scene: PinnedPair.Scene) throws {
        let pair = try PinnedPair(scene.writer, in: scene.kind)
        try pair.fill()
        try pair.snapshot()
        let context = pair.pinned
        let people = try context.run { try context.all("Person", sort: "age") }
        context.performAndWait { context.refreshAllObjects() }
        try pair.change()
        try context.run { () throws in
            let areFaults = people.allSatisfy(\.isFault)
            #expect(areFaults)
            expect(people.map { $0.text("name") }, equals: old)
            #expect(!people[0].isDeleted)
            let company = try #require(people[0].value(forKey: "company") as? NSManagedObject)
            expect((company.value(forKey: "people") as? Set<NSManagedObject>), equals: Set(people))
        }
    }

    @Test(arguments: StoreKind.inPlace) func batchesOfFaultsAreFilledFromThen(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        let context = pair.pinned
        try pair.snapshot()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.fetchBatchSize = 1
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        let people = try context.run { try context.fetch(request) }
        try pair.change()
        try expect(context.run { people.map { $0.text("name") } }, equals: old)
    }

    @Test(arguments: StoreKind.inPlace) func asynchronousFetchesReadWhatWas(_ kind: StoreKind) async throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        let context = pair.pinned
        let names: [String] = try await withCheckedThrowingContinuation { continuation in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                continuation.resume(returning: (result.finalResult ?? []).compactMap { $0.text("name") })
            }
            context.performAndWait {
                do {
                    _ = try context.execute(asynchronous)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        expect(names, equals: old)
    }

    // MARK: Beginning and moving on

    @Test(arguments: StoreKind.inPlace) func theGenerationBeginsWithTheFirstRead(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        let context = pair.pinned
        try context.run { () throws in
            #expect(context.queryGenerationToken == nil)
            try context.setQueryGenerationFrom(.current)
            expect(context.queryGenerationToken, equals: .current)
        }
        try pair.change()
        try expect(PinnedPair.names(context), equals: new)
        try context.run { () throws in
            let token = try #require(context.queryGenerationToken)
            #expect(token != .current)
        }
        try pair.write { try $0.all("Person").forEach($0.delete) }
        try expect(PinnedPair.names(context), equals: new)
    }

    @Test(arguments: StoreKind.inPlace) func currentMovesOnAndNilUnpins(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        let context = pair.pinned
        try pair.snapshot()
        #expect(try context.run { context.queryGenerationToken } != nil)
        try pair.write { try $0.all("Person", "age == 9").forEach($0.delete) }
        try expect(PinnedPair.names(context).count, equals: 3)
        try context.run { try context.setQueryGenerationFrom(nil) }
        #expect(try context.run { context.queryGenerationToken } == nil)
        try expect(PinnedPair.names(context).count, equals: 2)
        try pair.write { try $0.all("Person").forEach($0.delete) }
        #expect(try PinnedPair.names(context).isEmpty)
    }

    @Test(arguments: StoreKind.inPlace) func objectsKeepTheirValuesUntilTheyAreRefreshed(_ kind: StoreKind)
        throws
    {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        let context = pair.pinned
        let people = try context.run { () throws in
            let people = try context.all("Person", sort: "age")
            expect(people.map { $0.text("name") }, equals: old)
            return people
        }
        try pair.change()
        try context.run { () throws in
            context.refreshAllObjects()
            expect(people.map { $0.text("name") }, equals: old)
            try context.setQueryGenerationFrom(.current)
            expect(people.map { $0.text("name") }, equals: old)
            context.refreshAllObjects()
            expect(people[1].text("name"), equals: "changed")
        }
    }

    @Test(arguments: StoreKind.inPlace) func aSaveMovesOnToWhatItSaved(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        let context = pair.pinned
        let posted = Posted(.NSManagedObjectContextDidSave, context)
        try context.run { () throws in
            let before = context.queryGenerationToken
            _ = context.make("Company", ["name": "Other"])
            try context.save()
            let after = try #require(context.queryGenerationToken)
            #expect(after != before && after != .current)
            expect(
                posted.userInfo?[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken,
                equals: after)
        }
        try pair.write { try $0.all("Company").forEach($0.delete) }
        try expect(PinnedPair.names(context), equals: new)
        try expect(context.run { try context.all("Company").count }, equals: 2)
    }

    @Test(arguments: StoreKind.inPlace) func aSaveFindsConflictsWithWhatWasWrittenSince(_ kind: StoreKind)
        throws
    {
        let pair = try PinnedPair(.otherCoordinator, in: kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        let context = pair.pinned
        try context.run { () throws in
            let person = try #require(try context.all("Person", "age == 1").first)
            person.setValue("mine", forKey: "name")
            let error = #expect(throws: NSError.self) { try context.save() }
            expect(error?.code, equals: NSManagedObjectMergeError)
            try expect(
                context.all("Person", "age == 0").count, equals: 1, "a save that fails moves nothing on")
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            try expect(
                context.all("Person", sort: "age").map { $0.text("name") },
                equals: ["mine", "changed", "new"])
        }
    }

    @Test(arguments: StoreKind.inPlace) func mergingMovesOn(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        let context = pair.pinned
        let people = try context.run { () throws in
            let people = try context.all("Person", sort: "age")
            expect(people.map { $0.text("name") }, equals: old)
            return people
        }
        let posted = Posted(.NSManagedObjectContextDidSave, pair.writer)
        try pair.writer.run { () throws in
            try pair.writer.all("Person").forEach { $0.setValue("changed", forKey: "name") }
            try pair.writer.save()
        }
        try expect(PinnedPair.names(context), equals: old)
        context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: pair.writer, userInfo: posted.userInfo))
        try expect(context.run { people.map { $0.text("name") } }, equals: ["changed", "changed", "changed"])
        try pair.write { try $0.all("Person").forEach($0.delete) }
        try expect(PinnedPair.names(context).count, equals: 3)
    }

    @Test(arguments: StoreKind.inPlace) func automaticMergingMovesOn(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        let context = pair.pinned
        try context.run { context.automaticallyMergesChangesFromParent = true }
        try pair.snapshot()
        try pair.change()
        // The merge waits on the context's queue already.
        try expect(PinnedPair.names(context), equals: new)
        #expect(try context.run { context.queryGenerationToken } != nil)
    }

    @Test(arguments: StoreKind.inPlace) func aResetMovesOn(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        try pair.change()
        pair.pinned.performAndWait { pair.pinned.reset() }
        try expect(PinnedPair.names(pair.pinned), equals: new)
        try pair.write { try $0.all("Person").forEach($0.delete) }
        try expect(PinnedPair.names(pair.pinned), equals: new)
    }

    // MARK: Tokens

    @Test(arguments: StoreKind.inPlace) func aTokenGivesAnotherContextTheSameView(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        let token = try #require(pair.pinned.run { pair.pinned.queryGenerationToken })
        try pair.change()
        let other = pair.container.newBackgroundContext()
        try other.run { try other.setQueryGenerationFrom(token) }
        try expect(PinnedPair.names(other), equals: old)
        // It stays readable when the first one moves on.
        try pair.pinned.run { try pair.pinned.setQueryGenerationFrom(nil) }
        try expect(PinnedPair.names(pair.pinned), equals: new)
        other.performAndWait { other.refreshAllObjects() }
        try expect(PinnedPair.names(other), equals: old)
    }

    @Test(arguments: StoreKind.inPlace) func aTokenOfAnotherCoordinatorIsRefused(_ kind: StoreKind) throws {
        let pair = try PinnedPair(.otherCoordinator, in: kind)
        try pair.fill()
        try pair.snapshot()
        let token = try #require(pair.pinned.run { pair.pinned.queryGenerationToken })
        try pair.writer.run { () throws in
            let error = #expect(throws: NSError.self) { try pair.writer.setQueryGenerationFrom(token) }
            expect(error?.code, equals: NSPersistentStoreOperationError)
            #expect(pair.writer.queryGenerationToken == nil)
        }
    }

    // MARK: Stores and children

    @Test(arguments: [StoreKind.inMemory, .xml, .binary, .atomic, .incremental])
    func otherStoresAreReadAsTheyAre(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
        try context.run { () throws in
            try context.setQueryGenerationFrom(.current)
            #expect(try context.all("Company").isEmpty)
            #expect(context.queryGenerationToken == nil)
        }
        try other.run { () throws in
            _ = other.make("Company", ["name": "Acme"])
            try other.save()
        }
        try expect(context.run { try context.all("Company").count }, equals: 1)
    }

    @Test func aFileWithoutALogIsReadAsItIs() throws {
        let pair = try PinnedPair(options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"] as NSDictionary]
        )
        try pair.fill()
        try pair.snapshot()
        #expect(try pair.pinned.run { pair.pinned.queryGenerationToken } == nil)
        try pair.change()
        try expect(PinnedPair.names(pair.pinned), equals: new)
    }

    @Test func allStoresArePinnedAtOneMoment() throws {
        let model = NSManagedObjectModel()
        model.entities = ["Left", "Right"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }
        for entity in model.entities { model.setEntities([entity], forConfigurationName: entity.name ?? "") }
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for name in ["Left", "Right"] {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: name, at: folder.file(name + ".sqlite"),
                options: nil)
        }
        let contexts = (0..<2).map { _ in
            NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        }
        for context in contexts { context.persistentStoreCoordinator = coordinator }
        let (context, writer) = (contexts[0], contexts[1])
        try context.run { () throws in
            try context.setQueryGenerationFrom(.current)
            #expect(try context.all("Left").isEmpty)
        }
        try writer.run { () throws in
            _ = writer.make("Left")
            _ = writer.make("Right")
            try writer.save()
        }
        // The first read was of one store; the other one is as it was then.
        try expect(context.run { try context.all("Right").count }, equals: 0)
        try context.run { try context.setQueryGenerationFrom(.current) }
        try expect(context.run { try context.all("Right").count }, equals: 1)
    }

    @Test(arguments: StoreKind.inPlace) func childrenSeeWhatTheirParentSees(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = pair.pinned
        try pair.change()
        try expect(PinnedPair.names(child), equals: old)
        #expect(try child.run { child.queryGenerationToken } == nil)
        try pair.pinned.run { try pair.pinned.setQueryGenerationFrom(nil) }
        child.performAndWait { child.reset() }
        pair.pinned.performAndWait { pair.pinned.reset() }
        try expect(PinnedPair.names(child), equals: new)
    }

    @Test func aChildCannotBePinned() throws {
        let stack = try TestStack()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        #expect(
            error { try child.run { try child.setQueryGenerationFrom(.current) } }?.code
                == NSPersistentStoreOperationError)
    }
}
