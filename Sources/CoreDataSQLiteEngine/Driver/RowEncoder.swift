// Which word of a row goes to which column, settled once for an entity, so that saving looks nothing up per cell.

package import CoreDataSQL
package import CoreDataSchema

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
    /// The texts that insert one row and `rowsPerInsert` of them.
    private let insertOne: String
    private let insertMany: String
    /// What the columns of a `VirtualRowTable` show for this entity.
    let virtualColumns: [VirtualRowColumn]
    /// Inserts all rows of a feed, and all rows that have no version yet; `nil` where there are too many columns.
    let insertFed: (any: String, new: String)?

    /// - Parameter layouts: the row layouts of all entities of the model, by entity name.
    package init(entity: EntityTable, layout: RowLayout, in store: StoreLayout, layouts: [String: RowLayout])
    {
        table = entity
        self.layout = layout
        var numbers: [Int: Int64] = [:]
        for (number, index) in store.entityIndexes(layouts) { numbers[Int(index)] = number }
        entityNumbers = numbers
        steps = layout.slots.compactMap { EncodeStep($0, entity, layouts, numbers) }
        cells = steps.map(\.cell)
        externalSteps = steps.filter { $0.slot.kind == .externalData }
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + steps.flatMap(\.columns).map(quoted(identifier:))
        let head = "INSERT INTO \(quoted(identifier: entity.table)) (\(columns.joined(separator: ", "))) "
        let row = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
        rowsPerInsert = max(1, min(32, 900 / columns.count))
        insertOne = head + "VALUES " + row
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
        insertMany =
            head + "VALUES " + Array(repeating: row, count: rowsPerInsert).joined(separator: ", ")
        parameterCount = columns.count
    }

    /// Parameters of one inserted row.
    let parameterCount: Int

    /// How many rows one statement inserts: enough to spread the cost of a statement, few enough that SQLite
    /// takes the parameters.
    package let rowsPerInsert: Int

    /// Inserts one row, or `rowsPerInsert` of them.
    func insertText(rows: Int) -> String { rows == 1 ? insertOne : insertMany }

    /// The steps of a set of slots; slots without column have none.
    func steps(_ slots: SlotSet) -> [EncodeStep] {
        steps.filter { slots.contains($0.slot.index) }
    }

    /// `UPDATE T SET A = ?, …, Z_OPT = ? WHERE Z_PK = ? AND IFNULL(Z_OPT, 0) = ?`
    func updateText(_ steps: [EncodeStep]) -> String {
        let columns = steps.flatMap(\.columns).map(quoted(identifier:)) + ["Z_OPT"]
        let settings = columns.map { $0 + " = ?" }.joined(separator: ", ")
        return "UPDATE \(quoted(identifier: table.table)) SET \(settings) \(Self.guardText)"
    }

    /// - Parameter guarded: whether the row must have a version, the second binding.
    func deleteText(guarded: Bool) -> String {
        "DELETE FROM \(quoted(identifier: table.table)) \(guarded ? Self.guardText : Self.keyText)"
    }

    /// The columns that may refer to files, of the row with a key, and with a version where it must have one; `nil` if
    /// there are none.
    func externalText(_ steps: [EncodeStep], guarded: Bool = true) -> String? {
        if steps.isEmpty { return nil }
        let columns = steps.flatMap(\.columns).map(quoted(identifier:)).joined(separator: ", ")
        return
            "SELECT \(columns) FROM \(quoted(identifier: table.table)) \(guarded ? Self.guardText : Self.keyText)"
    }

    private static let keyText = "WHERE Z_PK = ?"
    private static let guardText = "WHERE Z_PK = ? AND IFNULL(Z_OPT, 0) = ?"
}

/// One slot: from which word to which columns.
struct EncodeStep: Sendable {
    let slot: Slot
    /// One column, or for a to-one relationship with several possible entities key and entity.
    let columns: [String]
    let cell: EncodeCell

    /// `nil` for a slot without column, and for a derived attribute, whose column is the triggers'.
    init?(_ slot: Slot, _ table: EntityTable, _ layouts: [String: RowLayout], _ numbers: [Int: Int64]) {
        guard slot.kind != .object, slot.attribute?.derivation == nil,
            let place = table.column(ofSlot: slot.name)
        else { return nil }
        self.slot = slot
        var number: Int64 = 0
        switch place {
        case .attribute(let name, _): columns = [name]
        case .toOne(let name, let entityName, _, let destination):
            columns = [name] + (entityName.map { [$0] } ?? [])
            number = layouts[destination].flatMap { numbers[$0.entityIndex] } ?? 0
        default: return nil
        }
        cell = EncodeCell(
            kind: slot.kind, hasEntity: columns.count > 1, index: Int32(slot.index), word: Int32(slot.word),
            destinationNumber: number)
    }
}

/// What binding one cell needs to know, without references: nothing is retained per cell.
struct EncodeCell: Sendable {
    let kind: SlotKind
    /// Whether a second column takes the target's Z_ENT.
    let hasEntity: Bool
    let index: Int32
    let word: Int32
    /// Z_ENT of the declared destination.
    let destinationNumber: Int64
}
