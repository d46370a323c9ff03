// The columns for the words of a row: computed once for an entity, so that saving looks nothing up for each cell.

package import CoreDataSchema

/// One slot: from which word to which columns.
package struct EncodeStep: Sendable {
    package let slot: Slot
    /// One column, or for a to-one relationship with several possible entities key and entity.
    package let columns: [String]
    package let cell: EncodeCell

    /// `nil` for a slot without column, and for a derived attribute, whose column is the triggers'.
    package init?(_ slot: Slot, table: EntityTable, layouts: [String: RowLayout], numbers: [Int: Int64]) {
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

/// The facts for binding one cell, without references: nothing is retained per cell.
package struct EncodeCell: Sendable {
    package let kind: SlotKind
    /// Indicates whether a second column takes the target's Z_ENT.
    package let hasEntity: Bool
    package let index: Int32
    package let word: Int32
    /// Z_ENT of the declared destination.
    package let destinationNumber: Int64

    package init(kind: SlotKind, hasEntity: Bool, index: Int32, word: Int32, destinationNumber: Int64) {
        self.kind = kind
        self.hasEntity = hasEntity
        self.index = index
        self.word = word
        self.destinationNumber = destinationNumber
    }
}
