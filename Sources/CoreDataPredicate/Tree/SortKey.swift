// One criterion of an order.

/// A sort descriptor as a value.
package struct SortKey: Sendable, Hashable {
    package var keyPath: String
    package var ascending: Bool
    package var comparison: SortComparison

    package init(_ keyPath: String, ascending: Bool = true, comparison: SortComparison = .compare) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.comparison = comparison
    }
}

/// The comparison selectors that Core Data knows; the raw values are the selectors' names.
package enum SortComparison: String, Sendable, Hashable, CaseIterable {
    case compare = "compare:"
    case caseInsensitiveCompare = "caseInsensitiveCompare:"
    case localizedCompare = "localizedCompare:"
    case localizedCaseInsensitiveCompare = "localizedCaseInsensitiveCompare:"
    case localizedStandardCompare = "localizedStandardCompare:"
    /// Integers by their bits as unsigned ones.
    case unsignedCompare = "unsignedCompare:"
}
