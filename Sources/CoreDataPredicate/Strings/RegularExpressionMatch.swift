// MATCHES: a regular expression against a whole string, with a limit of steps.

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
            if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern, options: flags) }
            expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: flags)
        } catch {
            throw EvaluationFailure(
                reason: "MATCHES needs a regular expression, and this is none: \(pattern)")
        }
    }

    /// Counts the engine's reports of progress, which come after a fixed number of steps, so that the same
    /// match ends alike on every machine. The engine gives up in silence after about twice as many.
    func matches(_ text: String) throws(EvaluationFailure) -> Bool {
        var (reports, found, isRefused) = (0, false, false)
        let options: NSRegularExpression.MatchingOptions = [.reportProgress, .reportCompletion, .anchored]
        let range = NSRange(location: 0, length: text.utf16.count)
        expression.enumerateMatches(in: text, options: options, range: range) { match, flags, stop in
            if match != nil { found = true }
            reports += 1
            isRefused = flags.contains(.internalError) || reports > EvaluationLimits.matchReports
            if found || isRefused { stop.pointee = true }
        }
        if isRefused, !found {
            throw EvaluationFailure(reason: "MATCHES took too many steps for one string")
        }
        return found
    }
}
