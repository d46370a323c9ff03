// TRUEPREDICATE and FALSEPREDICATE.

import CoreDataPredicate
import Foundation

/// A predicate with a fixed answer. Foundation evaluates it.
final class ConstantPredicate: NSPredicate, TreePredicate {
    let value: Bool

    init(_ value: Bool) {
        self.value = value
        super.init(value: value)
    }

    var ownTree: PredicateTree { .constant(value) }

    override var predicateFormat: String { ownTree.format }
    override var description: String { predicateFormat }
    override func isEqual(_ object: Any?) -> Bool { hasTree(of: object) }
    override var hash: Int { ownTree.canonical.hashValue }
    override var classForCoder: AnyClass { NSPredicate.self }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}
