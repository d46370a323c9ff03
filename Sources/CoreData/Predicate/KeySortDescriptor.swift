// The sort descriptor that we make: by a key instead of a Swift key path.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// A sort descriptor with a key, which a store can use unless a closure compares.
final class KeySortDescriptor: NSSortDescriptor {
    /// The key, the direction and the comparison; the last doesn't count when there is a closure. Without a
    /// key the objects themselves are compared, key `self`.
    let criterion: SortKey
    let closure: Comparator?

    init(_ criterion: SortKey, closure: Comparator? = nil) {
        self.criterion = criterion
        self.closure = closure
        super.init(
            keyPath: \NSObject.self, ascending: criterion.ascending,
            comparator: closure ?? { criterion.comparingValues.compare($0, $1) })
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        guard let closure else { return criterion.compare(object1, object2) }
        let path = ExpressionTree.keyPath(criterion.keyPath)
        let order = closure(path.value(of: object1) ?? NSNull(), path.value(of: object2) ?? NSNull())
        return criterion.ascending ? order : order.reversed
    }

    override var reversedSortDescriptor: Any {
        var reversed = criterion
        reversed.ascending.toggle()
        return KeySortDescriptor(reversed, closure: closure)
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSSortDescriptor else { return false }
        if other === self { return true }
        return closure == nil && other.sortKey == criterion
    }

    override var hash: Int { criterion.hashValue }
    override var classForCoder: AnyClass { NSSortDescriptor.self }

    override var description: String {
        "(\(criterion.keyPath), \(criterion.ascending ? "ascending" : "descending"), "
            + "\(closure == nil ? criterion.comparison.rawValue : "block"))"
    }
}

extension SortKey {
    /// The same comparison of values that are at hand already, upwards.
    fileprivate var comparingValues: SortKey { SortKey("self", comparison: comparison) }
}

extension ComparisonResult {
    var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}
