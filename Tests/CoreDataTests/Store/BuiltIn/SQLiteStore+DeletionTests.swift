// Deletions of many rows by one save.

import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite struct SQLiteStoreDeletionTests {
    /// The context's notes by key, of which `count` were saved together.
    private func notes(_ count: Int, in stack: TestStack) throws -> [NSManagedObject] {
        for _ in 0..<count { _ = stack.context.make("Note") }
        try stack.context.save()
        return try stack.context.all("Note").sorted { $0.primaryKey < $1.primaryKey }
    }

    @Test func rowsWhoseKeysFollowEachOtherGoByOneStatement() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let notes = try notes(60, in: stack)
            let deleted = [0, 2] + Array(4..<34) + [40] + Array(42..<58)
            for place in deleted { stack.context.delete(notes[place]) }
            let deletions = try stack.statements { try stack.context.save() }.filter {
                $0.hasPrefix("DELETE")
            }
            let runs = deletions.filter { $0.contains(" BETWEEN ? AND ? AND IFNULL(Z_OPT, 0) = ?") }
            expect(runs.count, equals: 2)
            expect(deletions.count, equals: 5)
        }
        let left = try stack.another().run { try stack.another().all("Note").map(\.primaryKey).sorted() }
        expect(left, equals: [2, 4] + Array(35...40) + [42] + [59, 60])
    }

    @Test func aRowThatAnotherContextChangedIsTheOnlyConflict() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            try expect(conflicts(stack) { $0.setValue("changed", forKey: "text") }, equals: [3, 30])
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try stack.context.save()
            try expect(stack.another().run { try stack.another().all("Note").count }, equals: 0)
        }
    }

    @Test func rowsThatAreGoneAreConflicts() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            try expect(conflicts(stack) { $0.managedObjectContext?.delete($0) }, equals: [3, 30])
        }
    }

    /// The keys of the notes that a save of the context finds in conflict, which deletes all 30 of them while another context does
    /// something to two.
    private func conflicts(
        _ stack: TestStack, with change: (NSManagedObject) -> Void
    ) throws -> [Int64]? {
        let notes = try notes(30, in: stack)
        for note in notes { _ = note.value(forKey: "text") }
        let other = stack.another()
        try other.run { () throws in
            try other.all("Note").filter { [3, 30].contains($0.primaryKey) }.forEach(change)
            try other.save()
        }
        for note in notes { stack.context.delete(note) }
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        return conflicts?.map(\.sourceObject.primaryKey).sorted()
    }
}
