// The reason why a store can't understand a Swift predicate, or a part of one.

import Foundation

/// A part that has no form in the predicate language, named.
struct UntranslatableExpression: Error, CustomStringConvertible {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// A kind of expression without a form, named as the type that Foundation builds for it.
    init(_ expression: Any, why: String = "") {
        let name = String(describing: type(of: expression)).prefix { $0 != "<" }
        reason = "\(name) has no SQL form" + (why.isEmpty ? "" : ": " + why)
    }

    var description: String { reason }
}
