// The one way in which we read `predicateFormat` of a predicate object: Foundation deprecates the property on
// its class because its own formats say little. Through a protocol, what counts is what the object's class
// answers.

import Foundation

/// The text of every predicate object.
protocol PredicateTexting {
    var predicateFormat: String { get }
}

extension NSPredicate: PredicateTexting {}

extension NSPredicate {
    /// The format as the object's own class gives it.
    var classFormat: String { (self as any PredicateTexting).predicateFormat }

    /// The value of a predicate that Foundation's `init(value:)` made; nil for any other. Foundation tells
    /// them apart in the format only.
    var foundationConstant: Bool? {
        guard type(of: self) == NSPredicate.self else { return nil }
        return switch classFormat {
        case "TRUEPREDICATE": true
        case "FALSEPREDICATE": false
        default: nil
        }
    }
}
