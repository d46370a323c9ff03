// Processes and threads that count together in one store, and readers beside them.

import CoreData
import Foundation

enum Counting {
    /// Makes the counter.
    static func prepare(_ request: Request) throws -> [String: Any] {
        let stack = try Stack(Place(request))
        defer { stack.close() }
        try stack.context.performAndWait {
            _ = stack.insert("Counter", ["value": 0])
            try stack.context.save()
        }
        return ["done": true]
    }

    /// Adds to the counter so many times on each of so many threads. Each increment comes with a row, in one save.
    static func count(_ request: Request) throws -> [String: Any] {
        let place = Place(request)
        let tallies = UnsafeMutableBufferPointer<Tally>.allocate(
            capacity: request.number("threads", default: 1))
        tallies.initialize(repeating: Tally())
        defer { tallies.deallocate() }
        let work = CountingWork(
            place: place, increments: request.number("increments"), process: request.number("process"),
            isCareless: request.number("careless") != 0, tallies: tallies)
        DispatchQueue.concurrentPerform(iterations: tallies.count) { work.run($0) }
        if let failure = tallies.compactMap(\.failure).first { return ["error": failure] }
        return [
            "conflicts": tallies.map(\.conflicts).reduce(0, +), "won": tallies.map(\.won).reduce(0, +),
            "done": true,
        ]
    }

    /// Reads the store so many times. In each state the counter and the rows must agree.
    static func watch(_ request: Request) throws -> [String: Any] {
        let stack = try Stack(Place(request))
        defer { stack.close() }
        var wrong: [String] = []
        for _ in 0..<request.number("reads") {
            try stack.context.performAndWait {
                stack.context.reset()
                try stack.context.setQueryGenerationFrom(.current)
                let value = try stack.all("Counter", sortedBy: []).first?.value(forKey: "value") as? Int
                let rows = try stack.context.count(
                    for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
                if value != rows { wrong.append("\(rows) rows and a counter of \(value ?? -1)") }
            }
        }
        return ["wrong": wrong]
    }
}

/// The count of a thread's operations.
private struct Tally {
    var conflicts = 0
    /// Tags that this thread was the first to save.
    var won = 0
    var failure: [String: String]?
}

/// Unchecked because each thread writes only its own tally, and the place isn't changed.
private struct CountingWork: @unchecked Sendable {
    let place: Place
    let increments: Int
    let process: Int
    /// Saves over what others saved, for --self-test.
    let isCareless: Bool
    let tallies: UnsafeMutableBufferPointer<Tally>

    func run(_ thread: Int) {
        do {
            let stack = try Stack(place)
            defer { stack.close() }
            if isCareless { stack.context.mergePolicy = NSMergePolicy.overwrite }
            for number in 0..<increments {
                try stack.context.performAndWait { try increment(stack, thread, number) }
            }
        } catch {
            tallies[thread].failure = ["text": "\(error)"]
        }
    }

    private func increment(_ stack: Stack, _ thread: Int, _ number: Int) throws {
        let name = "shared \(number)"
        while true {
            let counter = try stack.all("Counter", sortedBy: []).first
            if let counter { stack.context.refresh(counter, mergeChanges: false) }
            counter?.setValue((counter?.value(forKey: "value") as? Int ?? 0) + 1, forKey: "value")
            _ = stack.insert("Item", ["batch": process * 100 + thread, "number": number])
            do {
                try stack.context.save()
                break
            } catch let error as NSError where error.code == NSManagedObjectMergeError {
                tallies[thread].conflicts += 1
                stack.context.rollback()
            }
        }
        _ = stack.insert("Tag", ["gen": number, "name": name])
        do {
            try stack.context.save()
            tallies[thread].won += 1
        } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
            stack.context.rollback()
        }
    }
}
