// The string operators of the predicate language. Evaluation in memory and the functions that SQL calls both
// come here, so that they agree.

package import Foundation

package enum StringComparison {
    /// Returns whether an operator holds between two strings.
    ///
    /// Without options bytes decide, as in a database's binary collation. `[c]` and `[d]` fold both sides,
    /// `[l]` compares by the current locale, `[n]` says that no work is needed and changes nothing.
    package static func matches(
        _ text: String, _ op: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions
    ) throws(EvaluationFailure) -> Bool {
        if options.contains(.localeSensitive), let answer = localized(text, op, pattern, options) {
            return answer
        }
        return try StringMatcher.cached(op, pattern, options).matches(text)
    }

    /// The order of two strings under the options of a comparison.
    package static func order(_ left: String, _ right: String, _ options: ComparisonOptions)
        -> ComparisonResult
    {
        if options.contains(.localeSensitive) {
            return left.compare(right, options: String.CompareOptions(options), range: nil, locale: .current)
        }
        return bytes(StringFolding.fold(left, options), StringFolding.fold(right, options))
    }

    /// The string without case and diacritics: `canonical:`.
    package static func canonical(_ text: String) -> String {
        text.isASCII
            ? text.lowercased() : StringFolding.canonical(text, [.caseInsensitive, .diacriticInsensitive])
    }

    /// The order of two strings' UTF-8 bytes.
    package static func bytes(_ left: String, _ right: String) -> ComparisonResult {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let count = min(left.count, right.count)
                for index in 0..<count where left[index] != right[index] {
                    return left[index] < right[index] ? .orderedAscending : .orderedDescending
                }
                return CoreDataPredicate.order(left.count, right.count)
            }
        }
    }

    /// Compares strings by the locale: the equality and order of whole strings.
    private static func localized(
        _ text: String, _ op: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions
    ) -> Bool? {
        switch op {
        case .equalTo: order(text, pattern, options) == .orderedSame
        case .notEqualTo: order(text, pattern, options) != .orderedSame
        case .lessThan: order(text, pattern, options) == .orderedAscending
        case .lessThanOrEqualTo: order(text, pattern, options) != .orderedDescending
        case .greaterThan: order(text, pattern, options) == .orderedDescending
        case .greaterThanOrEqualTo: order(text, pattern, options) != .orderedAscending
        default: nil
        }
    }
}

extension SortComparison {
    /// The order of two strings under a sort descriptor's selector.
    package func compare(_ left: String, _ right: String) -> ComparisonResult {
        switch self {
        case .compare: StringComparison.bytes(left, right)
        case .caseInsensitiveCompare: StringComparison.order(left, right, .caseInsensitive)
        case .localizedCompare: left.compare(right, options: [], range: nil, locale: .current)
        case .localizedCaseInsensitiveCompare:
            left.compare(right, options: .caseInsensitive, range: nil, locale: .current)
        case .localizedStandardCompare:
            left.compare(
                right, options: [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering], range: nil,
                locale: .current)
        }
    }
}
