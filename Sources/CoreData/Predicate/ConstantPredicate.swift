// TRUEPREDICATE and FALSEPREDICATE.

import CoreDataPredicate
import Foundation

/// A predicate with a fixed answer.
final class ConstantPredicate: NSPredicate, TreePredicate {
    let value: Bool

    init(_ value: Bool) {
        self.value = value
        super.init(value: value)
    }

    var ownTree: PredicateTree { .constant(value) }
}
