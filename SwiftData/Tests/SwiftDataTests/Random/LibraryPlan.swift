// The way through the versions of the library.

import Foundation
import SwiftData
import Synchronization

enum LibraryPlan: SchemaMigrationPlan {
    struct Failure: Error, Equatable { var place: String }

    /// A migration: where it fails, and what its stages hand on.
    final class Run: Sendable {
        let failing: String?
        let rooms = Mutex<[Int: String]>([:])

        init(failing: String? = nil) { self.failing = failing }
    }

    @TaskLocal static var run = Run()

    /// The places at which a migration may fail.
    static let places = [
        "before 4", "within 4", "after 4", "at the end of 4", "before 5", "after 5", "at the end of 5",
    ]

    private static func pass(_ place: String) throws {
        if run.failing == place { throw Failure(place: place) }
    }

    static var schemas: [any VersionedSchema.Type] {
        [LibraryV1.self, LibraryV2.self, LibraryV3.self, LibraryV4.self, LibraryV5.self]
    }

    static var stages: [MigrationStage] { [toSecond, toThird, toFourth, toFifth] }

    static let toSecond = MigrationStage.lightweight(fromVersion: LibraryV1.self, toVersion: LibraryV2.self)
    static let toThird = MigrationStage.lightweight(fromVersion: LibraryV2.self, toVersion: LibraryV3.self)

    /// Titles that several books have are told apart by the books' numbers.
    static let toFourth = MigrationStage.custom(
        fromVersion: LibraryV3.self, toVersion: LibraryV4.self,
        willMigrate: { context in
            try pass("before 4")
            let books = try context.fetch(
                FetchDescriptor<LibraryV3.Book>(sortBy: [SortDescriptor(\.title), SortDescriptor(\.number)]))
            var seen: Set<String> = []
            for book in books where !seen.insert(book.title).inserted {
                try pass("within 4")
                book.title += " (\(book.number))"
                try context.save()
            }
        },
        didMigrate: { context in
            try pass("after 4")
            let book = try context.fetch(FetchDescriptor<LibraryV4.Book>(sortBy: [SortDescriptor(\.number)]))
                .first
            let reader = LibraryV4.Reader(number: 900, fullName: "Reader")
            let review = LibraryV4.Review(number: 901, stars: 5)
            review.book = book
            review.reader = reader
            context.insert(reader)
            try context.save()
            try pass("at the end of 4")
        })

    /// The room of a book's shelf becomes its own, and its price an amount.
    static let toFifth = MigrationStage.custom(
        fromVersion: LibraryV4.self, toVersion: LibraryV5.self,
        willMigrate: { context in
            try pass("before 5")
            var found: [Int: String] = [:]
            try context.enumerate(FetchDescriptor<LibraryV4.Book>()) { found[$0.number] = $0.place?.room }
            run.rooms.withLock { [found] in $0 = found }
        },
        didMigrate: { context in
            try pass("after 5")
            let rooms = run.rooms.withLock { $0 }
            for book in try context.fetch(FetchDescriptor<LibraryV5.Book>()) {
                book.room = rooms[book.number]
                book.cost = LibraryV5.Money(amount: Decimal(Int(book.price * 4)) / 4, currency: "USD")
            }
            try context.save()
            try pass("at the end of 5")
        })
}
