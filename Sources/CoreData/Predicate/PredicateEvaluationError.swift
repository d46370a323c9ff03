// The error of evaluations that throw.

import CoreDataPredicate
public import Foundation

/// The reason why a predicate or an expression has no value for an object: an unknown key, a variable
/// without a value, values that can't be compared, a pattern that costs too much.
public struct PredicateEvaluationError: LocalizedError, CustomNSError, Equatable, Sendable {
    /// One sentence that says what is wrong.
    public let reason: String

    init(_ failure: EvaluationFailure) {
        reason = failure.reason
    }

    public var errorDescription: String? { reason }
    public static var errorDomain: String { "CoreData.PredicateEvaluationError" }
    public var errorCode: Int { 1 }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: reason] }
}
