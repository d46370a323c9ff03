// The new values of a batch update: constants as cells of a row, and expressions.

package import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// The values that an update gives all its rows.
///
/// The row lives as long as the values.
package final class BatchValues {
    package let entity: EntityRuntime
    /// Holds the constants.
    package let row: UnsafeMutablePointer<UInt64>
    package var constants: [Slot] = []
    package var expressions: [(slot: Slot, tree: ExpressionTree)] = []

    package var isEmpty: Bool { constants.isEmpty && expressions.isEmpty }

    package init(_ entity: EntityRuntime) {
        self.entity = entity
        row = OwnedRow.empty(entity.layout)
    }

    deinit {
        OwnedRow.destroy(row, layout: entity.layout)
    }
}
