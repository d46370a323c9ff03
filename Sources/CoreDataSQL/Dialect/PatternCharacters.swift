// The characters that parts of ICU's regular expressions take, as PostgreSQL's regular expressions have them.

import Foundation
import Synchronization

enum PatternCharacters {
    /// `.`, which takes a carriage return and the line feed behind it together.
    static let any = #"(?:[^\r]|\r\n|\r(?!\n))"#

    /// `^` within a pattern, behind each end of a line but at the text's end.
    static let lineStart = #"(?:^|(?<=[\n\v\f\r\u0085\u2028\u2029])(?!$))"#
    /// `$` within a pattern, before each end of a line; not between a carriage return and its line feed, where ICU lets a line begin.
    static let lineEnd = #"(?:$|(?=[\v\f\r\u0085\u2028\u2029])|(?<!\r)(?=\n))"#

    /// `\b`: a character that is no mark stands here, or the end, and it and the last one before that is no mark are not both
    /// of words, or both not.
    static let wordBoundary = "(?:\(behindWord)(?!\(wordOrMark))|\(behindNoWord)(?=\(word)))"
    /// `\B`, which marks stand behind as well.
    static let noWordBoundary =
        "(?:(?=\(mark))|\(behindWord)(?=\(word))|\(behindNoWord)(?!\(wordOrMark)))"

    private static let behindWord = "(?<=\(word)\(mark)*)"
    private static let behindNoWord = "(?<!\(word)\(mark)*)"
    private static let marks = #"\p{Grapheme_Extend}\p{Cf}"#
    private static let word = known(#"[\w&&[^\#(marks)]]"#)
    private static let mark = known("[\(marks)]")
    private static let wordOrMark = known(#"[\w\#(marks)]"#)

    private static func known(_ set: String) -> String { "[\(ranges(of: set, ignoresCase: false) ?? "")]" }

    /// Characters that have a letter behind a backslash.
    static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "n": "\n", "r": "\r", "t": "\t", "f": "\u{C}", "e": "\u{1B}", "a": "\u{7}",
    ]

    /// Returns whether a backslash before a character means the character.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (Character(scalar).isPunctuation || Character(scalar).isSymbol)
    }

    /// One character, in a set or outside.
    static func escaped(_ scalar: Unicode.Scalar) -> String {
        isMark(scalar) ? "\\\(scalar)" : String(scalar)
    }

    /// The only character of ranges.
    static func single(_ ranges: String) -> Unicode.Scalar? {
        let scalars = Array(ranges.unicodeScalars)
        if scalars.count == 2, scalars[0] == "\\" { return scalars[1] }
        return scalars.count == 1 ? scalars[0] : nil
    }

    // MARK: As ICU has them

    /// By bytes: strings that are canonically equal are equal in Swift.
    private struct Question: Hashable {
        let set: [UInt8]
        let ignoresCase: Bool
    }

    private static let answers = Mutex<[Question: String]>([:])

    /// Returns the characters that a part of a pattern takes, as ranges to stand in a set; `nil` for a part that is invalid or takes none.
    static func ranges(of part: String, ignoresCase: Bool) -> String? {
        let question = Question(set: Array(part.utf8), ignoresCase: ignoresCase)
        if let known = answers.withLock({ $0[question] }) { return known }
        guard let ranges = ranges(foundBy: part + "+", ignoresCase: ignoresCase), !ranges.isEmpty else {
            return nil
        }
        var text = ""
        for range in ranges {
            text += escaped(range.lowerBound)
            if range.upperBound != range.lowerBound { text += "-" + escaped(range.upperBound) }
        }
        answers.withLock { answers in
            if answers.count >= 64 { answers.removeAll() }
            answers[question] = text
        }
        return text
    }

    /// Looks at all characters but zero, by blocks, since ICU keeps a mark for each character of a repetition.
    private static func ranges(foundBy pattern: String, ignoresCase: Bool) -> [ClosedRange<Unicode.Scalar>]? {
        let length: UInt32 = 0x2000
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        for start in stride(from: UInt32(0), to: 0x110000, by: Int(length)) {
            let scalars = (max(start, 1)..<start + length).compactMap(Unicode.Scalar.init)
            // Half a block has no characters.
            if scalars.isEmpty { continue }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            guard let found = found(by: pattern, ignoresCase: ignoresCase, in: String(text)) else {
                return nil
            }
            let width = start < 0x10000 ? 1 : 2
            for range in found {
                let (first, last) = (
                    scalars[range.lowerBound / width], scalars[(range.upperBound - 1) / width]
                )
                if let before = ranges.last, before.upperBound.value + 1 == first.value {
                    ranges[ranges.count - 1] = before.lowerBound...last
                } else {
                    ranges.append(first...last)
                }
            }
        }
        return ranges
    }

    /// Returns the parts of a text, in units, that a pattern finds; `nil` if ICU gives up.
    static func found(by pattern: String, ignoresCase: Bool, in text: String) -> [Range<Int>]? {
        let options: NSRegularExpression.Options =
            ignoresCase ? [.caseInsensitive, .dotMatchesLineSeparators] : .dotMatchesLineSeparators
        guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
            return nil
        }
        var (found, isBroken): ([Range<Int>], Bool) = ([], false)
        let whole = NSRange(location: 0, length: text.utf16.count)
        expression.enumerateMatches(in: text, options: .reportCompletion, range: whole) { match, flags, _ in
            if flags.contains(.internalError) { isBroken = true }
            if let range = match?.range, range.length > 0 {
                found.append(range.location..<range.location + range.length)
            }
        }
        return isBroken ? nil : found
    }
}
