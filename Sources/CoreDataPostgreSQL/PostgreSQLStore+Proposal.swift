// A model for tables that are there, whoever made them.

public import CoreData
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import Foundation

extension PostgreSQLStore {
    /// Proposes a model that can be laid over the tables of a schema. An addition.
    ///
    /// Entities, attributes and relationships have names in Swift's style; user infos (`postgreSQLTable`, `postgreSQLKey`,
    /// `postgreSQLVersion`, `postgreSQLColumn`) have those of the database. Foreign keys are relationships with inverses,
    /// tables of nothing but two foreign keys pairs of to-many ones. Nothing is changed in the database.
    ///
    /// ```swift
    /// let store = NSPersistentStoreDescription(postgreSQL: "postgresql://db.example/shop", schema: "public")
    /// let (model, remarks) = try PostgreSQLStore.proposedModel(for: store)
    /// print(model.entities.compactMap(\.name), remarks)
    /// ```
    ///
    /// - Parameter description: the place, as `NSPersistentStoreDescription(postgreSQL:)` describes it.
    /// - Returns: the model, and a sentence for each thing that it can't say.
    /// - Throws: `NSFileReadNoSuchFileError` if the schema has no tables that could be entities; the errors of opening a store.
    public static func proposedModel(
        for description: NSPersistentStoreDescription
    ) throws -> (model: NSManagedObjectModel, remarks: [String]) {
        let tables = try PostgreSQLRowStore.mapping(description.url, occasion: .opening) {
            let connection = try PostgreSQLOptions(description.options).briefConnection(
                to: description.url)
            defer { connection.close() }
            return try connection.existingTables(in: connection.schemaOfTables())
        }
        var proposal = ModelProposal(tables)
        let model = proposal.model()
        if model.entities.isEmpty {
            try PostgreSQLRowStore.mapping(description.url, occasion: .opening) {
                throw ServerFailure(
                    .schema,
                    message: (["There are no tables that could be entities."] + proposal.remarks).joined(
                        separator: " "))
            }
        }
        return (model, proposal.remarks)
    }
}

/// A model in the making.
struct ModelProposal {
    private let tables: [ExistingTable]
    private(set) var remarks: [String] = []
    /// By table.
    private var entities: [String: NSEntityDescription] = [:]
    private var properties: [String: [NSPropertyDescription]] = [:]
    /// The properties of columns, by table and column.
    private var columns: [String: [String: NSPropertyDescription]] = [:]

    /// Names of columns by which programs count versions.
    private static let versions: Set<String> = [
        "object_version", "version", "lock_version", "row_version", "opt_lock", "optlock",
    ]

    init(_ tables: [String: ExistingTable]) { self.tables = tables.values.sorted { $0.name < $1.name } }

    mutating func model() -> NSManagedObjectModel {
        let joins = tables.filter(Self.isJoin)
        var names: Set<String> = []
        for table in tables where !Self.isJoin(table) {
            guard let key = key(of: table) else { continue }
            let entity = NSEntityDescription()
            entity.name = SwiftNames.unique(SwiftNames.entity(table.name), taken: &names)
            entity.userInfo = [StatedName.table.rawValue: table.name]
            if key != PlainNaming().head.key { entity.userInfo?[StatedName.key.rawValue] = key }
            if let version = version(of: table), version != PlainNaming().head.version {
                entity.userInfo?[StatedName.version.rawValue] = version
            }
            entities[table.name] = entity
        }
        for table in tables where entities[table.name] != nil { addToOnes(table) }
        for table in tables where entities[table.name] != nil { addAttributes(table) }
        for table in joins { addPair(table) }
        for table in tables { finish(table) }
        let model = NSManagedObjectModel()
        model.entities = tables.compactMap { entities[$0.name] }
        return model
    }

    // MARK: Tables

    /// The column of the key. Adds a remark for a table without one that a store can use.
    private mutating func key(of table: ExistingTable) -> String? {
        if let key = table.primaryKey.first, table.primaryKey.count == 1, table.column(key)?.isInteger == true
        {
            return key
        }
        let reason =
            switch table.primaryKey.count {
            case 0: "it has no primary key"
            case 1: "its primary key is no integer"
            default: "its primary key has several columns"
            }
        remarks.append("\(table.name): the table is no entity: \(reason).")
        return nil
    }

    private func version(of table: ExistingTable) -> String? {
        table.columns.first {
            Self.versions.contains($0.name) && $0.isInteger && !table.primaryKey.contains($0.name)
        }?.name
    }

