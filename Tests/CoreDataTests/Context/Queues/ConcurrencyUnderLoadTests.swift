// Many contexts that wait for each other, with more tasks than threads.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct ConcurrencyUnderLoadTests {
    /// The queue is busy until a task runs that is started last: with a thread of the pool for each task that waits
    /// there would be none left for it.
    @Test func performBlocksNoThreadOfThePool() async throws {
        let stack = try TestStack()
        let context = stack.context
        let gate = DispatchSemaphore(value: 0)
        occupy(context, until: gate)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask { await context.perform { _ = context.make("Note", ["text": "\(number)"]) } }
            }
            group.addTask(priority: .background) { gate.signal() }
        }
        await expect(context.perform { context.insertedObjects.count }, equals: 64)
    }

    private func occupy(_ context: NSManagedObjectContext, until gate: DispatchSemaphore) {
        context.perform { gate.wait() }
    }

    @Test func performsFollowEachOtherAcrossContexts() async throws {
        let stack = try TestStack()
        let contexts = (0..<4).map { _ in stack.another() }
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask {
                    var sum = 0
                    for step in 0..<4 {
                        let context = contexts[(number + step) % 4]
                        sum += await context.perform(schedule: step % 2 == 0 ? .immediate : .enqueued) {
                            _ = context.make("Note")
                            // A block starts work of another context and doesn't wait.
                            Task { await contexts[number % 4].perform {} }
                            return 1
                        }
                    }
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
        expect(total, equals: 256)
        var inserted = 0
        for context in contexts { inserted += await context.perform { context.insertedObjects.count } }
        expect(inserted, equals: 256)
    }

    @Test func waitingBlocksNestAndComeBack() throws {
        let stack = try TestStack()
        let view = NSManagedObjectContext(executor: .executor(QueueExecutor()))
        view.persistentStoreCoordinator = stack.coordinator
        let contexts = (0..<6).map { _ in stack.another() } + [view]
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            // Waiting goes upwards only, as any locks must be taken, and then comes back to contexts that are held.
            let (a, b, c) = (contexts[number % 5], contexts[5], contexts[6])
            a.performAndWait {
                _ = a.make("Note")
                b.performAndWait {
                    a.performAndWait { _ = a.make("Note") }
                    c.performAndWait {
                        _ = c.make("Note")
                        a.performAndWait { b.performAndWait { _ = b.make("Note") } }
                        c.performAndWait { a.processPendingChanges() }
                    }
                }
            }
        }
        let counts = contexts.map { context in context.performAndWait { context.insertedObjects.count } }
        expect(counts, equals: [80, 80, 80, 80, 80, 200, 200])
    }

    /// Blocks of the main queue run on another thread than the one that waits: it must know what is held.
    @Test func blocksComeBackThroughTheMainQueue() async throws {
        let stack = try TestStack()
        let view = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        view.persistentStoreCoordinator = stack.coordinator
        let context = stack.context
        let result = await context.perform {
            view.performAndWait { context.performAndWait { view.performAndWait { "home" } } }
        }
        expect(result, equals: "home")
    }

    @Test func performProcessesChangesAtItsEndAndPerformAndWaitDoesNot() async throws {
        let stack = try TestStack()
        let context = stack.context
        let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
        context.performAndWait { _ = context.make("Note") }
        #expect(posted.all.isEmpty)
        await context.perform { _ = context.make("Note") }
        expect(posted.all.count, equals: 1)
        await context.perform(schedule: .enqueued) { _ = context.make("Note") }
        expect(posted.all.count, equals: 2)
    }

    @Test func anErrorOfTheBlockLeavesTheChangesProcessed() async throws {
        struct Failure: Error {}
        let stack = try TestStack()
        let context = stack.context
        let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
        await #expect(throws: Failure.self) {
            try await context.perform {
                _ = context.make("Note")
                throw Failure()
            }
        }
        expect(posted.all.count, equals: 1)
    }

    @Test func manyBackgroundTasksShareAStore() async throws {
        let stack = try TestStack()
        let container = NSPersistentContainer(
            name: "C", managedObjectModel: stack.coordinator.managedObjectModel)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: stack.url)]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    try await container.performBackgroundTask { context in
                        _ = context.make("Note")
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        let context = container.newBackgroundContext()
        try await expect(context.perform { try context.all("Note").count }, equals: 64)
    }
}
