// Asynchronous fetches at work: what happens while rows are read, progress, and cancelling.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct AsynchronousFetchTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    private struct Outcome<T: NSFetchRequestResult>: @unchecked Sendable {
        // Unchecked because it is handed from the context's queue to a test that waits for it.
        var result: [T]?
        var error: (any Error)?
        var isCancelled: Bool { (error as? CocoaError)?.code == .userCancelled }
    }

    private func filled(_ type: String, count: Int) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.context.run { () throws in
            for number in 0..<count {
                _ = stack.context.make("Person", ["name": "n\(number)", "visits": number])
            }
            try stack.context.save()
            stack.context.reset()
        }
        return stack
    }

    /// Starts a fetch, calls `after` while it waits, and returns what the completion block got.
    private func outcome<T>(
        _ request: NSFetchRequest<T>, in context: NSManagedObjectContext, estimate: Int = 0,
        progress: Progress? = nil, after: @escaping (NSPersistentStoreAsynchronousResult) throws -> Void
    ) throws -> Outcome<T> {
        let done = DispatchSemaphore(value: 0)
        let outcomes = Mutex<[Outcome<T>]>([])
        let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
            let outcome = Outcome(result: result.finalResult, error: result.operationError)
            outcomes.withLock { $0.append(outcome) }
            done.signal()
        }
        later.estimatedResultCount = estimate
        try context.run { () throws in
            progress?.becomeCurrent(withPendingUnitCount: 1)
            let result = try context.execute(later) as? NSPersistentStoreAsynchronousResult
            progress?.resignCurrent()
            try after(#require(result))
        }
        done.wait()
        context.performAndWait {}
        return try #require(outcomes.withLock { $0.count == 1 ? $0.first : nil })
    }

    private func people(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: "visits", ascending: true)]
        return request
    }

    @Test(arguments: types) func objectsComeInOrder(_ type: String) throws {
        let stack = try filled(type, count: 700)
        let progress = Progress(totalUnitCount: 1)
        var inner: Progress?
        let outcome = try outcome(people(), in: stack.context, estimate: 700, progress: progress) {
            inner = $0.progress
        }
        #expect(outcome.error == nil)
        let names = stack.context.performAndWait { outcome.result?.compactMap { $0.text("name") } }
        expect(names, equals: (0..<700).map { "n\($0)" })
        #expect(inner?.totalUnitCount == 700 && inner?.completedUnitCount == 700)
        expect(progress.fractionCompleted, equals: 1)
    }

    @Test(arguments: types) func progressCountsRowsWithoutAnEstimate(_ type: String) throws {
        let stack = try filled(type, count: 30)
        for (estimate, limit) in [(0, 30), (100, 30), (0, 7)] {
            let progress = Progress(totalUnitCount: 1)
            var inner: Progress?
            let request = people()
            request.fetchLimit = limit
            let outcome = try outcome(request, in: stack.context, estimate: estimate, progress: progress) {
                inner = $0.progress
            }
            #expect(outcome.error == nil)
            #expect(inner?.completedUnitCount == Int64(limit) && inner?.totalUnitCount == Int64(limit))
            expect(progress.fractionCompleted, equals: 1)
        }
    }

    @Test(arguments: types) func theClassOfTheResultsIsTaken(_ type: String) throws {
        let stack = try filled(type, count: 3)
        let outcome = try outcome(NSFetchRequest<Person>(entityName: "Person"), in: stack.context) { _ in }
        expect(outcome.result?.count, equals: 3)
    }

    @Test(arguments: types) func otherResultsComeToo(_ type: String) throws {
        let stack = try filled(type, count: 3)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        ids.resultType = .managedObjectIDResultType
        try expect(outcome(ids, in: stack.context) { _ in }.result?.count, equals: 3)
        let count = NSFetchRequest<NSNumber>(entityName: "Person")
        count.resultType = .countResultType
        try expect(outcome(count, in: stack.context) { _ in }.result, equals: [3])
        let rows = NSFetchRequest<NSDictionary>(entityName: "Person")
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = ["name"]
        try expect(outcome(rows, in: stack.context) { _ in }.result?.count, equals: 3)
        let batches = people()
        batches.fetchBatchSize = 2
        try expect(outcome(batches, in: stack.context) { _ in }.result?.count, equals: 3)
    }

    @Test(arguments: types) func cancellingStopsItBeforeAnythingIsMade(_ type: String) throws {
        let stack = try filled(type, count: 600)
        let before = try outcome(people(), in: stack.context) { $0.cancel() }
        #expect(before.isCancelled && before.result == nil)
        // Between the reading and the making of objects.
        let between = try outcome(people(), in: stack.context) { result in
            nonisolated(unsafe) let result = result
            stack.context.perform { result.cancel() }
        }
        // A store in memory is read on the queue: there is no between.
        expect(between.isCancelled, equals: (type != NSInMemoryStoreType))
        let progress = Progress(totalUnitCount: 1)
        let outer = try outcome(people(), in: stack.context, progress: progress) { _ in progress.cancel() }
        #expect(outer.isCancelled)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        ids.resultType = .managedObjectIDResultType
        #expect(try outcome(ids, in: stack.context) { $0.cancel() }.isCancelled)
    }

    @Test func cancellingStopsAReadThatIsUnderWay() throws {
        let stack = try filled(NSSQLiteStoreType, count: 2000)
        let progress = Progress(totalUnitCount: 1)
        nonisolated(unsafe) var inner: Progress?
        let outcome = try outcome(people(), in: stack.context, estimate: 2000, progress: progress) { result in
            nonisolated(unsafe) let result = result
            inner = result.progress
            // The queue is kept until the fetch is cancelled, so that it can't be done before.
            stack.context.perform {
                while result.progress?.completedUnitCount == 0 { usleep(50) }
                result.cancel()
            }
        }
        #expect(outcome.isCancelled && outcome.result == nil)
        let read = try #require(inner).completedUnitCount
        #expect(read > 0 && read < 2000 && inner?.isCancelled == true)
        #expect(stack.context.performAndWait { stack.context.registeredObjects.isEmpty })
    }

    @Test func whatIsSavedMeanwhileCounts() throws {
        let stack = try filled(NSSQLiteStoreType, count: 5)
        let context = stack.context
        let outcome = try outcome(people("visits < 3"), in: context) { _ in
            context.perform {
                do {
                    context.delete(try context.all("Person", "visits = 1")[0])
                    try context.all("Person", "visits = 4")[0].setValue(2, forKey: "visits")
                    try context.save()
                } catch {
                    Issue.record(error)
                }
            }
        }
        expect(
            context.performAndWait { outcome.result?.compactMap { $0.text("name") }.sorted() },
            equals: [
                "n0", "n2", "n4",
            ])
    }

    @Test func whatIsChangedMeanwhileCounts() throws {
        let stack = try filled(NSSQLiteStoreType, count: 5)
        let context = stack.context
        let request = people()
        request.fetchLimit = 2
        let outcome = try outcome(request, in: context) { _ in
            context.perform {
                do {
                    context.delete(try context.all("Person", "visits = 0")[0])
                } catch {
                    Issue.record(error)
                }
            }
        }
        expect(
            context.performAndWait { outcome.result?.compactMap { $0.text("name") } }, equals: ["n1", "n2"])
    }

    /// Others' saves come in by a merge while the rows are read: older rows must not undo it.
    @Test func whatIsMergedMeanwhileCounts() throws {
        let stack = try filled(NSSQLiteStoreType, count: 5)
        let (context, other) = (stack.context, stack.another())
        let outcome = try outcome(people(), in: context) { _ in
            // Runs once the rows are read, which the queue is kept for, and before objects are made of them.
            context.perform {
                do {
                    usleep(100_000)
                    let ids = try other.run { () throws in
                        let people = try other.all("Person", sort: "visits")
                        people[0].setValue("merged", forKey: "name")
                        other.delete(people[4])
                        try other.save()
                        return people.map(\.objectID)
                    }
                    NSManagedObjectContext.mergeChanges(
                        fromRemoteContextSave: [
                            NSUpdatedObjectIDsKey: [ids[0]], NSDeletedObjectIDsKey: [ids[4]],
                        ], into: [context])
                } catch {
                    Issue.record(error)
                }
            }
        }
        expect(
            context.performAndWait { outcome.result?.compactMap { $0.text("name") } },
            equals: [
                "merged", "n1", "n2", "n3",
            ])
    }

    /// A child reads its parent, unsaved changes among what is there.
    @Test(arguments: types) func childrenFetchAndCancelToo(_ type: String) throws {
        let stack = try filled(type, count: 4)
        try stack.context.run {
            try stack.context.all("Person", "visits = 0")[0].setValue("new", forKey: "name")
        }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let progress = Progress(totalUnitCount: 1)
        let found = try outcome(people(), in: child, estimate: 4, progress: progress) { _ in }
        expect(
            child.performAndWait { found.result?.compactMap { $0.text("name") } },
            equals: [
                "new", "n1", "n2", "n3",
            ])
        expect(
            child.performAndWait { found.result?.allSatisfy { $0.managedObjectContext === child } },
            equals: true)
        expect(progress.fractionCompleted, equals: 1)
        #expect(try outcome(people(), in: child) { $0.cancel() }.isCancelled)
    }

    /// A cancelled request leaves its parent's progress cancelled alone, and a cancelled parent cancels all in it.
    @Test(arguments: types) func progressIsSharedByAllFetchesInIt(_ type: String) throws {
        let stack = try filled(type, count: 300)
        let progress = Progress(totalUnitCount: 2)
        let first = try outcome(people(), in: stack.context, estimate: 300, progress: progress) {
            $0.cancel()
        }
        #expect(first.isCancelled && !progress.isCancelled)
        let second = try outcome(people(), in: stack.context, estimate: 10, progress: progress) { _ in }
        #expect(second.error == nil && second.result?.count == 300, "the estimate was too low")
        progress.cancel()
        let third = try outcome(people(), in: stack.context, progress: progress) { _ in }
        #expect(third.isCancelled && third.result == nil)
    }
}