    /// Nothing but two foreign keys, which no two rows share.
    private static func isJoin(_ table: ExistingTable) -> Bool {
        let keys = table.foreignKeys.filter { $0.columns.count == 1 }
        let columns = Set(keys.flatMap(\.columns))
        return table.columns.count == 2 && keys.count == 2 && columns.count == 2
            && (Set(table.primaryKey) == columns
                || table.indexes.contains { $0.isUnique && Set($0.columns) == columns })
    }

    /// Returns whether a foreign key is one to an entity's key.
    private func leadsToKey(_ key: ExistingTable.ForeignKey) -> Bool {
        let target = tables.first { $0.name == key.target }
        return key.columns.count == 1 && entities[key.target] != nil
            && target?.primaryKey == key.targetColumns
    }

    // MARK: Properties

    private mutating func add(_ property: NSPropertyDescription, as name: String, to table: String) {
        var taken = Set((properties[table] ?? []).map(\.name)).union(SwiftNames.reserved)
        property.name = SwiftNames.unique(name, taken: &taken)
        properties[table, default: []].append(property)
    }

    private mutating func addAttributes(_ table: ExistingTable) {
        let head = Set(table.primaryKey + [version(of: table) ?? "", PlainNaming().head.entity])
        for column in table.columns
        where !head.contains(column.name) && columns[table.name]?[column.name] == nil {
            let place = "\(table.name).\(column.name)"
            if column.isGenerated {
                remarks.append("\(place): the server computes the column, which saves would write.")
                continue
            }
            guard let type = column.attributeType else {
                let need =
                    column.isRequired && !column.hasDefault ? " New rows can't be saved without it." : ""
                remarks.append("\(place): no attribute has values of the type \(column.type).\(need)")
                continue
            }
            let attribute = NSAttributeDescription()
            attribute.attributeType = NSAttributeType(rawValue: type.rawValue) ?? .undefinedAttributeType
            attribute.isOptional = !column.isRequired
            add(attribute, as: SwiftNames.property(column.name), to: table.name)
            if PlainNaming().column(ofAttribute: [attribute.name]) != column.name {
                attribute.userInfo = [StatedName.column.rawValue: column.name]
            }
            if column.hasDefault {
                let value = column.isRequired ? "a value" : "nil, where an object has no value,"
                remarks.append("\(place): saves write \(value) in place of the server's default.")
            }
            columns[table.name, default: [:]][column.name] = attribute
        }
    }

    private mutating func addToOnes(_ table: ExistingTable) {
        for key in table.foreignKeys {
            let place = "\(table.name).\(key.columns.joined(separator: ", "))"
            if key.columns == table.primaryKey {
                remarks.append(
                    "\(place): the foreign key \(key.name) is no relationship, as it is the key of its own row."
                )
            } else if leadsToKey(key), let column = table.column(key.columns[0]),
                columns[table.name]?[column.name] == nil
            {
                addToOne(key, column: column, of: table)
            } else {
                remarks.append("\(place): the foreign key \(key.name) is no relationship.")
            }
        }
    }

