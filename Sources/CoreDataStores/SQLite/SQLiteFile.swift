// An open SQLite store file with everything settled about it: where its columns are, what its numbers mean.

package import CoreDataSQL
package import CoreDataSQLiteEngine
package import CoreDataSchema
import Foundation

/// The file of an SQLite store while it is open.
package final class SQLiteFile: TableStore {
    package let engine: SQLiteEngine
    package let model: ModelRuntime
    /// The owner of the store. The host holds the file.
    private unowned let owner: any StoreHost
    package var host: any StoreHost { owner }
    /// Indicates whether the file is read without locks, as it can only be read: others may write over what is read.
    let readsWithoutLocks: Bool
    package let layout: StoreLayout
    package let rowLayouts: [String: RowLayout]
    /// Entities by Z_ENT.
    package let entities: [Int: EntityRuntime]
    /// By `EntityRuntime.number`. Unchecked, for each fault asks; the store's owner serialises.
    @exclusivity(unchecked)
    private var decoders: [RowDecoder?]
    private var encoders: [RowEncoder?]
    /// Texts of a save's statements over join tables.
    package var statements: SaveStatements
    /// Texts of fetches.
    package var fetchTexts: [FetchShape: String] = [:]
    /// Texts of statements over to-many relationships.
    package var relatedTexts: [RelatedShape: String] = [:]
    /// The statements that read the members of one row. Unchecked as the decoders are.
    @exclusivity(unchecked)
    var memberReads: [RelatedShape: MemberRead] = [:]
    /// The form of the file's history; `nil` if it keeps none.
    package var history: HistoryLayout?
    /// Set if the file may be migrated by others while it is open, so that reads have to look first.
    package var watch: FileWatch?
    /// Indicates whether the model has derived attributes.
    package var keepsDerivedValues = false
    /// Rows in which a client wrote derived attributes.
    package var statedRows = DerivedRows()

    package init(engine: SQLiteEngine, model: ModelRuntime, layout: StoreLayout, host: any StoreHost) {
        self.engine = engine
        self.model = model
        owner = host
        readsWithoutLocks = engine.readsWithoutLocks
        self.layout = layout
        statements = SaveStatements(layout.dialect)
        rowLayouts = Dictionary(
            model.runtimes.map { ($0.name, $0.layout) }, uniquingKeysWith: { first, _ in first })
        var entities: [Int: EntityRuntime] = [:]
        for table in layout.tables.values { entities[table.number] = model.runtime(named: table.entityName) }
        self.entities = entities
        decoders = Array(repeating: nil, count: model.runtimes.count)
        encoders = Array(repeating: nil, count: model.runtimes.count)
    }

    /// Reads rows of an entity and of those below it.
    package func decoder(_ entity: EntityRuntime) throws -> RowDecoder {
        if let known = decoders[entity.number] { return known }
        let made = RowDecoder(entity: try table(entity), in: layout, layouts: rowLayouts)
        decoders[entity.number] = made
        return made
    }

    /// Writes rows of one entity.
    package func encoder(_ entity: EntityRuntime) throws -> RowEncoder {
        if let known = encoders[entity.number] { return known }
        let made = RowEncoder(
            entity: try table(entity), layout: entity.layout, in: layout, layouts: rowLayouts)
        encoders[entity.number] = made
        return made
    }

    package func write(_ metadata: StoreMetadata) throws {
        try engine.writeMetadata(uuid: metadata.uuid, propertyList: metadata.propertyList())
    }

    package func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        let table = try table(root)
        let number = layout[table.rootName]?.number ?? table.number
        let first = try engine.takeKeys(count, rootNumber: number, table: table.table)
        return first..<first + Int64(count)
    }
}
