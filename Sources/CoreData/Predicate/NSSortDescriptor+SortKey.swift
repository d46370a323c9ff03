// Between Foundation's sort descriptors and our sort keys.

import CoreDataPredicate
import Foundation

extension NSSortDescriptor {
    /// The sort descriptor for a sort key.
    static func make(_ key: SortKey) -> NSSortDescriptor { KeySortDescriptor(key) }

    /// The criterion as a value; nil when a closure or a Swift key path without a known name decides the order,
    /// so that only memory can sort (`compare(_:to:)`).
    var sortKey: SortKey? { (self as? KeySortDescriptor)?.sortKeyValue }
}
