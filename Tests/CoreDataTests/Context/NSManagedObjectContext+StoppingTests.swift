// Reads that are given up while SQLite is at them.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct StoppedReadTests {
    @Test func `A read is given up amid its statement, and the next one is whole`() throws {
        let stack = try TestStack(type: NSSQLiteStoreType)
        let context = stack.context
        try context.run { () throws in
            for number in 0..<3000 { _ = context.make("Person", ["name": "n\(number)"]) }
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "name CONTAINS[cd] 'N'")
            let asked = Atomic(0)
            let error = #expect(throws: CocoaError.self) {
                try context.reading(stoppedWhen: { asked.add(1, ordering: .relaxed).oldValue > 0 }) {
                    try context.count(for: request)
                }
            }
            expect(error?.code, equals: .userCancelled)
            #expect(asked.load(ordering: .relaxed) > 1)
            try expect(
                context.reading(stoppedWhen: { false }) { try context.count(for: request) }, equals: 3000)
            try expect(context.count(for: request), equals: 3000)
        }
    }

    @Test func `Nothing is read once it is to stop, and other errors stay what they are`() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let context = stack.context
        try context.run { () throws in
            let error = #expect(throws: CocoaError.self) {
                try context.reading(stoppedWhen: { true }) { Issue.record("it was read") }
            }
            expect(error?.code, equals: .userCancelled)
            let other = #expect(throws: CocoaError.self) {
                try context.reading(stoppedWhen: { false }) { throw CocoaError(.fileNoSuchFile) }
            }
            expect(other?.code, equals: .fileNoSuchFile)
        }
    }
}
