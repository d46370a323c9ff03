// Objects are found in values of any static type, and never taken for others.

import Foundation
import Testing

@testable import CoreData

private class Thing: NSObject {}
private final class OtherThing: Thing {}

@Suite struct ReferencesTests {
    @Test func anObjectIsFoundWhateverHoldsIt() {
        let thing = Thing()
        #expect(isReference(thing, in: thing))
        #expect(isReference(thing, in: thing as NSObject))
        #expect(isReference(thing, in: thing as AnyObject))
        #expect(isReference(thing as NSObject, in: thing))
        #expect(isReference(thing, in: AnyHashable(thing)))
        let optional: Thing? = thing
        #expect(isReference(thing, in: optional as Any))
    }

    @Test func otherValuesAreNotTheObject() {
        let thing = Thing()
        #expect(!isReference(thing, in: Thing()))
        #expect(!isReference(thing, in: OtherThing()))
        #expect(!isReference(thing, in: nil))
        #expect(!isReference(thing, in: 7))
        #expect(!isReference(thing, in: "thing"))
        #expect(!isReference(thing, in: ObjectIdentifier(thing)))
    }
}
