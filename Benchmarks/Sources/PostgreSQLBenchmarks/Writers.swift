// 16 contexts that save to one server, in one process or in several.

import CoreData
import Foundation
import Synchronization

enum Writers {
    static let argument = "--writers"
    private static let contexts = 16
    private static let saves = 500

    /// Prints the saves in a second by 16 contexts, each of which changes an object of its own again and again, in 1, 2 and
    /// 4 processes.
    static func measure(_ address: String) throws {
        let context = try Rows.context(address, schema: "writers")
        try Rows.insert(contexts, in: context)
        print("\n| processes | contexts | saves in a second |\n| --- | --- | --- |")
        for count in [1, 2, 4] {
            let begin = ContinuousClock.now
            let processes = try (0..<count).map { number in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                process.arguments = [
                    argument, address, String(number * contexts / count), String(contexts / count),
                ]
                try process.run()
                return process
            }
            for process in processes {
                process.waitUntilExit()
                if process.terminationStatus != 0 { throw RawPostgreSQL.Failure(message: "writers failed") }
            }
            let passed = begin.duration(to: .now).components
            let seconds = Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
            print("| \(count) | \(contexts) | \(Int(Double(contexts * saves) / seconds)) |")
        }
        let sum = try Rows.context(address, schema: "writers").fetch(NSFetchRequest<Item>(entityName: "Item"))
            .reduce(0) { $0 + Int($1.i1) - Int($1.i0) - 1 }
        if sum != 3 * contexts * saves { throw RawPostgreSQL.Failure(message: "\(sum) changes were kept") }
    }

    /// The writers of one process: the address, the number of the first one, and how many.
    static func run(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 3, let first = Int(arguments[1]), let count = Int(arguments[2]) else {
            throw RawPostgreSQL.Failure(message: "writers need an address and two numbers")
        }
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: count) { number in
            do {
                try write(arguments[0], first + number)
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func write(_ address: String, _ number: Int) throws {
        let context = try Rows.context(address, schema: "writers")
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: "i0 == %lld", FetchIntegers.value(number, 0))
        guard let item = try context.fetch(request).first else {
            throw RawPostgreSQL.Failure(message: "there is no object \(number)")
        }
        for _ in 0..<saves {
            item.i1 += 1
            try context.save()
        }
    }
}
