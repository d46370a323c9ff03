// A client's closure as a predicate.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// The closure of a block predicate: what the reference in `PredicateTree.block` holds.
final class PredicateBlock {
    typealias Body = (Any?, [String: Any]?) -> Bool

    let body: Body

    init(_ body: @escaping Body) {
        self.body = body
    }
}
