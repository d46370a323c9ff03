// Progress of batches, and their cancelling.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct BatchProgressTests {
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    private func filled(_ type: String, _ count: Int = 5) throws -> TestStack {
        let stack = try TestStack(type: type)
        _ = try stack.context.run {
            try stack.context.batchInsert("Note", (0..<count).map { ["text": "n\($0)"] })
        }
        return stack
    }

    private func under<T>(_ progress: Progress, _ body: () throws -> T) throws -> T {
        progress.becomeCurrent(withPendingUnitCount: 1)
        defer { progress.resignCurrent() }
        return try body()
    }

    @Test(arguments: types) func aBatchIsItsPartOfTheProgress(_ type: String) throws {
        let stack = try filled(type)
        let context = stack.context
        try context.run { () throws in
            let progress = Progress(totalUnitCount: 5)
            try under(progress) { _ = try context.batchInsert("Note", (0..<3000).map { ["text": "m\($0)"] }) }
            expect(progress.fractionCompleted, equals: 0.2)
            var left = 10
            let closure = NSBatchInsertRequest(entityName: "Note") { (row: NSMutableDictionary) in
                left -= 1
                row["text"] = "x"
                return left < 0
            }
            try under(progress) { _ = try context.execute(closure) }
            expect(progress.fractionCompleted, equals: 0.4)
            let nothing = NSBatchInsertRequest(entityName: "Note") { (_: NSMutableDictionary) in true }
            try under(progress) { _ = try context.execute(nothing) }
            expect(progress.fractionCompleted, equals: 0.6)
            try under(progress) { _ = try context.batchUpdate("Note", nil, ["text": "z"]) }
            expect(progress.fractionCompleted, equals: 0.8)
            try under(progress) { _ = try context.batchDelete("Note") }
            expect(progress.fractionCompleted, equals: 1)
        }
    }

    @Test(arguments: types) func whatIsCancelledBeforeItBeginsChangesNothing(_ type: String) throws {
        let stack = try filled(type)
        let context = stack.context
        try context.run { () throws in
            let progress = Progress(totalUnitCount: 3)
            progress.cancel()
            let works: [() throws -> Void] = [
                { try context.batchInsert("Note", [["text": "m"]]) },
                { try context.batchUpdate("Note", nil, ["text": "z"]) },
                { try context.batchDelete("Note") },
            ]
            for work in works {
                let error = #expect(throws: CocoaError.self) { try under(progress) { try work() } }
                expect(error?.code, equals: .userCancelled)
            }
            try expect(context.all("Note", "text BEGINSWITH 'n'").count, equals: 5)
            try expect(context.all("Note").count, equals: 5)
        }
    }

    /// One statement compares each row with each, which would take long, and is stopped while it does.
    @Test(arguments: [false, true]) func cancellingStopsAStatementThatIsUnderWay(_ isDeletion: Bool) throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            let company = context.make("Company", ["name": "Acme"])
            try context.save()
            let count = 4000
            try context.batchInsert("Person", (0..<count).map { ["name": "n\($0)", "company": company] })
            let progress = Progress(totalUnitCount: 1)
            // A thread of its own: those of queues may all be busy with other tests.
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 0.05)
                progress.cancel()
            }
            let format = "SUBQUERY(company.people, $p, $p.name CONTAINS[cd] 'x').@count == 0"
            let error = #expect(throws: CocoaError.self) {
                try under(progress) {
                    if isDeletion {
                        try context.batchDelete("Person", format)
                    } else {
                        try context.batchUpdate("Person", format, ["name": "z"])
                    }
                }
            }
            expect(error?.code, equals: .userCancelled)
            try expect(context.all("Person", "name BEGINSWITH 'n'").count, equals: count)
            // The connection is as good as before.
            try expect(context.batchUpdate("Person", "name == 'n1'", ["name": "z"]), equals: 1)
        }
    }
}
