// The collations that our ORDER BY clauses name. A driver registers every entry of `SQLCollation.allCases`.

package import CoreDataPredicate
package import Foundation

/// One collation; the raw value is its name in SQL.
package enum SQLCollation: String, Sendable, CaseIterable {
    case noCase = "NSCollateNoCase"
    case localeSensitive = "NSCollateLocaleSensitive"
    case localeSensitiveNoCase = "NSCollateLocaleSensitiveNoCase"
    /// Numbers in texts by their value, as the Finder orders file names.
    case finderStyle = "NSCollateFinderStyle"

    /// nil for the plain comparison, which is the database's own order of bytes.
    package init?(_ comparison: SortComparison) {
        guard let known = Self.allCases.first(where: { $0.comparison == comparison }) else { return nil }
        self = known
    }

    private var comparison: SortComparison {
        switch self {
        case .noCase: .caseInsensitiveCompare
        case .localeSensitive: .localizedCompare
        case .localeSensitiveNoCase: .localizedCaseInsensitiveCompare
        case .finderStyle: .localizedStandardCompare
        }
    }

    package func compare(_ left: String, with right: String) -> ComparisonResult {
        comparison.compare(left, with: right)
    }
}
