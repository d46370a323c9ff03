// Contexts on queues and executors of the program's.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct ContextExecutorTests {
    private struct Failure: Error {}

    private func context(_ executor: NSManagedObjectContext.Executor) throws -> (
        TestStack, NSManagedObjectContext
    ) {
        let stack = try TestStack()
        let context = NSManagedObjectContext(executor: executor)
        context.persistentStoreCoordinator = stack.coordinator
        return (stack, context)
    }

    @Test func theKindsOfApplesAreThere() {
        expect(
            NSManagedObjectContext(executor: .mainQueue).concurrencyType, equals: .mainQueueConcurrencyType)
        expect(
            NSManagedObjectContext(executor: .queue(.main)).concurrencyType, equals: .mainQueueConcurrencyType
        )
        expect(
            NSManagedObjectContext(executor: .privateQueue).concurrencyType,
            equals: .privateQueueConcurrencyType)
    }

    @Test func theOldKindIsKept() {
        let old = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        expect(old.concurrencyType, equals: .confinementConcurrencyType)
        expect(old.performAndWait { 3 }, equals: 3)
    }

    @Test func aQueueOfTheProgramsRunsTheBlocks() async throws {
        let queue = DispatchQueue(label: "test")
        let (stack, context) = try context(.queue(queue))
        defer { _ = stack }
        context.performAndWait { dispatchPrecondition(condition: .onQueue(queue)) }
        await context.perform { dispatchPrecondition(condition: .onQueue(queue)) }
        // Code that runs on the queue is at home in the context.
        let found = try queue.sync { () throws -> Int in
            _ = context.make("Note")
            return try context.performAndWait {
                try context.save()
                return try context.all("Note").count
            }
        }
        expect(found, equals: 1)
    }

    @Test func aGlobalQueueRaises() async {
        await #expect(processExitsWith: .failure) { _ = NSManagedObjectContext.Executor.queue(.global()) }
        await #expect(processExitsWith: .failure) {
            _ = NSManagedObjectContext.Executor.queue(.global(qos: .utility))
        }
    }

    @Test func anExecutorRunsTheBlocks() async throws {
        let executor = QueueExecutor()
        let (stack, context) = try context(.executor(executor))
        defer { _ = stack }
        #expect(context.performAndWait { executor.isHere })
        #expect(await context.perform { executor.isHere })
        #expect(await context.perform(schedule: .enqueued) { executor.isHere })
        #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
        await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
        let count = try await context.perform {
            _ = context.make("Note")
            try context.save()
            return try context.performAndWait { try context.all("Note").count }
        }
        expect(count, equals: 1)
    }

    @Test func blocksOnAnExecutorRunInOrder() throws {
        let (stack, context) = try context(.executor(QueueExecutor()))
        defer { _ = stack }
        nonisolated(unsafe) var order: [Int] = []
        for number in 0..<200 { context.perform { order.append(number) } }
        context.performAndWait { order.append(200) }
        expect(order, equals: Array(0...200))
    }

    @Test func actorsOnAnExecutorAreAtHome() async throws {
        let executor = QueueExecutor()
        let (stack, context) = try context(.executor(executor))
        await expect(Guest(executor).countNotes(context), equals: 1)
        // Told by a closure, an executor need not know by itself.
        let silent = QueueExecutor(answers: false)
        let other = NSManagedObjectContext(executor: .executor(silent) { silent.isHere })
        other.persistentStoreCoordinator = stack.coordinator
        await expect(Guest(silent).countNotes(other), equals: 1)
    }

    @Test func blocksWaitForEachOtherAcrossExecutors() throws {
        let (stack, first) = try context(.executor(QueueExecutor()))
        let second = stack.another()
        let third = NSManagedObjectContext(executor: .executor(QueueExecutor()))
        third.persistentStoreCoordinator = stack.coordinator
        let result = first.performAndWait {
            second.performAndWait {
                third.performAndWait { first.performAndWait { second.performAndWait { "round" } } }
            }
        }
        expect(result, equals: "round")
    }

    /// Tasks that wait for the context hold every thread of the pool; the executor needs none of them.
    @Test func anExecutorNeedsNoThreadOfThePool() async throws {
        let (stack, context) = try context(.executor(QueueExecutor()))
        defer { _ = stack }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { context.performAndWait { _ = context.make("Note") } }
            }
        }
        expect(context.performAndWait { context.insertedObjects.count }, equals: 64)
    }

    @Test func useElsewhereIsFound() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ConcurrencyDebug.turnOn()
            let stack = try TestStack()
            let context = NSManagedObjectContext(executor: .queue(DispatchQueue(label: "of the test")))
            context.persistentStoreCoordinator = stack.coordinator
            context.performAndWait { _ = context.hasChanges }
            _ = context.hasChanges
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("queue \"of the test\""), "\(text.prefix(500))")
    }
}

/// An executor as programs write them.
final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "QueueExecutor")
    private let key = DispatchSpecificKey<Bool>()
    private let answers: Bool

    init(answers: Bool = true) {
        self.answers = answers
        queue.setSpecific(key: key, value: true)
    }

    var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func isIsolatingCurrentContext() -> Bool? { answers ? isHere : nil }
}

/// An actor that shares its executor with a context.
private actor Guest {
    private let executor: QueueExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: QueueExecutor) { self.executor = executor }

    func countNotes(_ context: NSManagedObjectContext) -> Int {
        context.performAndWait {
            _ = context.make("Note")
            return context.insertedObjects.count
        }
    }
}
