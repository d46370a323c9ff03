// The sort descriptor that we make: by a key instead of a Swift key path.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// A sort descriptor with a key, which a store can use unless a closure compares.
final class KeySortDescriptor: NSSortDescriptor {
    private let stated: SortKey
    /// The key path that names the key as long as no model does.
    private let unnamed: AnyKeyPath?
    let closure: Comparator?

    init(_ criterion: SortKey, closure: Comparator? = nil, unnamed: AnyKeyPath? = nil) {
        stated = criterion
        self.closure = closure
        self.unnamed = unnamed
        super.init(
            keyPath: \NSObject.self, ascending: criterion.ascending,
            comparator: closure ?? { criterion.comparingValues.compare($0, with: $1) })
    }

    /// A criterion whose key is what a Swift key path reads. Raises if it reads none; if no model has the class yet,
    /// the key is found when it is needed.
    convenience init(_ keyPath: AnyKeyPath, ascending: Bool, comparison: SortComparison = .compare) {
        do throws(KeyPathFailure) {
            let path = try KeyPathNames.path(keyPath)
            self.init(SortKey(path, ascending: ascending, comparison: comparison))
        } catch {
            guard error.lacksModel else { raise(.invalidArgument, "\(error)") }
            self.init(
                SortKey(SortKey.evaluatedObject, ascending: ascending, comparison: comparison),
                unnamed: keyPath)
        }
    }

    /// The key, the direction and the comparison; the last doesn't count when there is a closure. Without a
    /// key the objects themselves are compared, key `self`.
    func resolved() throws(KeyPathFailure) -> SortKey {
        guard let unnamed else { return stated }
        var criterion = stated
        criterion.keyPath = try KeyPathNames.path(unnamed)
        return criterion
    }

    /// The same where nothing can be thrown.
    var criterion: SortKey {
        do {
            return try resolved()
        } catch {
            raise(.invalidArgument, "\(error)")
        }
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        guard let closure else { return criterion.compare(object1, with: object2) }
        let path = ExpressionTree.keyPath(criterion.keyPath)
        let order = closure(path.value(of: object1) ?? NSNull(), path.value(of: object2) ?? NSNull())
        return criterion.ascending ? order : order.reversed
    }

    override var reversedSortDescriptor: Any {
        var reversed = stated
        reversed.ascending.toggle()
        return KeySortDescriptor(reversed, closure: closure, unnamed: unnamed)
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
