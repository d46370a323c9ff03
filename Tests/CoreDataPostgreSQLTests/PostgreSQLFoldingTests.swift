// Case and marks of texts, folded by a server and by Foundation.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLFoldingTests {
    /// Blocks that have letters with case, marks, and characters that decompose: most of Latin, Greek, Cyrillic and Hebrew, with
    /// COREDATA_LONG_TESTS=1 all.
    private static let blocks: [ClosedRange<UInt32>] =
        rounds(0, long: 1) == 0
        ? [0x1...0x5FF, 0x900...0x97F, 0x1F00...0x22FF, 0xFB00...0xFB1F]
        : [
            0x1...0x33FF, 0xA000...0xABFF, 0xF900...0xFFFD, 0x10000...0x11FFF, 0x16E00...0x16EFF,
            0x1D000...0x1D2FF, 0x1E000...0x1E9FF,
        ]

    private static func folded(_ text: String, _ options: String.CompareOptions) -> String {
        text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }

    /// Letters whose case later releases of Unicode than the server's know.
    private static func isNew(_ scalar: Unicode.Scalar) -> Bool {
        let others = scalar.properties.lowercaseMapping + scalar.properties.uppercaseMapping
        return others.unicodeScalars.contains { ($0.properties.age ?? (99, 0)).major >= 16 }
    }

    /// Marks at the beginning of a text belong to no letter, and signs that decompose into marks alone are marks only then.
    private static func isUsual(_ scalar: Unicode.Scalar, before: String) -> Bool {
        let parts = String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars
        let startsWithMark =
            parts.first.map {
                $0.properties.isGraphemeExtend || marks.contains($0.properties.generalCategory)
            } ?? false
        return !startsWithMark || !before.isEmpty && parts.count == 1
    }

    private static let marks: [Unicode.GeneralCategory] = [.nonspacingMark, .spacingMark, .enclosingMark]

    /// Asks a server for every character, with something before and behind it.
    private func differences(
        _ call: String, before: String = "", behind: String = "",
        _ expected: (String) -> String
    ) throws -> [String] {
        let shelf = try Shelf()
        _ = try shelf.context()
        let connection = try shelf.connection()
        var different: [String] = []
        for block in Self.blocks {
            let result = try connection.run(
                """
                SELECT i, \(call.replacing("$1", with: "t.c")) FROM (SELECT CAST(i AS bigint) AS i, \
                '\(before)' || chr(CAST(i AS integer)) || '\(behind)' AS c \
                FROM generate_series(\(block.lowerBound), \(block.upperBound)) AS i) AS t
                """)
            for row in 0..<result.rowCount {
                let code = UInt32(result.integer(row, column: 0))
                guard let scalar = Unicode.Scalar(code), Self.isUsual(scalar, before: before) else {
                    continue
                }
                let wanted = expected(before + String(Character(scalar)) + behind)
                if !result.bytes(row, column: 1).elementsEqual(wanted.utf8) {
                    different.append(String(code, radix: 16))
                }
            }
        }
        return different
    }

    @Test func caseIsFoldedAsInMemory() throws {
        let found = try differences("coredata.fold_case($1)") { Self.folded($0, .caseInsensitive) }
        expect(found, equals: [])
    }

    @Test(arguments: ["", "\u{301}", "\u{5B8}"]) func marksAreDroppedAsInMemory(mark: String) throws {
        let found = try differences("coredata.fold_marks($1)", behind: mark) {
            Self.folded($0, .diacriticInsensitive)
        }
        expect(found, equals: [])
    }

    @Test(arguments: ["a", "Щ", "\u{5D0}"]) func everyMarkIsOneBehindTheSameLetters(letter: String) throws {
        let found = try differences("coredata.fold($1)", before: letter, behind: "z") {
            Self.folded($0, [.caseInsensitive, .diacriticInsensitive])
        }
        expect(found, equals: [])
    }

    @Test(arguments: ["", "x"]) func canonicalTextsAreThoseOfMemory(before: String) throws {
        let found = try differences("coredata.canonical($1)", before: before) {
            $0.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        expect(found, equals: [])
    }

    @Test(arguments: ["", "Α"]) func lettersAreMadeSmallAndLargeAsInMemory(before: String) throws {
        let letters: [(call: String, expected: (String) -> String)] = [
            ("coredata.lowercased($1)", { $0.lowercased() }), ("coredata.uppercase($1)", { $0.uppercased() }),
        ]
        for (call, expected) in letters {
            let found = try differences(call, before: before, expected).filter { code in
                UInt32(code, radix: 16).flatMap(Unicode.Scalar.init).map { !Self.isNew($0) } ?? true
            }
            expect(found, equals: [])
        }
    }

    /// The words are found by what they are equal to, and a store whose derived values are such can be compared.
    @Test(arguments: [
        ("name ==[c] 'ΟΔΥΣΣΕΥΣ'", ["οδυσσευς"]), ("name ==[c] 'strasse'", ["Straße"]),
        ("name CONTAINS[cd] 'fi'", ["ﬁn", "Fiancé"]), ("name BEGINSWITH[c] 'ﬁn'", ["ﬁn"]),
        ("name ==[cd] '5 μm'", ["5 µm"]), ("name ==[d] 'Fiance'", ["Fiancé"]),
        ("lowercase:(name) == 'οδυσσεύσ'", ["ΟΔΥΣΣΕΎΣ"]),
    ]) func predicatesFindTheSameWords(format: String, names: [String]) throws {
        let words = ["οδυσσευς", "Straße", "ﬁn", "Fiancé", "5 µm", "ΟΔΥΣΣΕΎΣ"]
        let context = try Shelf().context()
        let found = try context.performAndWait {
            for word in words {
                NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                    .setValue(word, forKey: "name")
            }
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = NSPredicate(format: format)
            return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        }
        expect(Set(found), equals: Set(names))
        let memory = NSPredicate(format: format)
        expect(Set(words.filter { memory.evaluate(with: ["name": $0]) }), equals: Set(names))
    }
}
