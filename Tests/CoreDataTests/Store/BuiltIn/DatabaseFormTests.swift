// Stores whose database has another form than the one that new stores have: other journals, pages, encodings, and files
// that somebody else encrypted or compressed.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DatabaseFormTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: A store with rows and links

    private static func model(isNew: Bool = false) -> NSManagedObjectModel {
        let song = NSEntityDescription(
            "Song",
            [
                NSAttributeDescription("title", .string),
                NSAttributeDescription("length", isNew ? .double : .integer32),
                NSAttributeDescription("cover", .binaryData), NSAttributeDescription("price", .decimal),
            ])
        let list = NSEntityDescription("List", [NSAttributeDescription("name", .string)])
        NSRelationshipDescription.connect(list, "songs", .ordered, song, "lists", .many)
        song.indexes = [
            NSFetchIndexDescription(
                name: "byTitle",
                elements: [
                    NSFetchIndexElementDescription(
                        property: song.attributesByName["title"] ?? NSAttributeDescription(),
                        collationType: .binary)
                ])
        ]
        if isNew { song.properties.append(NSAttributeDescription("mark", .string)) }
        let model = NSManagedObjectModel()
        model.entities = [song, list]
        return model
    }

    private func fill() throws {
        let opened = try OpenStore(url, Self.model())
        let list = opened.context.make("List", ["name": "Größe 📚"])
        let songs = (0..<40).map { number in
            opened.context.make(
                "Song",
                [
                    "title": "Lied \(number) äöü €", "length": number * 7,
                    "cover": Data(repeating: UInt8(number), count: number * 50),
                    "price": Decimal(number) / 4,
                ])
        }
        list.setValue(NSOrderedSet(array: songs.reversed()), forKey: "songs")
        try #require(opened.save() == [])
        try opened.close()
    }

    /// Reads, searches, changes, migrates and checks the store.
    private func use() throws {
        let opened = try OpenStore(url, Self.model())
        try check(opened, count: 40)
        _ = opened.context.make("Song", ["title": "neu ß", "length": 1000])
        try #require(opened.save() == [])
        try check(opened, count: 41)
        try opened.close()
        let migrated = try OpenStore(url, Self.model(isNew: true), options: .migrating)
        try check(migrated, count: 41)
        try migrated.close()
        try expect(RawDatabase(url).rows("PRAGMA integrity_check"), equals: [["ok"]])
    }

    private func check(_ opened: OpenStore, count: Int) throws {
        try expect(opened.coordinator.verify(opened.store), equals: [])
        let list = try #require(try opened.context.all("List").first)
        expect(list.value(forKey: "name") as? String, equals: "Größe 📚")
        let songs = try #require(list.value(forKey: "songs") as? NSOrderedSet).compactMap {
            ($0 as? NSManagedObject)?.value(forKey: "title") as? String
        }
        expect(songs, equals: (0..<40).reversed().map { "Lied \($0) äöü €" })
        try expect(opened.context.all("Song").count, equals: count)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
        request.predicate = NSPredicate(format: "title CONTAINS[cd] %@ AND length == 77", "LIED 11 AOU")
        let found = try opened.context.fetch(request)
        expect(found.map { $0.value(forKey: "cover") as? Data }, equals: [Data(repeating: 11, count: 550)])
        expect(
            found.map { $0.value(forKey: "price") as? NSDecimalNumber },
            equals: [NSDecimalNumber(string: "2.75")])
        request.predicate = NSPredicate(format: "title == %@", "Lied 5 äöü €")
        try expect(opened.context.fetch(request).count, equals: 1)
    }

    // MARK: Tests

    @Test(arguments: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])
    func otherPageSizes(size: Int) throws {
        try fill()
        let raw = try RawDatabase(url)
        try raw.run("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(size); VACUUM")
        try expect(raw.number("PRAGMA page_size"), equals: size)
        try use()
        try expect(RawDatabase(url).number("PRAGMA page_size"), equals: size)
    }

    @Test(arguments: [0, 1, 2])
    func otherKindsOfVacuum(mode: Int) throws {
        try fill()
        // A file of a log doesn't change that.
        try RawDatabase(url).run("PRAGMA journal_mode = DELETE")
        try RawDatabase(url).run("PRAGMA auto_vacuum = \(mode); VACUUM; PRAGMA journal_mode = WAL")
        try expect(RawDatabase(url).number("PRAGMA auto_vacuum"), equals: mode)
        try use()
        try expect(RawDatabase(url).number("PRAGMA auto_vacuum"), equals: mode)
    }

    @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST"])
    func rollbackJournals(mode: String) throws {
        try fill()
        let raw = try RawDatabase(url)
        try expect(raw.rows("PRAGMA journal_mode = \(mode)"), equals: [[mode.lowercased()]])
        try raw.run("UPDATE ZSONG SET ZLENGTH = ZLENGTH")
        try use()
    }

    /// The files that a program leaves which ends without closing its store: most rows are in the log.
    @Test(arguments: [true, false])
    func aLogThatWasNeverTakenOver(keepsIndex: Bool) throws {
        try fill()
        let raw = try RawDatabase(url)
        try raw.run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        try raw.run("UPDATE ZSONG SET ZTITLE = 'x', ZLENGTH = 0 WHERE Z_PK > 0")
        try raw.run("UPDATE ZSONG SET ZLENGTH = 7 * (Z_PK - 1), ZTITLE = 'Lied ' || (Z_PK - 1) || ' äöü €'")
        let titles = try raw.rows("SELECT ZTITLE FROM ZSONG ORDER BY Z_PK").compactMap { $0[0] }
        let left = try TemporaryFolder()
        for suffix in ["", "-wal"] + (keepsIndex ? ["-shm"] : []) {
            try FileManager.default.copyItem(
                atPath: url.path + suffix, toPath: left.file("Left.sqlite").path + suffix)
        }
        let opened = try OpenStore(left.file("Left.sqlite"), Self.model())
        let found = try opened.context.all("Song").compactMap { $0.value(forKey: "title") as? String }
        expect(found.sorted(), equals: titles.sorted())
        try expect(opened.coordinator.verify(opened.store), equals: [])
        try opened.close()
        let migrated = try OpenStore(
            left.file("Left.sqlite"), Self.model(isNew: true), options: .migrating)
        try expect(migrated.context.all("Song").count, equals: 40)
        try migrated.close()
    }

    /// A database keeps the encoding that it was made with, so all is written anew.
    @Test(arguments: ["UTF-16le", "UTF-16be"])
    func otherEncodings(encoding: String) throws {
        try fill()
        let source = try RawDatabase(url)
        let copy = folder.file("Copy.sqlite")
        let target = try RawDatabase(copy)
        try target.run("PRAGMA encoding = '\(encoding)'")
        let parts = try source.rows("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        for part in parts where part[0] == "table" {
            try target.run(part[2] ?? "")
            let name = part[1] ?? ""
            let columns = try source.rows("SELECT name FROM pragma_table_info('\(name)')").compactMap {
                $0[0]
            }
            let list = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
            for row in try source.rows("SELECT \(list) FROM \"\(name)\"") {
                try target.run("INSERT INTO \"\(name)\" VALUES (\(row[0] ?? ""))")
            }
        }
        for part in parts where part[0] != "table" { try target.run(part[2] ?? "") }
        try expect(target.rows("PRAGMA encoding"), equals: [[encoding]])
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
        try FileManager.default.moveItem(at: copy, to: url)
        try use()
        try expect(RawDatabase(url).rows("PRAGMA encoding"), equals: [[encoding]])
    }

    // MARK: Files that are no databases any more

    private func reason(_ bytes: Data) throws -> String {
        try bytes.write(to: url)
        let error = try #require(throws: NSError.self) { _ = try OpenStore(url, Self.model()) }
        expect(error.code, equals: NSFileReadCorruptFileError)
        try expect(Data(contentsOf: url), equals: bytes)
        return error.localizedFailureReason ?? ""
    }

    @Test func encryptedFilesSayWhatTheyAre() throws {
        var generator = SeededGenerator(seed: 5)
        let bytes = Data((0..<8192).map { _ in UInt8.random(in: 0...255, using: &generator) })
        #expect(try reason(bytes).contains("It looks encrypted"))
        #expect(try !reason(Data("Dear reader, ".utf8) + Data(repeating: 46, count: 8179)).contains("looks"))
    }

    /// SQLCipher can leave as much plain as tells systems that the file is a database.
    @Test func encryptedFilesWithAPlainStartSayWhatTheyAre() throws {
        try fill()
        let plain = try Data(contentsOf: url).prefix(32)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        var generator = SeededGenerator(seed: 6)
        let rest = Data((0..<8160).map { _ in UInt8.random(in: 0...255, using: &generator) })
        #expect(try reason(plain + rest).contains("looks encrypted behind its first bytes"))
    }

    @Test(
        arguments: [
            ("gzip", [0x1F, 0x8B, 8, 0]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("zip", [0x50, 0x4B, 3, 4]),
            ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("bzip2", [0x42, 0x5A, 0x68, 0x39]),
            ("lz4", [4, 0x22, 0x4D, 0x18]), ("lzfse", [0x62, 0x76, 0x78, 0x32]),
        ] as [(String, [UInt8])])
    func compressedFilesSayWhatTheyAre(name: String, start: [UInt8]) throws {
        let bytes = Data(start) + Data(repeating: 7, count: 4000)
        #expect(try reason(bytes).contains("It is compressed (\(name))"))
    }
}
