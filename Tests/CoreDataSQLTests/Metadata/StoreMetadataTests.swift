import CoreDataSQL
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

struct StoreMetadataTests {
    private let hash = Data(repeating: 7, count: 32)

    private var fresh: StoreMetadata {
        StoreMetadata(
            uuid: "8E430534-5F59-49DB-9479-C3290AE2713E", hashes: ["B": hash, "A": hash], digest: "digest",
            checksum: "checksum", identifiers: ["1"])
    }

    @Test func aNewStoresKeys() throws {
        expect(fresh[StoreMetadata.Key.type], equals: .string("SQLite"))
        expect(fresh[StoreMetadata.Key.autoVacuumLevel], equals: .string("2"))
        expect(fresh[StoreMetadata.Key.hashesVersion], equals: .integer(3))
        expect(fresh.frameworkVersion, equals: 1344)
        expect(fresh.versionIdentifiers, equals: ["1"])
        try expect(fresh.versionHashes(), equals: ["A": hash, "B": hash])
        #expect(fresh[StoreMetadata.Key.uuid] == nil)
    }

    @Test func survivesTheFile() throws {
        var metadata = fresh
        metadata["com.example.anchor"] = .data(Data([0, 1, 255]))
        metadata["count"] = .integer(-3)
        let read = try StoreMetadata(uuid: metadata.uuid, propertyList: metadata.propertyList())
        expect(Set(read.entries), equals: Set(metadata.entries))
    }

    @Test func anAbsentPropertyListIsEmpty() throws {
        #expect(try StoreMetadata(uuid: "u", propertyList: nil).entries.isEmpty)
        #expect(try StoreMetadata(uuid: "u", propertyList: Data()).versionHashes().isEmpty)
    }

    @Test func hostileContentThrows() {
        let lists: [PropertyList] = [
            .array([]), .dictionary([.init(StoreMetadata.Key.hashes, value: .string("x"))]),
            .dictionary([
                .init(StoreMetadata.Key.hashes, value: .dictionary([.init("A", value: .data(Data([1])))]))
            ]),
        ]
        for list in lists {
            #expect(throws: MetadataFailure.self) {
                try StoreMetadata(uuid: "u", propertyList: BinaryPropertyListWriter.data(for: list))
            }
        }
        for bytes in [Data("bplist00".utf8), Data("<plist/>".utf8), Data(repeating: 255, count: 80)] {
            #expect(throws: MetadataFailure.self) { try StoreMetadata(uuid: "u", propertyList: bytes) }
        }
        #expect(throws: MetadataFailure.self) { try StoreMetadata(uuid: nil, propertyList: nil) }
    }

    @Test func truncatedContentThrowsAndNeverTraps() {
        let whole = fresh.propertyList()
        for length in 1..<whole.count {
            #expect(throws: MetadataFailure.self) {
                try StoreMetadata(uuid: "u", propertyList: whole.prefix(length))
            }
        }
    }

    @Test func clientEntriesDoNotTouchTheFilesOwn() {
        var metadata = fresh
        metadata["old"] = .string("gone")
        metadata.setClientEntries([
            .init("new", value: .integer(1)), .init(StoreMetadata.Key.uuid, value: .string("other")),
            .init(StoreMetadata.Key.hashes, value: .string("broken")),
            .init(StoreMetadata.Key.identifiers, value: .array([.string("9")])),
        ])
        #expect(metadata["new"] == .integer(1) && metadata["old"] == nil)
        #expect(metadata[StoreMetadata.Key.uuid] == nil && metadata.uuid == fresh.uuid)
        expect(metadata[StoreMetadata.Key.hashes], equals: fresh[StoreMetadata.Key.hashes])
        expect(metadata.versionIdentifiers, equals: ["9"])
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)),
        arguments: SharedFiles.paths(under: "stores", suffix: ".sqlite"))
    func realStoresSurviveReadAndWrite(path: String) throws {
        let database = try ScratchDatabase(copyOf: SharedFiles.url(path))
        let row = try #require(try database.rows(StoreMetadata.query).first)
        let metadata = try StoreMetadata(uuid: row[0].text, propertyList: row[1].blob)
        expect(metadata[StoreMetadata.Key.type], equals: .string("SQLite"))
        #expect(try !metadata.versionHashes().isEmpty)
        try database.run([metadata.update()])
        let again = try #require(try database.rows(StoreMetadata.query).first)
        let reread = try StoreMetadata(uuid: again[0].text, propertyList: again[1].blob)
        expect(reread, equals: metadata)
        let blob = try #require(again[1].blob)
        let foreign = try PropertyListSerialization.propertyList(from: blob, format: nil)
        let dictionary = try #require(foreign as? [String: Any])
        expect(Set(dictionary.keys), equals: Set(metadata.entries.map(\.key)))
    }
}
