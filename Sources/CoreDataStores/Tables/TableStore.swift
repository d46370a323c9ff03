// An open store whose rows lie in tables of a database. Everything that is the same in every database is here and in the files
// beside: planning of fetches, dictionaries, the order of a save, the search for values that aren't unique.

import CoreDataPredicate
package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// The tables of a store. Its owner has the coordinator's lock, or the tables for itself.
package protocol TableStore: AnyObject {
    var host: any StoreHost { get }
    var model: ModelRuntime { get }
    var layout: StoreLayout { get }
    /// Entities by their numbers in the store.
    var entities: [Int: EntityRuntime] { get }
    /// Texts of a save's statements over join tables.
    var statements: SaveStatements { get set }
    /// Texts of fetches.
    var fetchTexts: [FetchShape: String] { get set }

    // MARK: Reading

    /// Delivers the rows that a fetch finds, in its order, in slabs.
    func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws
    /// One row, `nil` if it is gone.
    func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab?
    /// All columns of all rows of a statement's result.
    func fetchValues(_ statement: SQLStatement) throws -> [[SQLBinding]]
    /// A computed value, or a stored one, as a type.
    func value(_ binding: SQLBinding, as type: AttributeType) -> Value
    /// The bytes of a cell of an attribute with external storage.
    func externalData(_ cell: Data) throws -> Data

    // MARK: Writing, in a transaction

    /// Indicates whether rows must be deleted before those that they refer to: deleting the others could delete them.
    var deletesReferringRowsFirst: Bool { get }

    /// Runs a statement, or sees to it that it runs before `finish`.
    func execute(_ statement: SQLStatement) throws
    /// Inserts rows of one entity.
    func insert(_ rows: [StoreChanges.Row], of entity: EntityRuntime) throws
    /// Writes changed slots, which are the same in all rows. The closure gets the positions of those that weren't as they
    /// should be, at the latest in `finish`.
    func update(
        _ rows: [RowUpdate], of entity: EntityRuntime, refused: @escaping ([Int]) -> Void) throws
    /// Deletes rows. The closure gets the positions of those that weren't as they should be, at the latest in `finish`.
    func delete(
        primaryKeys: [Int64], versions: [Int64], of entity: EntityRuntime, refused: @escaping ([Int]) -> Void
    ) throws
    /// Waits for all that was to be run.
    func finish() throws
}

extension TableStore {
    package func value(_ binding: SQLBinding, as type: AttributeType) -> Value { binding.value(type) }
    package func finish() throws {}
    package var deletesReferringRowsFirst: Bool { false }

    /// Returns the table of an entity's rows. Throws for an entity that isn't in the store's configuration.
    package func table(_ entity: EntityRuntime) throws -> EntityTable {
        guard let table = layout[entity.name] else {
            throw LayoutFailure(entity: entity.name, "the store's configuration doesn't include it")
        }
        return table
    }

    // MARK: Planning

    package func planner() -> FetchPlanner {
        let host = self.host
        return FetchPlanner(
            index: model.index, layout: layout, key: { self.key($0) },
            entity: { host.entityName(of: $0.object) },
            transform: { try Self.transformed($1, property: $0, host: host) },
            fetch: { request in
                guard case .constant(.object(let reference)) = request else {
                    throw TranslationFailure("FETCH: the request must be a constant")
                }
                return try host.description(of: reference.object)
            })
    }

    /// A managed object or object ID of this store as a row.
    private func key(_ reference: ObjectReference) -> ObjectKey? {
        guard let row = host.row(of: reference.object),
            let number = layout[model.runtimes[Int(row.entity)].name]?.number
        else { return nil }
        return ObjectKey(entity: number, primaryKey: row.primaryKey)
    }

    /// A constant that is compared with a transformable attribute, as the attribute stores it.
    private static func transformed(
        _ value: Value, property: PropertySchema, host: any StoreHost
    ) throws -> Value {
        guard let attribute = property.attribute, let object = value.any else { return value }
        return .data(try host.encode(object, attribute: attribute, entity: "", property: property.name))
    }

    /// The number of statements' texts that are kept.
    private static var keptTexts: Int { 256 }

    /// Plans a fetch.
    package func statement(
        _ fetch: StoreFetch, result: FetchDescription.Result
    ) throws -> SQLStatement {
        var bindings: [SQLBinding] = []
        let shape = FetchShape(
            fetch, result: result, bindings: &bindings, bindsLimits: layout.dialect.bindsLimits)
        if let shape, let text = fetchTexts[shape] { return SQLStatement(text, bindings: bindings) }
        let statement = try planner().statement(for: fetch.description(result))
        // A constant that the planner had to look at isn't bound as it is.
        if let shape, statement.bindings == bindings {
            if fetchTexts.count >= Self.keptTexts { fetchTexts.removeAll() }
            fetchTexts[shape] = statement.text
        }
        return statement
    }

    /// The statements over a to-many relationship.
    package func related(_ relation: RelationRuntime, of entity: EntityRuntime) throws -> RelatedStatements {
        let destination = try table(relation.destination(in: model))
        guard let place = try table(entity).columns[relation.name],
            let found = RelatedStatements(place, destination: destination, in: layout.dialect)
        else {
            throw LayoutFailure(
                entity: entity.name, property: relation.name, "the store has no place for the relationship")
        }
        return found
    }
}
