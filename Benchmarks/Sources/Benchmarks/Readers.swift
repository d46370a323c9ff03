// "readers": four threads read 500 rows at a time while a fifth saves without pause. Not processor time but how long it
// takes until the readers are done: what is measured is whether they wait.

import CRawSQLite
import CoreData
import Foundation
import Synchronization

enum Readers {
    private static let threads = 4
    private static let reads = Scale.rows(100)
    private static let size = 500
    /// Rows that the writer changes in one transaction.
    private static let changed = 1000

    static func workload(in folder: URL) throws -> Workload {
        _ = try FetchIntegers.files(in: folder)
        let (raw, store) = (
            folder.appendingPathComponent("readers.sqlite"), folder.appendingPathComponent("Readers.sqlite")
        )
        for (source, copy) in [("raw.sqlite", raw), ("Items.sqlite", store)] {
            if FileManager.default.fileExists(atPath: copy.path) { continue }
            try FileManager.default.copyItem(at: folder.appendingPathComponent(source), to: copy)
        }
        return Workload(
            name: "readers \(threads) x \(reads) fetches beside a writer",
            contestants: [
                Contestant(name: "raw SQLite, 5 connections") { try self.raw(raw.path) },
                Contestant(name: "CoreData, 5 contexts") { try contexts(store, writes: true) },
                Contestant(name: "CoreData, 4 contexts, nobody writes") {
                    try contexts(store, writes: false)
                },
            ])
    }

    /// Runs the readers on threads of their own, and the writer until they are done. The sum of what they read.
    private static func run(
        read: @escaping @Sendable (_ thread: Int) -> Int64, write: @escaping @Sendable () -> Void
    ) -> (Double, Int64) {
        let isOver = Atomic(false)
        let sum = Atomic<Int64>(0)
        let (readers, writer) = (DispatchGroup(), DispatchGroup())
        writer.enter()
        Thread.detachNewThread {
            while !isOver.load(ordering: .acquiring) { write() }
            writer.leave()
        }
        let start = ContinuousClock.now
        for number in 0..<threads {
            readers.enter()
            Thread.detachNewThread {
                sum.add(read(number), ordering: .relaxed)
                readers.leave()
            }
        }
        readers.wait()
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        isOver.store(true, ordering: .releasing)
        writer.wait()
        return (time, sum.load(ordering: .relaxed))
    }

    /// Returns the offset at which a reader's fetch begins.
    private static func offset(_ thread: Int, _ read: Int) -> Int {
        (thread * 7919 + read * 104_729) % max(1, FetchIntegers.rowCount - size)
    }

    // MARK: Plain SQLite

    private struct Shared<Value>: @unchecked Sendable {
        // Each is used by one thread.
        let value: Value
    }

    private static func raw(_ path: String) throws -> (Double, Int64) {
        let columns = FetchIntegers.names.map { "Z" + $0.uppercased() }.joined(separator: ", ")
        let databases = Shared(value: try (0...threads).map { _ in try RawSQLite(path: path) })
        let selects = Shared(
            value: try databases.value.map {
                try $0.statement("SELECT Z_PK, Z_OPT, \(columns) FROM ZITEM LIMIT ? OFFSET ?")
            })
        let update = Shared(
            value: try databases.value[threads].statement("UPDATE ZITEM SET ZI9 = ZI9 + 1 WHERE Z_PK = ?"))
        return run(
            read: { thread in
                let select = selects.value[thread]
                var sum: Int64 = 0
                for read in 0..<reads {
                    sqlite3_bind_int64(select, 1, Int64(size))
                    sqlite3_bind_int64(select, 2, Int64(offset(thread, read)))
                    while sqlite3_step(select) == SQLITE_ROW {
                        for column in 2..<Int32(FetchIntegers.names.count + 1) {
                            sum &+= sqlite3_column_int64(select, column)
                        }
                    }
                    sqlite3_reset(select)
                }
                return sum
            },
            write: {
                databases.value[threads].run("BEGIN IMMEDIATE")
                for key in 1...changed {
                    sqlite3_bind_int64(update.value, 1, Int64(key))
                    sqlite3_step(update.value)
                    sqlite3_reset(update.value)
                }
                databases.value[threads].run("COMMIT")
            })
    }

    // MARK: The framework

    private static func contexts(_ url: URL, writes: Bool) throws -> (Double, Int64) {
        let writer = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let readers = (0..<threads).map { _ in
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = writer.persistentStoreCoordinator
            return context
        }
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.fetchLimit = changed
        let items = Shared(value: try writer.performAndWait { try writer.fetch(request) })
        return run(
            read: { thread in
                let context = readers[thread]
                return context.performAndWait {
                    (0..<reads).reduce(0) { $0 &+ sum(context, offset(thread, $1)) }
                }
            },
            write: {
                if !writes {
                    usleep(1000)
                    return
                }
                writer.performAndWait {
                    for item in items.value { item.i9 += 1 }
                    do { try writer.save() } catch { fatalError("\(error)") }  // a failed run has no time
                }
            })
    }

    /// Returns the sum of a fetch's values, without the column that changes.
    private static func sum(_ context: NSManagedObjectContext, _ offset: Int) -> Int64 {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.fetchLimit = size
        request.fetchOffset = offset
        do {
            return try context.fetch(request).reduce(0) { $0 &+ $1.sum &- $1.i9 }
        } catch {
            fatalError("\(error)")  // a failed run has no time
        }
    }
}
