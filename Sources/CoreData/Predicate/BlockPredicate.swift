// A closure that came out of a tree, as a predicate object.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// A predicate that asks a closure. Two are equal when they share the closure object.
final class BlockPredicate: NSPredicate, TreePredicate {
    let reference: ObjectReference

    init(_ reference: ObjectReference) {
        self.reference = reference
        super.init(value: false)
    }

    var ownTree: PredicateTree { .block(reference) }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        ownTree.matches(object, bindings: bindings)
    }

    override var predicateFormat: String { ownTree.format }
    override var description: String { predicateFormat }
    override func isEqual(_ object: Any?) -> Bool { hasTree(of: object) }
    override var hash: Int { ownTree.canonical.hashValue }
    override var classForCoder: AnyClass { NSPredicate.self }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}
