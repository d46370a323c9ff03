// The spellings of Booleans, numbers and dates that people and tools leave in source models.

import CoreDataSupport
import Foundation

enum SourceText {
    /// A number, and whether it is spelt as Xcode spells it.
    struct Number {
        /// An integer where it is whole and fits 64 bits, else a decimal number.
        var value: Value
        var isPlain: Bool
    }

    /// In lower case, without white space.
    static func folded(_ text: String) -> String {
        text.lowercased().filter { !$0.isWhitespace }
    }

    static func bool(_ text: String) -> Bool? {
        switch folded(text) {
        case "yes", "true", "1", "y", "t": true
        case "no", "false", "0", "n", "f": false
        default: nil
        }
    }

    /// The number that a text plainly means: also with spaces around it or between groups of three digits, with an
    /// exponent or a decimal comma, or as a Boolean. `nil` if it may mean two numbers, or none.
    static func number(_ text: String) -> Number? {
        if let whole = Int64(text) { return Number(value: .integer(whole), isPlain: true) }
        if let flag = bool(text) { return Number(value: .integer(flag ? 1 : 0), isPlain: false) }
        guard let spelt = digits(text), let decimal = decimal(spelt) else { return nil }
        let isPlain = spelt == text && !text.utf8.contains { "eE".utf8.contains($0) }
        if let whole = Int64("\(decimal)") { return Number(value: .integer(whole), isPlain: isPlain) }
        return Number(value: .decimal(decimal), isPlain: isPlain)
    }

    /// Foundation's initialiser takes a number's beginning for the whole, so the characters are looked at first.
    static func decimal(_ text: String) -> Decimal? {
        guard !text.isEmpty, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
            Double(text)?.isFinite == true,
            let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), number.isFinite
        else { return nil }
        return number
    }

    /// A date as seconds since 2001, or spelt out.
    static func date(_ text: String) -> (date: Date, isPlain: Bool)? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if let seconds = Double(text), seconds.isFinite {
            return (Date(timeIntervalSinceReferenceDate: seconds), true)
        }
        if let date = try? Date(text, strategy: .iso8601) { return (date, false) }
        // 2001-01-01 00:00:00 +0000, as dates are printed.
        let parts = text.split(separator: " ")
        if parts.count == 3, let date = try? Date("\(parts[0])T\(parts[1])\(parts[2])", strategy: .iso8601) {
            return (date, false)
        }
        return nil
    }

    /// The digits without spaces that only group them, with a point for a comma.
    private static func digits(_ text: String) -> String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let groups = trimmed.split(whereSeparator: \.isWhitespace)
        guard groups.dropFirst().allSatisfy({ $0.prefix { $0 != "," && $0 != "." }.count == 3 }) else {
            return nil
        }
        let joined = groups.joined()
        let parts = joined.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count == 1 { return joined }
        // 1,234 may be more than a thousand or more than one.
        guard parts.count == 2, !joined.contains("."), parts[1].count != 3 else { return nil }
        return parts.joined(separator: ".")
    }
}
