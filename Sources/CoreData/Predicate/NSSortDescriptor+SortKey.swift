// Between Foundation's sort descriptors and our sort keys.

package import CoreDataPredicate
package import Foundation

extension NSSortDescriptor {
    /// The sort descriptor for a sort key.
    package static func make(_ key: SortKey) -> NSSortDescriptor { KeySortDescriptor(key) }

    /// The criterion as a value; nil when a closure or a Swift key path without a known name decides the order,
    /// so that only memory can sort (`compare(_:to:)`).
    package var sortKey: SortKey? { (self as? KeySortDescriptor)?.sortKeyValue }
}
