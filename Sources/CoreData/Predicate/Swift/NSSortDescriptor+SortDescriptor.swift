// Swift's own sort descriptors.

import CoreDataPredicate
public import Foundation

extension SortInitializing {
    /// Sorts as a Swift sort descriptor does. Of managed objects a store sorts, by the key that the key path reads;
    /// raises if it reads none. Cases of an enumeration whose order isn't that of their raw values are sorted in memory.
    public init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
        let ascending = sortDescriptor.order == .forward
        if let keyPath = sortDescriptor.keyPath, Compared.self is any KeyPathNaming.Type,
            sortDescriptor.comparesPlainly, EnumerationCases(type(of: keyPath).valueType)?.areInOrder != false
        {
            self = Self.cast(KeySortDescriptor(keyPath, ascending: ascending))
            return
        }
        self = Self.cast(
            KeySortDescriptor(
                SortKey(SortKey.evaluatedObject, ascending: ascending),
                closure: { first, second in
                    guard let first = first as? Compared, let second = second as? Compared else {
                        return .orderedSame
                    }
                    let order = sortDescriptor.compare(first, second)
                    return ascending ? order : order.reversed
                }))
    }
}

extension SortDescriptor {
    /// Whether values are compared by their own order, which for strings is that of their characters' numbers. Foundation
    /// has no other comparators off Apple's systems.
    fileprivate var comparesPlainly: Bool {
        guard let comparator = stringComparator else { return true }
        return String.StandardComparator(comparator, order: .forward) == .lexical
    }
}