    private mutating func addToOne(
        _ key: ExistingTable.ForeignKey, column: ExistingTable.Column, of table: ExistingTable
    ) {
        let isOnly = table.foreignKeys.filter { $0.target == key.target }.count == 1
        let (toOne, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (toOne.destinationEntity, inverse.destinationEntity) = (entities[key.target], entities[table.name])
        // A row has no column for the one that points to it, also where that is the only one.
        (toOne.maxCount, inverse.maxCount) = (1, 0)
        toOne.isOptional = !column.isRequired
        toOne.minCount = column.isRequired ? 1 : 0
        (inverse.isOptional, inverse.minCount) = (true, 0)
        (toOne.inverseRelationship, inverse.inverseRelationship) = (inverse, toOne)
        toOne.deleteRule = .nullifyDeleteRule
        inverse.deleteRule =
            key.deletion == .cascade
            ? .cascadeDeleteRule : column.isRequired ? .denyDeleteRule : .nullifyDeleteRule
        let members = SwiftNames.members(table.name)
        add(toOne, as: SwiftNames.relationship(column.name), to: table.name)
        add(
            inverse, as: isOnly ? members : members + "As" + SwiftNames.capitalized(toOne.name),
            to: key.target)
        if PlainNaming().foreignKey(toOne.name) != column.name {
            toOne.userInfo = [StatedName.column.rawValue: column.name]
        }
        if table.isUnique(column.name) {
            remarks.append(
                "\(table.name).\(column.name): the column is unique, so \(inverse.name) of \(key.target) has one "
                    + "member at most.")
        }
        columns[table.name, default: [:]][column.name] = toOne
    }

    private mutating func addPair(_ table: ExistingTable) {
        let keys = table.foreignKeys
        guard keys.count == 2, keys.allSatisfy(leadsToKey) else {
            remarks.append("\(table.name): the table is no relationship, as one of its ends is no entity.")
            return
        }
        let sides = [NSRelationshipDescription(), NSRelationshipDescription()]
        for (side, place) in zip(sides, 0...) {
            let (own, other) = (keys[1 - place], keys[place])
            side.destinationEntity = entities[other.target]
            (side.maxCount, side.minCount, side.isOptional) = (0, 0, true)
            side.deleteRule = .nullifyDeleteRule
            side.inverseRelationship = sides[1 - place]
            side.userInfo = [
                StatedName.table.rawValue: table.name, StatedName.column.rawValue: other.columns[0],
            ]
            let isReflexive = own.target == other.target
            add(
                side, as: SwiftNames.members(isReflexive ? SwiftNames.stem(other.columns[0]) : other.target),
                to: own.target)
        }
    }

    // MARK: Constraints

    private mutating func finish(_ table: ExistingTable) {
        guard let entity = entities[table.name] else { return }
        entity.properties = properties[table.name] ?? []
        for index in table.indexes {
            let found = index.columns.compactMap { columns[table.name]?[$0] }
            if found.count != index.columns.count || found.isEmpty { continue }
            if index.isUnique {
                if found.allSatisfy({ $0 is NSAttributeDescription }) {
                    entity.uniquenessConstraints.append(found.map(\.name))
                } else if found.count > 1 {
                    remarks.append(
                        "\(table.name): the unique index \(index.name) is no constraint of the model, as it has a "
                            + "foreign key. The server refuses saves of rows that are the same in it.")
                }
            } else if found.contains(where: { $0 is NSAttributeDescription }) {
                entity.indexes.append(
                    NSFetchIndexDescription(
                        name: SwiftNames.property(index.name),
                        elements: found.map {
                            NSFetchIndexElementDescription(property: $0, collationType: .binary)
                        }))
            }
        }
    }
}

/// Names in Swift's style for those of a database.
enum SwiftNames {
    /// Names that properties can't have, as all objects have them.
    static let reserved: Set<String> = [
        "description", "debugDescription", "hash", "self", "class", "superclass", "zone", "objectID",
        "entity",
        "isInserted", "isUpdated", "isDeleted", "isFault", "hasChanges", "managedObjectContext", "init",
        "version", "changedValues", "committedValues", "faultingState",
    ]

    /// `order_items` as `OrderItem`.
    static func entity(_ table: String) -> String { capitalized(property(singular(table))) }

    /// `first_name`, `FirstName` and `FIRST_NAME` as `firstName`.
    static func property(_ name: String) -> String {
        let words = name.split { !($0.isLetter || $0.isNumber) }.map(String.init)
        let parts = words.enumerated().map { place, word in
            let word = word == word.uppercased() ? word.lowercased() : word
            return place == 0 ? word.prefix(1).lowercased() + word.dropFirst() : capitalized(word)
        }
        let joined = parts.joined()
        return joined.first.map { $0.isLetter } == true ? joined : "n" + joined
    }

    /// `author_id` as `author`.
    static func relationship(_ column: String) -> String { property(stem(column)) }

    static func stem(_ column: String) -> String {
        for suffix in ["_id", "_fk", "_key", "Id", "ID"]
        where column.hasSuffix(suffix) && column.count > suffix.count {
            return String(column.dropLast(suffix.count))
        }
        return column
    }

    /// `book` and `books` as `books`.
    static func members(_ name: String) -> String {
        let one = property(singular(name))
        if one.hasSuffix("y"),
            !["a", "e", "i", "o", "u"].contains(one.dropLast().last.map(String.init) ?? "")
        {
            return one.dropLast() + "ies"
        }
        return one + (["s", "x", "ch", "sh"].contains { one.hasSuffix($0) } ? "es" : "s")
    }

    static func singular(_ name: String) -> String {
        if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
        if ["sses", "xes", "ches", "shes"].contains(where: { name.hasSuffix($0) }) {
            return String(name.dropLast(2))
        }
        if name.hasSuffix("s"), !["ss", "us", "is"].contains(where: { name.hasSuffix($0) }), name.count > 2 {
            return String(name.dropLast())
        }
        return name
    }

    static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// The name, or the name with the first number that makes it differ from those taken.
    static func unique(_ name: String, taken: inout Set<String>) -> String {
        var (candidate, number) = (name, 1)
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = name + String(number)
        }
        return candidate
    }
}
