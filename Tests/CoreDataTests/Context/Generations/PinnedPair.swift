// The common parts of tests of query generations.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A pinned context, and one that writes to the same file: on the same coordinator or on one of its own.
final class PinnedPair {
    enum Writer: CaseIterable, Sendable {
        case sameCoordinator, otherCoordinator
    }

    /// A writer to a store of a kind whose states can be kept.
    struct Scene: Sendable, CustomTestStringConvertible {
        let kind: StoreKind
        let writer: Writer

        static let allCases = StoreKind.inPlace.flatMap { kind in
            Writer.allCases.map { Scene(kind: kind, writer: $0) }
        }

        var testDescription: String { "\(kind.rawValue), \(writer)" }
    }

    let container: StoreContainer
    private let second: StoreContainer
    let pinned: NSManagedObjectContext
    let writer: NSManagedObjectContext

    init(
        _ writer: Writer = .sameCoordinator, in kind: StoreKind = .sqlite,
        options: [String: NSObject] = [:],
        model: () -> NSManagedObjectModel = CompanyModel.make
    ) throws {
        container = try kind.makeContainer(model(), options: options)
        second =
            try writer == .sameCoordinator
            ? container : kind.makeContainer(model(), reopening: container, options: options)
        pinned = container.newBackgroundContext()
        self.writer = second.newBackgroundContext()
    }

    /// Bytes of the write-ahead log; 0 if there is none.
    var logSize: Int {
        let path = container.folder.file("Store.sqlite-wal").path
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return (size ?? nil)?.intValue ?? 0
    }

    /// A company with three people, aged 0 to 2.
    func fill() throws {
        try write { context in
            let company = context.make("Company", ["name": "Acme"])
            for age in 0..<3 {
                let person = context.make("Person", ["name": "p\(age)", "age": age])
                person.setValue(company, forKey: "company")
            }
        }
    }

    /// Renames all people, deletes the first, adds one, all in the company.
    func change() throws {
        try write { context in
            let company = try context.all("Company").first
            for person in try context.all("Person") { person.setValue("changed", forKey: "name") }
            try context.all("Person", "age == 0").forEach(context.delete)
            context.make("Person", ["name": "new", "age": 9]).setValue(company, forKey: "company")
        }
    }

    /// Writes rows of this many bytes in all, a save for each 100 kB.
    func writeBytes(_ count: Int) throws {
        for _ in 0..<(count / 100_000) {
            try write { _ = $0.make("Person", ["photo": Data(repeating: 7, count: 100_000), "age": 50]) }
        }
    }

    func write(_ body: (NSManagedObjectContext) throws -> Void) throws {
        try writer.run { () throws in
            try body(writer)
            try writer.save()
            writer.reset()
        }
    }

    /// Pins the context, and has it read.
    func snapshot() throws {
        try pinned.run { () throws in
            try pinned.setQueryGenerationFrom(.current)
            _ = try pinned.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
        }
    }

    /// Names of the people that a context finds, by age.
    static func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.run { try context.all("Person", sort: "age").map { $0.text("name") ?? "" } }
    }
}
