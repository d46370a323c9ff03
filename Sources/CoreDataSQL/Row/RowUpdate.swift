// New values for a row that is there.

package import CoreDataSchema

/// A row that changes.
package struct RowUpdate {
    package var primaryKey: Int64
    /// The new values.
    package var row: RowPointer
    package var slots: SlotSet
    /// Z_OPT that the row must have in the file.
    package var version: Int64

    package init(primaryKey: Int64, row: RowPointer, slots: SlotSet, version: Int64) {
        self.primaryKey = primaryKey
        self.row = row
        self.slots = slots
        self.version = version
    }
}
