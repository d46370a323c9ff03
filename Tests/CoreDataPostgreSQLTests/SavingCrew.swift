// Contexts that save at once, each on a thread of its own, and try again what failed.

import CoreData
import Foundation
import Synchronization

/// Each save inserts a book and a tag.
final class SavingCrew: Sendable {
    private struct Writer: @unchecked Sendable {
        let context: NSManagedObjectContext
        let number: Int
    }

    private let writers: [Writer]
    private let counts = Mutex((saved: 0, failed: 0))

    init(_ count: Int, _ make: () throws -> NSManagedObjectContext) rethrows {
        writers = try (0..<count).map { Writer(context: try make(), number: $0) }
    }

    /// The saves that failed before they succeeded.
    var failures: Int { counts.withLock { $0.failed } }

    /// Starts so many saves of each context.
    func start(_ saves: Int) {
        for writer in writers {
            Thread.detachNewThread { [self] in for save in 0..<saves { self.save(writer, save) } }
        }
    }

    /// Returns once so many saves of all have succeeded.
    func wait(for saves: Int) { while counts.withLock({ $0.saved }) < saves { usleep(1000) } }

    private func save(_ writer: Writer, _ number: Int) {
        let context = writer.context
        context.performAndWait {
            let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            book.setValuesForKeys(["title": "\(writer.number) \(number)", "tags": NSSet(object: tag)])
            while true {
                do {
                    try context.save()
                    break
                } catch {
                    counts.withLock { $0.failed += 1 }
                    usleep(20_000)
                }
            }
        }
        counts.withLock { $0.saved += 1 }
    }
}
