// Swift's own sort descriptors.

import CoreDataPredicate
public import Foundation

extension SortInitializing {
    /// Sorts as a Swift sort descriptor does; strings as by `localizedStandardCompare` where it states no comparator, as on
    /// Apple's systems. Of managed objects a store sorts, by the key that the key path reads;
    /// raises if it reads none. Cases of an enumeration whose order isn't that of their raw values are sorted in memory.
    public init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
        let ascending = sortDescriptor.order == .forward
        if let keyPath = sortDescriptor.keyPath, Compared.self is any KeyPathNaming.Type,
            let comparison = sortDescriptor.comparison(of: type(of: keyPath).valueType),
            EnumerationCases(type(of: keyPath).valueType)?.areInOrder != false
        {
            self = Self.cast(KeySortDescriptor(keyPath, ascending: ascending, comparison: comparison))
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
    /// The way in which a store compares values of a type; nil if only the descriptor itself can. Strings are compared as a file list
    /// shows them if no comparator is stated: that is the default of Apple's Foundation, which has no such comparator off
    /// Apple's systems.
    fileprivate func comparison(of type: Any.Type) -> SortComparison? {
        if let comparator = stringComparator {
            return String.StandardComparator(comparator, order: .forward) == .lexical ? .compare : nil
        }
        return type == String.self || type == String?.self ? .localizedStandardCompare : .compare
    }
}
