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
        switch comparison {
        case .compare: return nil
        case .caseInsensitiveCompare: self = .noCase
        case .localizedCompare: self = .localeSensitive
        case .localizedCaseInsensitiveCompare: self = .localeSensitiveNoCase
        case .localizedStandardCompare: self = .finderStyle
        }
    }

    package func compare(_ a: String, _ b: String) -> ComparisonResult {
        switch self {
        case .noCase: a.compare(b, options: .caseInsensitive)
        case .localeSensitive: a.compare(b, options: [], range: nil, locale: .current)
        case .localeSensitiveNoCase: a.compare(b, options: .caseInsensitive, range: nil, locale: .current)
        case .finderStyle:
            a.compare(
                b, options: [.caseInsensitive, .numeric, .forcedOrdering], range: nil, locale: .current)
        }
    }
}
