// The evaluator's access to objects.

package import CoreDataSupport

/// An object whose values a predicate may read. Managed objects conform; nothing else is reachable by a key.
package protocol KeyValueReadable: AnyObject {
    /// The value of one key; throws for a key that the object does not have.
    func predicateValue(forKey key: String) throws -> Value
    /// The keys that `ANYKEY` stands for.
    var predicateKeys: [String] { get }
    /// Returns whether a key path from the object goes through a to-many key. A collection behind a single
    /// key for which this is false is one value.
    func predicatePathIsToMany(_ path: ArraySlice<Substring>) -> Bool
}

extension KeyValueReadable {
    package var predicateKeys: [String] { [] }

    package func predicatePathIsToMany(_ path: ArraySlice<Substring>) -> Bool { path.count == 1 }
}

/// An object that counts as equal to every other object with the same identity: a managed object and its ID.
package protocol PredicateIdentity: AnyObject {
    var predicateIdentity: AnyObject { get }
}

extension ObjectReference {
    /// Returns whether two references mean the same object.
    func isSame(as other: ObjectReference) -> Bool {
        if self == other { return true }
        let left = (object as? any PredicateIdentity)?.predicateIdentity ?? object
        let right = (other.object as? any PredicateIdentity)?.predicateIdentity ?? other.object
        return ObjectReference(left) == ObjectReference(right)
    }
}
