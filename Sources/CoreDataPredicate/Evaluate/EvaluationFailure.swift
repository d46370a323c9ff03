// The reason why a predicate has no answer for an object.

/// An error of an evaluation: an unknown key, an unbound variable, values that can't be compared.
package struct EvaluationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }

    package var description: String { reason }
}

/// The greatest cost that an evaluation may have.
package enum EvaluationLimits {
    /// Levels of a tree.
    package static let depth = 300
    /// UTF-16 units of a pattern for LIKE and MATCHES.
    package static let patternLength = 10_000
    /// Steps of one LIKE.
    package static let likeSteps = 200_000_000
    /// Reports of progress by the engine of one MATCHES, each of some ten thousand steps: about 0.3 s.
    package static let matchReports = 1000
    /// Seconds of the processor's time for one MATCHES, whose steps may cost more than usual.
    package static let matchSeconds = 0.3
}
