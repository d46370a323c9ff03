// MATCHES: a regular expression against a whole string, with a limit of steps.

import Foundation

/// A compiled pattern. Unchecked because Foundation's expressions never change once made and may be used from
/// any thread.
struct RegularExpressionMatch: @unchecked Sendable {
    private let expression: NSRegularExpression

    init(_ pattern: String, options: ComparisonOptions) throws(EvaluationFailure) {
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
    /// match ends alike on every machine, and looks at the processor's time, for some steps take long.
    func matches(_ text: String) throws(EvaluationFailure) -> Bool {
        var (reports, found, isRefused) = (0, false, false)
        var start = 0.0
        let options: NSRegularExpression.MatchingOptions = [.reportProgress, .reportCompletion, .anchored]
        let range = NSRange(location: 0, length: text.utf16.count)
        expression.enumerateMatches(in: text, options: options, range: range) { match, flags, stop in
            if match != nil { found = true }
            reports += 1
            if found { return stop.pointee = true }
            isRefused =
                flags.contains(.internalError) || reports > EvaluationLimits.matchReports
                || reports > 1 && Self.processorSeconds - start > EvaluationLimits.matchSeconds
            // Most strings take no second report, and reading the clock takes longer than they do.
            if reports == 1 && flags.contains(.progress) { start = Self.processorSeconds }
            if found || isRefused { stop.pointee = true }
        }
        if isRefused, !found {
            throw EvaluationFailure(reason: "MATCHES took too many steps for one string")
        }
        return found
    }

    /// The time that this thread has worked.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
