// The objects that the relationships of one object lead to, by the relationships' numbers.

import CoreDataSupport
import Foundation

/// An object (to-one) or a `ToMany` for each relationship that was touched.
///
/// In memory of its own, which is made for each of many new objects: an array costs several times as much to make, and a look
/// into it counts references to it. A loop over all of them goes over a copy, for a client's code may change them.
struct RelationValues: ~Copyable {
    private let places: UnsafeMutablePointer<AnyObject?>
    let count: Int

    init(count: Int) {
        places = .allocate(capacity: count)
        places.initialize(repeating: nil, count: count)
        self.count = count
    }

    deinit {
        places.deinitialize(count: count)
        places.deallocate()
    }

    var indices: Range<Int> { 0..<count }

    subscript(number: Int) -> AnyObject? {
        get {
            invariant(indices.contains(number), "a relationship's number is one of its entity's")
            return places[number]
        }
        nonmutating set {
            invariant(indices.contains(number), "a relationship's number is one of its entity's")
            places[number] = newValue
        }
    }

    /// The object or members of a relationship, without counting a reference.
    @inline(__always)
    func reference(_ number: Int) -> Unmanaged<AnyObject>? {
        UnsafeRawPointer(places + number).load(as: Unmanaged<AnyObject>?.self)
    }

    /// All of them as they are now.
    var all: [AnyObject?] { Array(UnsafeBufferPointer(start: places, count: count)) }

    /// Indicates that a condition, which calls no client's code, holds for one of them: asked of each object that leaves, without a copy.
    func contains(where condition: (AnyObject?) -> Bool) -> Bool {
        indices.contains { condition(places[$0]) }
    }

    /// Indicates that no relationship was touched, or each was forgotten.
    var areEmpty: Bool { indices.allSatisfy { reference($0) == nil } }
}
