import CoreData
import CoreDataTestSupport
import Dispatch
import Testing

@Suite struct ConcurrencyTests {
    private struct Failure: Error {}

    @Test func performAndWaitReturnsThrowsAndNests() throws {
        let stack = try TestStack()
        let context = stack.context
        expect(context.performAndWait { 5 }, equals: 5)
        #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
        let nested = context.performAndWait { context.performAndWait { context.performAndWait { "deep" } } }
        expect(nested, equals: "deep")
        let other = stack.another()
        expect(context.performAndWait { other.performAndWait { 7 } }, equals: 7)
        let back = context.performAndWait { other.performAndWait { context.performAndWait { "and back" } } }
        expect(back, equals: "and back")
    }

    @Test func performAndWaitProcessesNothing() throws {
        let stack = try TestStack()
        let posted = Posted(.NSManagedObjectContextObjectsDidChange, stack.context)
        stack.context.performAndWait { _ = stack.context.make("Note") }
        #expect(posted.all.isEmpty)
    }

    @Test func performProcessesChangesOnItsQueue() throws {
        let stack = try TestStack()
        let posted = Posted(.NSManagedObjectContextObjectsDidChange, stack.context)
        stack.context.perform { _ = stack.context.make("Note") }
        stack.context.performAndWait {}
        expect(posted.objects(NSInsertedObjectsKey)?.count, equals: 1)
    }

    @Test func blocksRunInOrderOneAtATime() throws {
        let stack = try TestStack()
        nonisolated(unsafe) var order: [Int] = []
        for number in 0..<100 { stack.context.perform { order.append(number) } }
        stack.context.performAndWait {}
        expect(order, equals: Array(0..<100))
    }

    @Test func performIsAwaited() async throws {
        let stack = try TestStack()
        let context = stack.context
        let count = try await context.perform {
            _ = context.make("Note")
            try context.save()
            return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        }
        expect(count, equals: 1)
        await expect(context.perform(schedule: .enqueued) { 3 }, equals: 3)
        await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { await context.perform { _ = context.make("Note", ["text": "\(number)"]) } }
            }
        }
        await expect(context.perform { context.insertedObjects.count }, equals: 50)
    }

    @Test @MainActor func theMainQueueContextRunsOnTheMainQueue() async throws {
        let stack = try TestStack()
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        expect(context.concurrencyType, equals: .mainQueueConcurrencyType)
        #expect(context.performAndWait { isOnMainQueue() })
        #expect(await context.perform { isOnMainQueue() })
        #expect(await context.perform(schedule: .enqueued) { isOnMainQueue() })
        _ = context.make("Note")
        try context.save()
        try expect(context.all("Note").count, equals: 1)
    }

    @Test func manyContextsWriteAtOnce() throws {
        let stack = try TestStack()
        let contexts = (0..<8).map { _ in stack.another() }
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            let context = contexts[worker]
            for round in 0..<10 {
                context.performAndWait {
                    _ = context.make("Note", ["text": "\(worker)-\(round)"])
                    do { try context.save() } catch { Issue.record(error) }
                }
            }
        }
        try expect(stack.context.run { () throws in try stack.context.all("Note").count }, equals: 80)
    }

    /// Under an asynchronous `main()` the main queue needn't be served by the main thread.
    private func isOnMainQueue() -> Bool {
        dispatchPrecondition(condition: .onQueue(.main))
        return true
    }

    @Test func executeOutsideOfABlockThrows() {
        #expect(
            error { _ = try NSFetchRequest<NSManagedObject>(entityName: "Note").execute() }?.code
                == NSPersistentStoreOperationError)
    }
}
