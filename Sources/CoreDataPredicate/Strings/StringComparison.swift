// The string operators of the predicate language. Evaluation in memory and the functions that SQL calls both
// come here, so that they agree.

package import Foundation

package enum StringComparison {
    /// Returns whether an operator holds between two strings.
    ///
    /// Without options bytes decide, as in a database's binary collation. `[c]` and `[d]` fold both sides,
    /// `[l]` compares by the current locale, `[n]` says that no work is needed and changes nothing.
    package static func matches(
        _ text: String, op: ComparisonOperator, pattern: String, options: ComparisonOptions
    ) throws(EvaluationFailure) -> Bool {
        if options.contains(.localeSensitive),
            let answer = localized(text, op: op, pattern: pattern, options: options)
        {
            return answer
        }
        return try StringMatcher.cached(op, pattern: pattern, options: options).matches(text)
    }

    /// The order of two strings under the options of a comparison.
    package static func order(_ left: String, right: String, options: ComparisonOptions)
        -> ComparisonResult
    {
        if options.contains(.localeSensitive) {
            return left.compare(right, options: String.CompareOptions(options), range: nil, locale: .current)
        }
        return bytes(
            StringFolding.fold(left, options: options), and: StringFolding.fold(right, options: options))
    }

    /// The string without case and diacritics: `canonical:`.
    package static func canonical(_ text: String) -> String {
        text.isASCII
            ? text.lowercased()
            : StringFolding.canonical(text, options: [.caseInsensitive, .diacriticInsensitive])
    }

    /// The order of two strings' UTF-8 bytes.
    package static func bytes(_ left: String, and right: String) -> ComparisonResult {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let count = min(left.count, right.count)
                for index in 0..<count where left[index] != right[index] {
                    return left[index] < right[index] ? .orderedAscending : .orderedDescending
                }
                return CoreDataPredicate.order(left.count, and: right.count)
            }
        }
    }

    /// Compares strings by the locale: the equality and order of whole strings.
    private static func localized(
        _ text: String, op: ComparisonOperator, pattern: String, options: ComparisonOptions
    ) -> Bool? {
        switch op {
        case .equalTo: order(text, right: pattern, options: options) == .orderedSame
        case .notEqualTo: order(text, right: pattern, options: options) != .orderedSame
        case .lessThan: order(text, right: pattern, options: options) == .orderedAscending
        case .lessThanOrEqualTo: order(text, right: pattern, options: options) != .orderedDescending
        case .greaterThan: order(text, right: pattern, options: options) == .orderedDescending
        case .greaterThanOrEqualTo: order(text, right: pattern, options: options) != .orderedAscending
        default: nil
        }
    }
}

extension SortComparison {
    /// The order of two strings under a sort descriptor's selector.
    package func compare(_ left: String, with right: String) -> ComparisonResult {
        switch self {
        case .compare, .unsignedCompare: StringComparison.bytes(left, and: right)
        case .caseInsensitiveCompare: StringComparison.order(left, right: right, options: .caseInsensitive)
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
