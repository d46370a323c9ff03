// One value as the layers below the public classes see it: a predicate's constant, an attribute's default,
// a cell of a row. The public classes convert from and to Foundation's types at their edge.

package import Foundation

/// A value without its Foundation box.
package indirect enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case array([Value])
    case set(Set<Value>)
    case dictionary([Value: Value])
    /// Anything else: a managed object, an object ID, a value of a client's own class.
    case object(ObjectReference)
}

/// A reference to an object that the lower layers pass along without looking inside.
///
/// Unchecked because predicates hand their constants on as they are; who evaluates a predicate does so in the
/// confinement of the objects that it names, as with Apple's framework.
package struct ObjectReference: @unchecked Sendable, Hashable {
    package let object: AnyObject

    package init(_ object: AnyObject) {
        self.object = object
    }

    package static func == (left: ObjectReference, right: ObjectReference) -> Bool {
        if left.object === right.object { return true }
        guard let left = left.object as? NSObject, let right = right.object as? NSObject else { return false }
        return left.isEqual(right)
    }

    package func hash(into hasher: inout Hasher) {
        if let object = object as? NSObject {
            hasher.combine(object.hash)
        } else {
            hasher.combine(ObjectIdentifier(object))
        }
    }
}
