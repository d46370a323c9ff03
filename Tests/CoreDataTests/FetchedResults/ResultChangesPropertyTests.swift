// After any event the changes that a controller tells turn the old list into the new one, and the new one
// equals the results of a fetch.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ResultChangesPropertyTests {
    /// A way to fetch: with sections or without, in unique order or with ties.
    struct Way: Sendable, CustomTestStringConvertible {
        var type: String
        var section: String?
        var sort: [String]
        var predicate: String?
        var seed: UInt64

        var testDescription: String {
            "\(type) \(section ?? "-") \(sort) \(predicate ?? "") seed \(seed)"
        }

        func with(_ seed: UInt64) -> Way {
            var way = self
            way.seed = seed
            return way
        }
    }

    private static let environment = ProcessInfo.processInfo.environment

    /// COREDATA_SEED=n tries all ways with one seed, COREDATA_LONG_TESTS=1 with many.
    private static let ways: [Way] = {
        if let seed = environment["COREDATA_SEED"].flatMap({ UInt64($0) }) {
            return shortWays.map { $0.with(seed) }
        }
        return (0..<UInt64(rounds(1, long: 20))).flatMap { round in
            shortWays.map { $0.with($0.seed + 100 * round) }
        }
    }()

    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes
    private static let shortWays: [Way] = types.flatMap { type in
        [
            Way(type: type, section: nil, sort: ["age", "name"], predicate: nil, seed: 1),
            Way(type: type, section: "level", sort: ["level", "age", "name"], predicate: nil, seed: 2),
            Way(
                type: type, section: "level", sort: ["-level", "-name"], predicate: "isActive = YES", seed: 3),
            Way(
                type: type, section: "age", sort: ["-age", "level", "name"], predicate: "level > 1", seed: 4),
            Way(type: type, section: "name", sort: ["name"], predicate: nil, seed: 5),
        ]
    }

    /// Random changes of people. Names stay unique, so that an order by name has no ties.
    private struct Life {
        let context: NSManagedObjectContext
        var random: SeededGenerator
        var number = 0

        mutating func name() -> String {
            number += 1
            return "\(["a", "B", "ä", "z"].randomElement(using: &random) ?? "")\(number)"
        }

        mutating func event() throws {
            if Int.random(in: 0..<8, using: &random) == 0 { return try merge() }
            for _ in 0..<Int.random(in: 1...6, using: &random) { try change(context) }
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: try context.save()
            case 2: context.rollback()
            default: context.processPendingChanges()
            }
        }

        /// Another context's save, merged.
        private mutating func merge() throws {
            try context.save()
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            nonisolated(unsafe) var saved: Notification?
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: other, queue: nil
            ) { saved = $0 }
            defer { NotificationCenter.default.removeObserver(token) }
            var life = self
            try other.performAndWait { () throws in
                for _ in 0..<4 { try life.change(other) }
                try other.save()
            }
            self = life
            if let saved { context.mergeChanges(fromContextDidSave: saved) }
            context.processPendingChanges()
        }

        private mutating func change(_ context: NSManagedObjectContext) throws {
            let people = try context.all("Person", sort: "name")
            let person = people.randomElement(using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<5 where people.count < 30, 0..<20 where person == nil:
                _ = context.make(
                    "Person", ["name": name(), "age": age(), "level": level(), "isActive": flag()])
            case 0..<3: person.map(context.delete)
            case 3..<7: person?.setValue(age(), forKey: "age")
            case 7..<11: person?.setValue(level(), forKey: "level")
            case 11..<13: person?.setValue(name(), forKey: "name")
            case 13..<15: person?.setValue(flag(), forKey: "isActive")
            case 15: for person in people { person.setValue(level(), forKey: "level") }
            case 16: for person in people { person.setValue(Double(number), forKey: "height") }
            case 17: person.map { context.refresh($0, mergeChanges: flag()) }
            case 18: for person in people.prefix(3) { person.setValue(nil, forKey: "level") }
            default: person?.setValue(level(), forKey: "visits")
            }
        }

        private mutating func age() -> Int { Int.random(in: 1...6, using: &random) }
        private mutating func level() -> Int { Int.random(in: 1...4, using: &random) }
        private mutating func flag() -> Bool { Bool.random(using: &random) }
    }

    @Test(arguments: ways) func changesTurnTheOldListIntoTheNew(_ way: Way) throws {
        let stack = try TestStack(type: way.type)
        try stack.context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = way.sort.map { key in
                NSSortDescriptor(key: String(key.drop { $0 == "-" }), ascending: !key.hasPrefix("-"))
            }
            request.predicate = way.predicate.map { NSPredicate(format: $0) }
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: way.section,
                cacheName: nil)
            let recorder = ResultRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.copy(controller)
            var life = Life(context: stack.context, random: SeededGenerator(seed: way.seed))
            let count = rounds(80, long: 600)
            for event in 0..<count {
                try life.event()
                let told = recorder.told()
                let problem = problem(controller, recorder, request, stack.context)
                try #require(problem == nil, "event \(event): \(problem ?? "") after \(told)")
                if event % 100 == 99 { try controller.performFetch() }
            }
            #expect(recorder.events > count * 2 / 3)
        }
    }

    /// Returns a fault of the results; nil if there is none.
    private func problem(
        _ controller: NSFetchedResultsController<NSManagedObject>, _ recorder: ResultRecorder,
        _ request: NSFetchRequest<NSManagedObject>, _ context: NSManagedObjectContext
    ) -> String? {
        if recorder.misplacedSections > 0 {
            return "a new section was told after an object, or an object after a vanished one"
        }
        let now = ResultRecorder()
        now.copy(controller)
        func text(_ sections: [ResultRecorder.Section]) -> String {
            sections.map { "\($0.name): \($0.objects.map { $0.text("name") ?? "" })" }.joined(separator: "; ")
        }
        if now.mirror != recorder.mirror {
            return "is \(text(now.mirror)), was told \(text(recorder.mirror))"
        }
        guard let fetched = try? context.fetch(request) else { return "no fetch" }
        if controller.fetchedObjects != fetched {
            return "is \(text(now.mirror)), a fetch finds \(fetched.map { $0.text("name") ?? "" })"
        }
        for (number, section) in now.mirror.enumerated() {
            if section.objects.isEmpty && controller.sectionNameKeyPath != nil { return "an empty section" }
            for (item, object) in section.objects.enumerated() {
                let path = IndexPath(item: item, section: number)
                if controller.indexPath(forObject: object) != path { return "\(path) isn't found" }
                if controller.object(at: path) !== object { return "\(path) has another object" }
            }
        }
        return nil
    }
}
