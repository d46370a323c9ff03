// Servers whose disk is full.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite(
    .enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"),
    .enabled(if: SmallDisk.isAvailable, "needs the right to mount a file system"))
struct PostgreSQLDiskTests {
    /// The part of the server that has no room.
    enum Part: CaseIterable { case tables, log }

    private func setup(_ part: Part, _ disk: SmallDisk) -> PostgreSQLServer.Setup {
        var setup = PostgreSQLServer.Setup()
        // A write-ahead log that needs little.
        setup.settings = ["min_wal_size=2MB", "max_wal_size=4MB", "wal_recycle=off", "wal_init_zero=off"]
        switch part {
        case .tables: setup.tables = disk.folder + "/data"
        case .log: setup.log = disk.folder + "/log"
        }
        return setup
    }

    /// A full disk fails a save, or ends the server. With room again the same save succeeds, once.
    @Test(arguments: Part.allCases)
    func aFullDiskLosesNothing(_ part: Part) throws {
        let disk = try SmallDisk(megabytes: 160)
        let server = try PostgreSQLServer.own(setup(part, disk))
        defer { server.stop() }
        let shelf = Shelf(on: server)
        let context = try shelf.context(shelf.description("&tcp_user_timeout=3000"))
        try context.performAndWait {
            _ = insert("First", context)
            try context.save()
            try disk.fill(leaving: 4 << 20)
            var (books, failure): (Int, NSError?) = (1, nil)
            while failure == nil, books < 200 {
                // More than the log has room for before the server gives some back.
                for _ in 0..<(part == .log ? 16 : 1) {
                    _ = insert("Book \(books)", context)
                    books += 1
                }
                do { try context.save() } catch { failure = error as NSError }
            }
            let error = try #require(failure)
            expect(error.domain, equals: NSCocoaErrorDomain)
            if part == .tables {
                expect(error.code, equals: NSFileWriteOutOfSpaceError)
                expect(error.userInfo[PostgreSQLStore.sqlStateKey] as? String, equals: "53100")
                // What is there can be read.
                let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
                request.predicate = NSPredicate(format: "title == 'First'")
                try expect(context.fetch(request).count, equals: 1)
            }
            #expect(context.hasChanges)
            disk.free()
            // A server that can't write its log ends itself.
            if part == .log {
                server.stop()
                try server.start()
            }
            try context.save()
            try expect(
                shelf.rows("SELECT count(*), count(DISTINCT title) FROM printed_book"),
                equals: [
                    "\(books)|\(books)"
                ])
            print("full disk of the \(part): save \(books) failed with \(error.code), then held")
        }
    }

    /// A book of a megabyte.
    private func insert(_ title: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
        var generator = SystemRandomNumberGenerator()
        let words = (0..<131_072).map { _ in generator.next() }
        book.setValuesForKeys(["title": title, "cover": words.withUnsafeBytes { Data($0) }])
        return book
    }
}
