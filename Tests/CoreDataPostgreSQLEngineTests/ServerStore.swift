// A store of two small entity trees on a server, in a schema of its own.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation

/// Model, layout and connection of the tests.
struct ServerStore {
    let connection: ServerConnection
    let address: ServerAddress
    let catalogue: PostgreSQLCatalogue
    let index: ModelIndex
    let layouts: [String: RowLayout]
    let store: StoreLayout
    let statements: [SQLStatement]

    init() throws {
        let schema = "e_" + UUID().uuidString.prefix(8).lowercased()
        address = try ServerAddress(parsing: PostgreSQLServer.shared().address()).with(schema: schema)
        connection = try ServerConnection(address)
        var person = EntitySchema(name: "Person", properties: Self.properties)
        person.uniquenessConstraints = [["text"]]
        var boss = EntitySchema(
            name: "Boss", properties: [PropertySchema(name: "rank", kind: .attribute(.init(.integer32)))])
        boss.superentityName = "Person"
        let index = ModelIndex(ModelSchema(entities: [person, boss]))
        self.index = index
        layouts = Dictionary(
            uniqueKeysWithValues: index.entityNames.compactMap { index.entity($0) }.map {
                ($0.name, RowLayout(entity: $0, in: index))
            })
        let blueprint = try LayoutBuilder.blueprint(for: index, form: .postgreSQL)
        store = blueprint.layout()
        catalogue = PostgreSQLCatalogue(schemaOfTables: schema)
        statements = try PostgreSQLSchema(blueprint, schema: schema).statements(
            uuid: "U-1", propertyList: Data([1, 2]), model: nil, checksum: "C")
    }

    private static let properties: [PropertySchema] = {
        var external = AttributeTraits(.binaryData)
        external.allowsExternalBinaryDataStorage = true
        let types: [(String, AttributeTraits)] = [
            ("small", .init(.integer16)), ("medium", .init(.integer32)), ("large", .init(.integer64)),
            ("flag", .init(.boolean)), ("ratio", .init(.double)), ("born", .init(.date)),
            ("text", .init(.string)), ("site", .init(.uri)), ("token", .init(.uuid)),
            ("bytes", .init(.binaryData)),
            ("price", .init(.decimal)), ("photo", external),
        ]
        let friend = PropertySchema(
            name: "friend", kind: .relationship(.init(destinationEntityName: "Person", maxCount: 1)))
        return types.map { PropertySchema(name: $0, kind: .attribute($1)) } + [friend]
    }()

    /// The store with its tables made.
    static func made() throws -> ServerStore {
        let store = try ServerStore()
        _ = try store.connection.create(store.catalogue, statements: store.statements)
        return store
    }

    func table(_ entity: String = "Person") throws -> EntityTable {
        guard let table = store[entity] else { throw CocoaError(.featureUnsupported) }
        return table
    }

    func decoder(_ entity: String = "Person") throws -> SlabDecoder {
        SlabDecoder(entity: try table(entity), in: store, layouts: layouts)
    }

    func encoder(_ entity: String = "Person") throws -> SlabEncoder {
        guard let layout = layouts[entity] else { throw CocoaError(.featureUnsupported) }
        return SlabEncoder(entity: try table(entity), layout: layout, in: store, layouts: layouts)
    }

    /// An owned row with these values. Tests let it leak.
    func row(_ values: [String: Value], entity: String = "Person") throws -> RowPointer {
        guard let layout = layouts[entity] else { throw CocoaError(.featureUnsupported) }
        let words = OwnedRow.empty(layout)
        for (name, value) in values {
            guard let slot = layout.slot(named: name) else { throw CocoaError(.featureUnsupported) }
            if slot.isRelationship, case .integer(let key) = value {
                SlotValue.setWord(UInt64(bitPattern: key), slot: slot, in: words)
                words[slot.word + 1] = 0
            } else {
                SlotValue.store(value, slot: slot, in: words)
            }
        }
        return RowPointer(words, slab: nil)
    }

    /// Rows as values by name, without those that are nil.
    func values(_ keys: [Int64], entity: String = "Person") throws -> [Int64: [String: Value]] {
        let byIndex = Dictionary(uniqueKeysWithValues: layouts.values.map { (Int32($0.entityIndex), $0) })
        var rows: [Int64: [String: Value]] = [:]
        try connection.fetchRows(primaryKeys: keys, decoder: decoder(entity)) { slab in
            for number in 0..<slab.count {
                let pointer = RowPointer(slab.row(number), slab: slab)
                let slots = byIndex[slab.entities[number]]?.slots ?? []
                rows[slab.primaryKeys[number]] = Dictionary(
                    uniqueKeysWithValues: slots.map { ($0.name, pointer.value($0)) }
                ).filter { $0.value != .null }
            }
        }
        return rows
    }
}
