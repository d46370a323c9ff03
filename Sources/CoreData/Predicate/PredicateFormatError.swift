// The error of the throwing initialisers.

import CoreDataPredicate
public import Foundation

/// The reason why a predicate's or an expression's format could not be read.
public struct PredicateFormatError: LocalizedError, CustomNSError, Equatable, Sendable {
    /// One sentence that says what is wrong.
    public let reason: String
    /// The position of the mistake: characters from the start of the format.
    public let position: Int
    /// The number of wrong characters; 0 when something is missing.
    public let length: Int

    init(_ failure: ParseFailure) {
        reason = failure.reason
        position = failure.position
        length = failure.length
    }

    public var errorDescription: String? { "\(reason) (at character \(position))" }
    public static var errorDomain: String { "CoreData.PredicateFormatError" }
    public var errorCode: Int { 1 }
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: "\(reason) (at character \(position))"]
    }
}
