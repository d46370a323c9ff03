// The columns for the words of a row, computed once for an entity, so that saving looks nothing up per cell.

package import CoreDataSQL
package import CoreDataSchema
import Synchronization

/// Writes rows of one entity to its table.
package final class RowEncoder: Sendable {
    package let table: EntityTable
    package let layout: RowLayout
    let steps: [EncodeStep]
    /// The cells of `steps`.
    let cells: [EncodeCell]
    /// Z_ENT by entity index.
    let entityNumbers: [Int: Int64]
    let externalSteps: [EncodeStep]
    private let statements: RowStatements
    private let deleteGuarded: String
    private let deleteAny: String
    /// The texts that delete and count the rows of a run of keys, of one version.
    let run: (delete: String, count: String)
    /// One for each set of slots that changed together; a program changes few.
    private let updateTexts = Mutex<[SlotSet: String]>([:])
    /// The texts that insert one row and `rowsPerInsert` of them.
    private let insertOne: String
    private let insertMany: String
    /// The columns that a `VirtualRowTable` shows for this entity.
    let virtualColumns: [VirtualRowColumn]
    /// Inserts all rows of a feed, and all rows that have no version yet; `nil` where there are too many columns.
    let insertFed: (any: String, new: String)?

    /// - Parameter layouts: the row layouts of all entities of the model, by entity name.
    package init(entity: EntityTable, layout: RowLayout, in store: StoreLayout, layouts: [String: RowLayout])
    {
        table = entity
        self.layout = layout
        let numbers = store.entityNumbers(layouts)
        entityNumbers = numbers
        steps = layout.slots.compactMap { EncodeStep($0, table: entity, layouts: layouts, numbers: numbers) }
        cells = steps.map(\.cell)
        externalSteps = steps.filter { $0.slot.kind == .externalData }
        statements = RowStatements(entity, in: store.dialect)
        deleteGuarded = statements.deletion(guarded: true)
        deleteAny = statements.deletion(guarded: false)
        run = (statements.deletionOfRun, statements.countOfRun)
        let columns = steps.flatMap(\.columns)
        parameterCount = columns.count + 3
        rowsPerInsert = max(1, min(32, 900 / parameterCount))
        insertOne = statements.insertion(columns, rows: 1)
        insertMany = statements.insertion(columns, rows: rowsPerInsert)
        let head = statements.insertion(columns)
        virtualColumns =
            [VirtualRowColumn(.primaryKey), VirtualRowColumn(.version)]
            + cells.flatMap(VirtualRowColumn.columns)
        let shown =
            ["c0", String(entity.number), "c1"] + virtualColumns.indices.dropFirst(2).map { "c\($0)" }
        let from = " FROM \(VirtualRowTable.tableName)"
        let select = head + "SELECT \(shown.joined(separator: ", "))" + from
        let new = shown.prefix(2) + ["1"] + shown.dropFirst(3)
        insertFed =
            virtualColumns.count > VirtualRowTable.columnLimit
            ? nil : (select, head + "SELECT \(new.joined(separator: ", "))" + from)
    }

    /// Parameters of one inserted row.
    let parameterCount: Int

    /// The number of rows that one statement inserts: enough to spread the cost of a statement, few enough
    /// that SQLite takes the parameters.
    package let rowsPerInsert: Int

    /// Inserts one row, or `rowsPerInsert` of them.
    func insertText(rows: Int) -> String { rows == 1 ? insertOne : insertMany }

    /// The steps of a set of slots; slots without column have none.
    func steps(_ slots: SlotSet) -> [EncodeStep] {
        steps.filter { slots.contains($0.slot.index) }
    }

    /// Binds the columns of some slots, whose steps these are, the new version, key and version of the row.
    func updateText(_ slots: SlotSet, steps: [EncodeStep]) -> String {
        updateTexts.withLock { texts in
            if let text = texts[slots] { return text }
            let text = statements.update(steps.flatMap(\.columns))
            texts[slots] = text
            return text
        }
    }

    /// - Parameter guarded: whether the row must have a version, the second binding.
    func deleteText(guarded: Bool) -> String { guarded ? deleteGuarded : deleteAny }

    /// The columns that may refer to files, of the row with a key, and with a version where it must have one; `nil` if
    /// there are none.
    func externalText(_ steps: [EncodeStep], guarded: Bool = true) -> String? {
        steps.isEmpty ? nil : statements.selection(steps.flatMap(\.columns), guarded: guarded)
    }
}
