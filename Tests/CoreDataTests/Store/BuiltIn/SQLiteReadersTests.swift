// Contexts read a file while somebody else has the coordinator's lock, and see what was committed.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct SQLiteReadersTests {
    /// Runs the closure in the context's block on another thread while this one keeps all writers of the coordinator
    /// out. False if it doesn't come to an end.
    private func reads(
        _ stack: TestStack, _ context: NSManagedObjectContext, _ body: @escaping @Sendable () throws -> Void
    ) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        let failure = Mutex<String?>(nil)
        stack.coordinator.lock()
        DispatchQueue.global().async {
            context.performAndWait {
                do { try body() } catch { failure.withLock { $0 = "\(error)" } }
            }
            isDone.signal()
        }
        let result = isDone.wait(timeout: .now() + 60)
        stack.coordinator.unlock()
        #expect(failure.withLock { $0 } == nil)
        return result == .success
    }

    private func filled() throws -> TestStack {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Analytics"])
            for number in 0..<10 {
                _ = stack.context.make(
                    "Person", ["name": "P\(number)", "age": number, "visits": 100, "company": company])
            }
            try stack.context.save()
        }
        return stack
    }

    private static func fetch(_ format: String = "TRUEPREDICATE") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: format)
        return request
    }

    @Test func aFetchDoesntWaitForASave() throws {
        let stack = try filled()
        let context = stack.another()
        let done = reads(stack, context) {
            let people = try context.fetch(Self.fetch("age > 4"))
            expect(people.count, equals: 5)
            let count = try context.count(for: Self.fetch())
            expect(count, equals: 10)
            let company = people[0].value(forKey: "company") as? NSManagedObject
            expect(company?.value(forKey: "name") as? String, equals: "Analytics")
            expect((company?.value(forKey: "people") as? NSSet)?.count, equals: 10)
        }
        #expect(done)
    }

    @Test func idsDictionariesAndBatchesDontWaitEither() throws {
        let stack = try filled()
        let context = stack.another()
        let done = reads(stack, context) {
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            let found = try context.fetch(ids)
            expect(found.count, equals: 10)
            let object = try context.existingObject(with: found[0])
            #expect(object.value(forKey: "name") is String)
            let ages = NSFetchRequest<NSDictionary>(entityName: "Person")
            ages.resultType = .dictionaryResultType
            ages.propertiesToFetch = ["age"]
            try expect(context.fetch(ages).count, equals: 10)
            let batches = Self.fetch()
            batches.fetchBatchSize = 3
            let names = try context.fetch(batches).compactMap { $0.value(forKey: "name") as? String }
            expect(Set(names).count, equals: 10)
            let child = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            child.parent = context
            try expect(child.fetch(Self.fetch()).count, equals: 10)
        }
        #expect(done)
    }

    /// Reads that begin after a commit see it, whoever committed.
    @Test func whatWasSavedIsSeen() throws {
        let stack = try filled()
        let context = stack.another()
        let seen = Mutex<[Int]>([])
        for round in 1...3 {
            try stack.context.run { () throws in
                _ = stack.context.make("Person", ["name": "new", "age": 100 + round])
                try stack.context.save()
            }
            let done = reads(stack, context) {
                let count = try context.count(for: Self.fetch("age > 99"))
                seen.withLock { $0.append(count) }
            }
            #expect(done)
        }
        expect(seen.withLock { $0 }, equals: [1, 2, 3])
    }

    /// A context that is pinned goes on seeing its state, which only its own connection has.
    @Test func pinnedContextsSeeTheirGeneration() throws {
        let stack = try filled()
        let pinned = stack.another()
        try pinned.run { () throws in
            try pinned.setQueryGenerationFrom(.current)
            try expect(pinned.count(for: Self.fetch()), equals: 10)
        }
        let finished = Atomic(false)
        let writer = stack.context
        DispatchQueue.global().async {
            writer.performAndWait {
                for _ in 0..<50 {
                    _ = writer.make("Person", ["name": "new"])
                    do { try writer.save() } catch { Issue.record(error) }
                }
            }
            finished.store(true, ordering: .releasing)
        }
        while !finished.load(ordering: .acquiring) {
            try pinned.run { () throws in try expect(pinned.count(for: Self.fetch()), equals: 10) }
        }
    }

    /// Each fetch sees one state: a transfer between two rows is there as a whole or not at all.
    @Test func fourReadersSeeWholeSaves() throws {
        let stack = try filled()
        let readers = (0..<4).map { _ in stack.another() }
        let writer = stack.context
        let isOver = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 5) { number in
            if number == 0 {
                transfer(writer)
                isOver.store(true, ordering: .releasing)
                return
            }
            let context = readers[number - 1]
            context.performAndWait {
                var reads = 0
                while !isOver.load(ordering: .acquiring) || reads == 0 {
                    reads += 1
                    context.reset()
                    let visits = try? context.fetch(Self.fetch()).map {
                        $0.value(forKey: "visits") as? Int ?? 0
                    }
                    if visits?.count != 10 || visits?.reduce(0, +) != 1000 {
                        Issue.record("\(visits ?? [])")
                        return
                    }
                }
            }
        }
    }

    private func transfer(_ context: NSManagedObjectContext) {
        context.performAndWait {
            do {
                let people = try context.fetch(Self.fetch())
                for round in 0..<200 {
                    let (from, to) = (people[round % 10], people[(round * 7 + 3) % 10])
                    if from === to { continue }
                    from.setValue((from.value(forKey: "visits") as? Int ?? 0) - 1, forKey: "visits")
                    to.setValue((to.value(forKey: "visits") as? Int ?? 0) + 1, forKey: "visits")
                    try context.save()
                }
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Once the store is removed nobody has its file open any more.
    @Test func removingAStoreClosesItsReaders() throws {
        let stack = try filled()
        let context = stack.another()
        #expect(reads(stack, context) { _ = try context.fetch(Self.fetch()) })
        #expect(openFiles(stack.url) > 1)
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        expect(openFiles(stack.url), equals: 0)
    }

    private func openFiles(_ url: URL) -> Int {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
            return target == url.path
        }
    }
}
