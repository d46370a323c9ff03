// A store of two small entity trees that the engine's tests write and read.

import CoreDataSQL
import CoreDataSchema
import CoreDataSQLiteEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation

/// Model, layout and file of the tests.
struct SampleStore {
    let folder: TemporaryFolder
    let layouts: [String: RowLayout]
    let store: StoreLayout
    var path: String { folder.file("Sample.sqlite").path }

    init() throws {
        folder = try TemporaryFolder()
        var person = EntitySchema(name: "Person", properties: Self.attributes)
        person.uniquenessConstraints = [["text"]]
        var boss = EntitySchema(
            name: "Boss", properties: [PropertySchema(name: "rank", kind: .attribute(.init(.integer32)))])
        boss.superentityName = "Person"
        let index = ModelIndex(ModelSchema(entities: [person, boss]))
        layouts = Dictionary(
            uniqueKeysWithValues: index.entityNames.compactMap { index.entity($0) }.map {
                ($0.name, RowLayout(entity: $0, in: index))
            })
        var columns: [String: PropertyColumn] = [:]
        for property in Self.attributes {
            if let type = property.attribute?.type {
                columns[property.name] = .attribute(column: "Z" + property.name.uppercased(), type)
            }
        }
        columns["friend"] = .toOne(
            column: "ZFRIEND", entityColumn: "Z1_FRIEND", orderColumn: nil, destination: "Person")
        let bossColumns = columns.merging(["rank": .attribute(column: "ZRANK", .integer32)]) { old, _ in old }
        func table(_ name: String, _ number: Int, _ below: [Int], _ columns: [String: PropertyColumn])
            -> EntityTable
        {
            EntityTable(
                entityName: name, number: number, superNumber: number - 1, rootName: "Person",
                table: "ZPERSON",
                isPolymorphic: true, subtreeNumbers: below, columns: columns)
        }
        store = StoreLayout(tables: [
            "Person": table("Person", 1, [1, 2], columns), "Boss": table("Boss", 2, [2], bossColumns),
        ])
    }

    private static let attributes: [PropertySchema] = {
        var external = AttributeTraits(.binaryData)
        external.allowsExternalBinaryDataStorage = true
        let types: [(String, AttributeTraits)] = [
            ("small", .init(.integer16)), ("medium", .init(.integer32)), ("large", .init(.integer64)),
            ("flag", .init(.boolean)), ("ratio", .init(.double)), ("born", .init(.date)),
            ("text", .init(.string)),
            ("site", .init(.uri)), ("token", .init(.uuid)), ("bytes", .init(.binaryData)),
            ("price", .init(.decimal)),
            ("photo", external),
        ]
        let friend = PropertySchema(
            name: "friend", kind: .relationship(.init(destinationEntityName: "Person", maxCount: 1)))
        return types.map { PropertySchema(name: $0, kind: .attribute($1)) } + [friend]
    }()

    static let statements: [SQLStatement] = [
        """
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSMALL INTEGER, ZMEDIUM INTEGER, \
        ZLARGE INTEGER, ZFLAG INTEGER, ZRANK INTEGER, ZFRIEND INTEGER, Z1_FRIEND INTEGER, ZRATIO FLOAT, ZBORN TIMESTAMP, \
        ZPRICE DECIMAL, ZTEXT VARCHAR, ZSITE VARCHAR, ZTOKEN BLOB, ZBYTES BLOB, ZPHOTO BLOB)
        """,
        "CREATE UNIQUE INDEX Z_Person_UNIQUE_text ON ZPERSON (ZTEXT COLLATE BINARY ASC)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, 0), (2, 'Boss', 1, 0)",
        "INSERT INTO Z_METADATA VALUES (1, 'U-1', x'00')",
    ].map { SQLStatement($0) }

    /// Makes the file and opens it.
    func create() throws -> SQLiteEngine {
        let engine = try SQLiteEngine(path: path, OpeningOptions(.create))
        try engine.create(Self.statements)
        return engine
    }

    func decoder(_ entity: String = "Person", properties: Set<String>? = nil) throws -> RowDecoder {
        RowDecoder(entity: try table(entity), in: store, layouts: layouts, properties: properties)
    }

    func encoder(_ entity: String = "Person") throws -> RowEncoder {
        RowEncoder(entity: try table(entity), layout: try layout(entity), in: store, layouts: layouts)
    }

    func table(_ entity: String) throws -> EntityTable {
        guard let table = store[entity] else { throw CocoaError(.featureUnsupported) }
        return table
    }

    func layout(_ entity: String) throws -> RowLayout {
        guard let layout = layouts[entity] else { throw CocoaError(.featureUnsupported) }
        return layout
    }

    /// An owned row with these values. Tests let it leak.
    func row(_ values: [String: Value], entity: String = "Person") throws -> RowPointer {
        let layout = try layout(entity)
        let words = OwnedRow.empty(layout)
        let row = RowPointer(words, slab: nil)
        for (name, value) in values {
            guard let slot = layout.slot(named: name) else { throw CocoaError(.featureUnsupported) }
            switch value {
            case .null: continue
            case .integer(let number): words[slot.word] = UInt64(bitPattern: number)
            case .bool(let flag): words[slot.word] = flag ? 1 : 0
            case .double(let number): words[slot.word] = number.bitPattern
            case .date(let date): words[slot.word] = date.timeIntervalSinceReferenceDate.bitPattern
            default: OwnedRow.set(CellBox(value), slot: slot, in: words)
            }
            row.setNull(slot.index, isNull: false)
        }
        return row
    }

    /// All rows of an entity as values by name, in order of key.
    func values(_ engine: SQLiteEngine, entity: String = "Person") throws -> [[String: Value]] {
        let decoder = try decoder(entity)
        let byIndex = Dictionary(uniqueKeysWithValues: layouts.values.map { (Int32($0.entityIndex), $0) })
        var rows: [[String: Value]] = []
        try engine.fetchRows(SQLStatement(decoder.selection + " ORDER BY Z_PK"), decoder: decoder) { slab in
            for number in 0..<slab.count {
                let pointer = RowPointer(slab.row(number), slab: slab)
                let slots = byIndex[slab.entities[number]]?.slots ?? []
                rows.append(Dictionary(uniqueKeysWithValues: slots.map { ($0.name, pointer.value($0)) }))
            }
        }
        return rows
    }
}
