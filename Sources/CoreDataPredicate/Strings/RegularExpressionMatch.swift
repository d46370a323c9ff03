// MATCHES: a regular expression against a whole string, with a limit in time.

import Foundation

/// A compiled pattern. Unchecked because Foundation's expressions never change once made and may be used from
/// any thread.
struct RegularExpressionMatch: @unchecked Sendable {
    private let expression: NSRegularExpression

    init(_ pattern: String, _ options: ComparisonOptions) throws(EvaluationFailure) {
        var flags: NSRegularExpression.Options = [.dotMatchesLineSeparators, .anchorsMatchLines]
        if options.contains(.caseInsensitive) { flags.insert(.caseInsensitive) }
        do {
            // Alone first: a stray parenthesis must not become valid by what stands around it.
            _ = try NSRegularExpression(pattern: pattern, options: flags)
            expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: flags)
        } catch {
            throw EvaluationFailure(
                reason: "MATCHES needs a regular expression, and this is none: \(pattern)")
        }
    }

    func matches(_ text: String) throws(EvaluationFailure) -> Bool {
        let deadline = ContinuousClock.now + EvaluationLimits.matchTime
        var found = false
        var isLate = false
        let range = NSRange(location: 0, length: text.utf16.count)
        expression.enumerateMatches(in: text, options: [.reportProgress, .anchored], range: range) {
            match, _, stop in
            if match != nil {
                found = true
                stop.pointee = true
            } else if ContinuousClock.now > deadline {
                isLate = true
                stop.pointee = true
            }
        }
        if isLate {
            throw EvaluationFailure(reason: "MATCHES took too long for one string")
        }
        return found
    }
}
