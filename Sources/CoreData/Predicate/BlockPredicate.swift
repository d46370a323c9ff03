// NSPredicate(block:), and any other closure as a predicate object.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// A predicate that asks a closure. Two are equal when they share the closure object.
final class BlockPredicate: NSPredicate, TreePredicate {
    let reference: ObjectReference

    init(_ reference: ObjectReference) {
        self.reference = reference
        let block = reference.object as? PredicateBlock
        super.init(block: { block?.body($0, $1) ?? false })
    }

    var ownTree: PredicateTree { .block(reference) }
}
