// The compound predicate that we make: Foundation's class with our format, equality and copies.

import CoreDataPredicate
import Foundation

/// AND, OR and NOT over predicates.
final class TreeCompoundPredicate: NSCompoundPredicate, TreePredicate {
    init(_ type: LogicalType, _ parts: [NSPredicate]) {
        super.init(type: type, subpredicates: parts)
    }

    var ownTree: PredicateTree { treeOfParts }
}
