import CoreDataSQL
import CoreDataSchema
import CoreDataSQLiteEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ExternalFilesTests {
    private let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    private func names(_ engine: SQLiteEngine) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: engine.externalFolder.path)) ?? []
    }

    private func insertLarge(_ engine: SQLiteEngine, _ sample: SampleStore) throws {
        try engine.transaction {
            try engine.insert(
                [sample.row(["photo": .data(large)])], primaryKeys: [1], encoder: sample.encoder())
        }
    }

    @Test func largeValueIsAFile() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try insertLarge(engine, sample)
        let name = try #require(names(engine).first)
        #expect(engine.externalFolder.path.hasSuffix("/.Sample_SUPPORT/_EXTERNAL_DATA"))
        try expect(Data(contentsOf: engine.externalFolder.appendingPathComponent(name)), equals: large)
        try expect(
            engine.fetchValues(SQLStatement("SELECT ZPHOTO FROM ZPERSON")),
            equals: [[.blob(Data([2]) + Data(name.utf8) + Data([0]))]])
        try expect(sample.values(engine)[0]["photo"], equals: .data(large))
    }

    @Test func fileGoesWithItsRow() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try insertLarge(engine, sample)
        _ = try engine.transaction {
            try engine.delete(primaryKeys: [1], versions: [1], encoder: sample.encoder())
        }
        #expect(names(engine).isEmpty)
    }

    @Test func fileGoesWhenItsValueIsReplaced() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try insertLarge(engine, sample)
        let first = names(engine)
        let encoder = try sample.encoder()
        let photo = try #require(encoder.layout.slot(named: "photo")).index
        let other = try sample.row(["photo": .data(large + large)])
        let update = RowUpdate(primaryKey: 1, row: other, slots: SlotSet([photo]), version: 1)
        #expect(throws: CancellationError.self) {
            try engine.transaction {
                _ = try engine.update([update], encoder: encoder)
                throw CancellationError()
            }
        }
        expect(names(engine), equals: first)
        try expect(sample.values(engine)[0]["photo"], equals: .data(large))
        _ = try engine.transaction { try engine.update([update], encoder: encoder) }
        #expect(names(engine).count == 1 && names(engine) != first)
        try expect(sample.values(engine)[0]["photo"], equals: .data(large + large))
    }

    @Test func updateThatFindsAnotherVersionLeavesTheFile() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try insertLarge(engine, sample)
        let first = names(engine)
        let encoder = try sample.encoder()
        let photo = try #require(encoder.layout.slot(named: "photo")).index
        let other = try sample.row(["photo": .data(large + large)])
        let update = RowUpdate(primaryKey: 1, row: other, slots: SlotSet([photo]), version: 9)
        try expect(engine.transaction { try engine.update([update], encoder: encoder) }, equals: [0])
        try expect(
            engine.transaction { try engine.delete(primaryKeys: [1], versions: [9], encoder: encoder) },
            equals: [0])
        #expect(Set(names(engine)).isSuperset(of: first))
        try expect(sample.values(engine)[0]["photo"], equals: .data(large))
    }

    @Test func missingFileIsAnError() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try insertLarge(engine, sample)
        let name = try #require(names(engine).first)
        let content = try engine.files.read(name)
        #expect(content.count > 128 * 1024)
        try FileManager.default.removeItem(at: engine.externalFolder)
        // The row is read all the same: the file is when it is asked for.
        try expect(sample.values(engine)[0]["photo"], equals: .null)
        #expect {
            try engine.files.read(name)
        } throws: { error in
            (error as? EngineFailure)?.kind == .external(ENOENT)
                && (error as? EngineFailure)?.path.hasSuffix(name) == true
        }
    }

    /// A file that can't be read gives another error than a missing one: here a folder is in its place.
    @Test func unreadableFileIsAnErrorAndNeverEmpty() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try insertLarge(engine, sample)
        let name = try #require(names(engine).first)
        let file = engine.externalFolder.appendingPathComponent(name)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect {
            try engine.files.read(name)
        } throws: { ($0 as? EngineFailure)?.kind == .external(EISDIR) }
        try FileManager.default.removeItem(at: file)
        try Data().write(to: file)
        #expect(try engine.files.read(name).isEmpty)
    }

    @Test(
        arguments: [
            ("x'01'", Data()), ("x'0102'", Data([2])), ("x'0203'", Data([2, 3])), ("x'FF'", Data([255])),
            ("x''", Data()),
            ("x'02' || '../../../../../../../../../../etc/passwd' || x'00'", nil),
        ] as [(String, Data?)])
    func otherCellsAreTolerated(literal: String, expected: Data?) throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try engine.execute(
            SQLStatement("INSERT INTO ZPERSON (Z_PK, Z_ENT, ZPHOTO) VALUES (1, 1, \(literal))"))
        let value = try sample.values(engine)[0]["photo"]
        if let expected {
            expect(value, equals: .data(expected))
        } else if case .data(let bytes)? = value {
            expect(bytes.first, equals: 2)
        }
    }
}
