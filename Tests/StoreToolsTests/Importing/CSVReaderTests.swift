// CSV that is read piece by piece.

import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite struct CSVReaderTests {
    private func records(_ text: String) throws -> [[String]] {
        let folder = try TemporaryFolder()
        let file = folder.file("rows.csv")
        try Data(text.utf8).write(to: file)
        let reader = try CSVReader(file)
        var rows: [[String]] = []
        while let record = try reader.next() {
            rows.append(
                record.cells.map {
                    if case .text(let text, let isQuoted) = $0.cell {
                        isQuoted ? "'\(text)'" : text
                    } else {
                        "?"
                    }
                })
        }
        return rows
    }

    /// Fields of many lengths, so that the ends of pieces fall anywhere: into letters of several bytes, before a line's end.
    @Test(arguments: ["\n", "\r\n", "\r"])
    func fieldsLieAcrossPieces(end: String) throws {
        var expected: [[String]] = []
        var text = "a,b\(end)"
        for number in 0..<3000 {
            let fields = [String(repeating: "é🙂", count: number % 40), "\(number)"]
            expected.append(fields)
            text += fields.joined(separator: ",") + end
        }
        #expect(text.utf8.count > 3 << 16)
        try expect(records(text), equals: expected)
    }

    @Test func aFieldMayBeLongerThanAPiece() throws {
        let long = String(repeating: "lang ü ", count: 40_000)
        try expect(records("a,b\n\(long),1\n2,\(long)"), equals: [[long, "1"], ["2", long]])
    }

    @Test func quotesAndEmptyFields() throws {
        let rows = try records("a,b,c\n\"x,\"\"y\"\"\nz\",,\"\"\n,\"\",q\"r\n")
        expect(rows, equals: [["'x,\"y\"\nz'", "", "''"], ["", "''", "q\"r"]])
    }

    @Test func failuresNameTheirLine() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("rows.csv")
        try (Data("a,b\n1,2\n3,\n4,".utf8) + Data([0xFF, 0x41]) + Data("\n5\n".utf8)).write(to: file)
        let reader = try CSVReader(file)
        try expect(reader.next()?.line, equals: 2)
        try expect(reader.next()?.line, equals: 3)
        #expect { try reader.next() } throws: { ($0 as? ImportFailure)?.line == 4 }
        #expect { try reader.next() } throws: { ($0 as? ImportFailure)?.line == 5 }
        #expect(try reader.next()?.line == nil)
    }
}
