// Filtering and sorting of Swift's collections; Foundation's own do it themselves.

public import Foundation

extension Array {
    /// Returns the elements for which `predicate` holds.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        filter { predicate.evaluate(with: $0) }
    }
}

extension Set {
    /// Returns the elements for which `predicate` holds.
    public func filtered(using predicate: NSPredicate) -> Set<Element> {
        filter { predicate.evaluate(with: $0) }
    }
}

extension Sequence {
    /// Returns the elements in the order of the descriptors: each decides where those before it find no
    /// difference.
    public func sorted(using descriptors: [NSSortDescriptor]) -> [Element] {
        sorted { left, right in
            for descriptor in descriptors {
                let order = descriptor.compare(left, to: right)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return false
        }
    }
}
