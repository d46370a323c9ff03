// Between Foundation's sort descriptors and our sort keys.

package import CoreDataPredicate
import CoreDataSupport
public import Foundation

extension NSSortDescriptor {
    /// The sort descriptor for a sort key.
    package static func make(_ key: SortKey) -> NSSortDescriptor { KeySortDescriptor(key) }

    /// The criterion as a value; nil when a closure, or a Swift key path that has no name, decides the order:
    /// then only memory can sort, by `compare(_:to:)`.
    package var sortKey: SortKey? {
        if let own = self as? KeySortDescriptor { return own.closure == nil ? own.criterion : nil }
        guard type(of: self) == NSSortDescriptor.self else { return nil }
        return keyPath.key.map { SortKey($0, ascending: ascending) }
    }

    /// The same for a fetch. Throws where a key path that had no name when the descriptor was made has none now.
    func resolvedSortKey() throws -> SortKey? {
        if let own = self as? KeySortDescriptor { return own.closure == nil ? try own.resolved() : nil }
        return sortKey
    }
}

extension SortInitializing where Self: NSSortDescriptor {
    /// The key path whose values are compared; nil when it is the objects themselves, or when it has no name.
    public var key: String? {
        let key = (self as? KeySortDescriptor)?.criterion.keyPath ?? keyPath.key
        return key == SortKey.evaluatedObject ? nil : key
    }

    /// The method that compares; nil when a closure does.
    public var selector: SortSelector? {
        sortKey.map { SortSelector(comparison: $0.comparison) }
    }

    /// Allows the use of an unarchived descriptor. Nothing here needs it: an archive holds no code.
    public func allowEvaluation() {}
}

extension SortKey {
    /// The key path of the objects themselves.
    static let evaluatedObject = "self"
}
