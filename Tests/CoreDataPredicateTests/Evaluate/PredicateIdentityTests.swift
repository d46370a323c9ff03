// The objects that count as the same.

import CoreDataPredicate
import CoreDataSupport
import Testing

/// An object and another that stands for it, as a managed object and its ID.
@Suite struct PredicateIdentityTests {
    private final class Identified: PredicateIdentity {
        let predicateIdentity: AnyObject
        init(_ identity: AnyObject) { predicateIdentity = identity }
    }

    @Test func objectsAndTheirIdentitiesAreEqual() throws {
        let identity = Person([:])
        let object = Value(Identified(identity))
        let other = Value(Identified(Person([:])))
        func matches(_ format: String, _ arguments: [Any?]) throws -> Bool {
            try Evaluator().matches(PredicateParser.predicate(format, arguments: arguments), object: object)
        }
        #expect(try matches("SELF == %@", [identity]))
        #expect(try matches("SELF IN %@", [[identity]]))
        #expect(try matches("SELF IN %@", [[other.any, Identified(identity)]]))
        #expect(try !matches("SELF IN %@", [[other.any]]))
        #expect(try matches("SELF != %@", [other.any]))
        #expect(try matches("({SELF} UNION {%@})[SIZE] == 1", [identity]))
    }
}
