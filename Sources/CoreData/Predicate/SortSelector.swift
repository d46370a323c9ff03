// The comparison methods that a sort descriptor may name.

import CoreDataPredicate

/// The name of a comparison method: what `#selector(NSString.localizedStandardCompare(_:))` is on Apple's
/// systems.
public struct SortSelector: Sendable, Hashable, CustomStringConvertible {
    let comparison: SortComparison

    /// Ascending by the values' own order.
    public static let compare = SortSelector(comparison: .compare)
    /// Strings without regard to case.
    public static let caseInsensitiveCompare = SortSelector(comparison: .caseInsensitiveCompare)
    /// Strings in the order of the user's language.
    public static let localizedCompare = SortSelector(comparison: .localizedCompare)
    /// Strings in the order of the user's language, without regard to case.
    public static let localizedCaseInsensitiveCompare = SortSelector(
        comparison: .localizedCaseInsensitiveCompare)
    /// Strings as a file list shows them: numbers inside by their value.
    public static let localizedStandardCompare = SortSelector(comparison: .localizedStandardCompare)

    /// Integers by their bits as unsigned ones.
    @_spi(SwiftData)
    public static let unsignedCompare = SortSelector(comparison: .unsignedCompare)

    /// Returns true for the types whose values are stored by their bits, and sorted by `unsignedCompare`.
    @_spi(SwiftData)
    public static func isUnsigned(_ type: Any.Type) -> Bool { PredicateScope.isUnsigned(type) }

    init(comparison: SortComparison) {
        self.comparison = comparison
    }

    /// The selector of that name, with or without the colon; nil when no store knows it.
    public init?(_ name: String) {
        let full = name.hasSuffix(":") ? name : name + ":"
        guard let comparison = SortComparison(rawValue: full) else { return nil }
        self.comparison = comparison
    }

    /// The name with its colon: `compare:`.
    public var description: String { comparison.rawValue }
}
