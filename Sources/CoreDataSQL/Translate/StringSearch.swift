// The string operators on two texts, as SQL calls them.

import CoreDataPredicate
import Foundation

enum StringSearch {
    static func matches(
        _ text: String, _ op: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions
    ) throws -> Bool {
        switch op {
        case .contains: return range(text, pattern, options, []) != nil
        case .beginsWith: return range(text, pattern, options, .anchored) != nil
        case .endsWith: return range(text, pattern, options, [.anchored, .backwards]) != nil
        case .like: return try regular(text, expression(like: pattern), options)
        case .matches: return try regular(text, pattern, options)
        case .equalTo, .notEqualTo: return order(text, pattern, options) == .orderedSame
        case .lessThan: return order(text, pattern, options) == .orderedAscending
        case .lessThanOrEqualTo: return order(text, pattern, options) != .orderedDescending
        case .greaterThan: return order(text, pattern, options) == .orderedDescending
        case .greaterThanOrEqualTo: return order(text, pattern, options) != .orderedAscending
        case .in, .between, .customSelector: return false
        }
    }

    static func folded(_ text: String, _ options: ComparisonOptions) -> String {
        text.folding(options: compareOptions(options), locale: locale(options))
    }

    private static func order(_ a: String, _ b: String, _ options: ComparisonOptions) -> ComparisonResult {
        a.compare(b, options: compareOptions(options), range: nil, locale: locale(options))
    }

    private static func range(
        _ text: String, _ pattern: String, _ options: ComparisonOptions, _ more: String.CompareOptions
    ) -> Range<String.Index>? {
        text.range(of: pattern, options: compareOptions(options).union(more), locale: locale(options))
    }

    private static func regular(
        _ text: String, _ pattern: String, _ options: ComparisonOptions
    ) throws -> Bool {
        let isFolded = options.contains(.diacriticInsensitive)
        let pattern = isFolded ? folded(pattern, .diacriticInsensitive) : pattern
        let text = isFolded ? folded(text, .diacriticInsensitive) : text
        var flags: NSRegularExpression.Options = [.dotMatchesLineSeparators]
        if options.contains(.caseInsensitive) { flags.insert(.caseInsensitive) }
        let regex = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: flags)
        return regex.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }

    /// `*` and `?` as a regular expression, `\` takes them literally.
    private static func expression(like pattern: String) -> String {
        var result = ""
        var isEscaped = false
        for character in pattern {
            switch character {
            case _ where isEscaped:
                result += NSRegularExpression.escapedPattern(for: String(character))
                isEscaped = false
            case "\\": isEscaped = true
            case "*": result += ".*"
            case "?": result += "."
            default: result += NSRegularExpression.escapedPattern(for: String(character))
            }
        }
        return result
    }

    private static func compareOptions(_ options: ComparisonOptions) -> String.CompareOptions {
        var result: String.CompareOptions = []
        if options.contains(.caseInsensitive) { result.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { result.insert(.diacriticInsensitive) }
        if result.isEmpty, !options.contains(.localeSensitive) { result.insert(.literal) }
        return result
    }

    private static func locale(_ options: ComparisonOptions) -> Locale? {
        options.contains(.localeSensitive) ? Locale.current : nil
    }
}
