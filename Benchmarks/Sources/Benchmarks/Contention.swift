// `--contention`: how long a save of ten objects and a fetch of fifty take while others read and write the same file.
//
//   Scripts/bench --contention               8 threads, then 4 processes of 2 threads, each with and without history
//   Scripts/bench --contention --seconds 30  for longer than 10 s each

import CoreData
import Foundation
import Synchronization

/// The time that each request of one kind took.
struct Latencies: Codable {
    var milliseconds: [Double] = []

    func percentile(_ share: Double) -> Double {
        let sorted = milliseconds.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    func line(_ name: String) -> String {
        String(
            format: "  %@: %d, median %.2f ms, 99th percentile %.2f ms, longest %.1f ms", name,
            milliseconds.count, percentile(0.5), percentile(0.99), milliseconds.max() ?? 0)
    }
}

struct Contention {
    private struct Seen: Codable {
        var saves = Latencies()
        var fetches = Latencies()
    }

    let folder: URL
    var seconds = 10.0

    /// All measurements, as text.
    func run() throws {
        for keepsHistory in [false, true] {
            let history = keepsHistory ? "with history" : "without history"
            let url = try store(keepsHistory)
            print("8 threads, 4 that save and 4 that fetch, \(history)")
            report(try threads(url, keepsHistory, writers: 4, readers: 4))
            Files.remove(url)
            let shared = try store(keepsHistory)
            print("4 processes of a thread that saves and one that fetches, \(history)")
            report(try processes(shared, keepsHistory))
            Files.remove(shared)
        }
    }

    private func report(_ seen: Seen) {
        print(seen.saves.line("save of 10 objects"))
        print(seen.fetches.line("fetch of 50 objects"))
    }

    /// A store with 10,000 rows.
    private func store(_ keepsHistory: Bool) throws -> URL {
        let url = Files.fresh(folder)
        let context = try Self.context(url, keepsHistory)
        try context.performAndWait {
            for number in 0..<10_000 { Self.fill(Reading(context: context), number) }
            try context.save()
        }
        return url
    }

    private static func fill(_ reading: Reading, _ number: Int) {
        let row = SizeRow(number)
        (reading.code, reading.group, reading.sequence) = (row.code, row.group, row.sequence)
        (reading.token, reading.value) = (row.token, row.value)
    }

    private static func context(_ url: URL, _ keepsHistory: Bool) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SizeStore.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: keepsHistory])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    // MARK: Threads

    /// Threads with a context each, on one coordinator.
    private func threads(_ url: URL, _ keepsHistory: Bool, writers: Int, readers: Int) throws -> Seen {
        let first = try Self.context(url, keepsHistory)
        let seen = Mutex(Seen())
        let group = DispatchGroup()
        let end = ContinuousClock.now + .seconds(seconds)
        for number in 0..<(writers + readers) {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = first.persistentStoreCoordinator
            group.enter()
            Thread.detachNewThread {
                var latencies = Latencies()
                var turn = number * 1_000_000
                while ContinuousClock.now < end {
                    let start = ContinuousClock.now
                    number < writers ? Self.save(context, turn) : Self.fetch(context, turn)
                    latencies.milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
                    turn += 1
                }
                seen.withLock {
                    if number < writers {
                        $0.saves.milliseconds += latencies.milliseconds
                    } else {
                        $0.fetches.milliseconds += latencies.milliseconds
                    }
                }
                group.leave()
            }
        }
        group.wait()
        return seen.withLock { $0 }
    }

    private static func save(_ context: NSManagedObjectContext, _ turn: Int) {
        context.performAndWait {
            for number in 0..<10 { fill(Reading(context: context), 100_000 + turn * 10 + number) }
            do { try context.save() } catch { fatalError("\(error)") }  // a failed run has no time
            context.reset()
        }
    }

    private static func fetch(_ context: NSManagedObjectContext, _ turn: Int) {
        context.performAndWait {
            let request = NSFetchRequest<Reading>(entityName: "Reading")
            request.predicate = NSPredicate(format: "group == %ld", turn % 1000)
            request.fetchLimit = 50
            do {
                let sum = try context.fetch(request).reduce(0) { $0 &+ $1.sequence }
                precondition(sum >= 0, "Something was read.")
            } catch {
                fatalError("\(error)")  // a failed run has no time
            }
            context.reset()
        }
    }

    // MARK: Processes

    private func processes(_ url: URL, _ keepsHistory: Bool) throws -> Seen {
        let children = try (0..<4).map { _ in
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["--contention-of", url.path, "\(keepsHistory)", "\(seconds)"]
            process.standardOutput = pipe
            try process.run()
            return (process, pipe)
        }
        var all = Seen()
        for (process, pipe) in children {
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let seen = try JSONDecoder().decode(Seen.self, from: data)
            all.saves.milliseconds += seen.saves.milliseconds
            all.fetches.milliseconds += seen.fetches.milliseconds
        }
        return all
    }

    /// One of the processes: prints what it saw.
    static func runChild(_ arguments: [String]) throws {
        let contention = Contention(
            folder: FileManager.default.temporaryDirectory, seconds: Double(arguments[2]) ?? 10)
        let seen = try contention.threads(
            URL(fileURLWithPath: arguments[0]), arguments[1] == "true", writers: 1, readers: 1)
        print(String(decoding: try JSONEncoder().encode(seen), as: UTF8.self))
    }
}
