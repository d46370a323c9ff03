// The marks by which saves are found again.

import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

struct SaveMarksTests {
    private let marks = SaveMarks(in: "coredata_books")
    private let writer = UUID(uuidString: "6F0E4D6C-7D57-4F2B-9E5C-0A3C1B2D4E5F") ?? UUID()

    @Test func aSaveWritesItsNumberOverTheOneBefore() {
        let statement = marks.mark(7, by: writer)
        expect(
            statement.text,
            equals: """
                INSERT INTO "coredata_books".last_save AS m (writer, number, time) VALUES ($1::uuid, $2::bigint, now()) \
                ON CONFLICT (writer) DO UPDATE SET number = EXCLUDED.number, time = EXCLUDED.time \
                RETURNING pg_current_xact_id()::text::bigint
                """)
        expect(statement.bindings, equals: [.text(writer.uuidString), .integer(7)])
    }

    /// The row is written, so that whoever asks waits for a transaction that isn't ended, and its number stays.
    @Test func askingWritesTheRowAndKeepsItsNumber() {
        let statement = marks.last(of: writer)
        expect(
            statement.text,
            equals: """
                INSERT INTO "coredata_books".last_save AS m (writer, number, time) VALUES ($1::uuid, 0, now()) \
                ON CONFLICT (writer) DO UPDATE SET time = m.time RETURNING number
                """)
        expect(statement.bindings, equals: [.text(writer.uuidString)])
    }
}
