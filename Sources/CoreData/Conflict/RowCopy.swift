// Values of an object that outlive the row that they were in.

import CoreDataSchema

/// A copy of one of an object's rows.
final class RowCopy {
    private let layout: RowLayout
    private let slab: RowSlab?
    private let words: UnsafeMutablePointer<UInt64>

    var pointer: RowPointer { RowPointer(words, slab: slab) }

    /// - Parameters:
    ///   - row: the row to copy.
    ///   - slab: the slab of its references.
    ///   - layout: the layout of the object's entity.
    init(_ row: UnsafeMutablePointer<UInt64>, slab: RowSlab?, layout: RowLayout) {
        self.layout = layout
        self.slab = slab
        words = OwnedRow.copy(row, layout: layout)
    }

    deinit {
        OwnedRow.destroy(words, layout: layout)
    }
}
