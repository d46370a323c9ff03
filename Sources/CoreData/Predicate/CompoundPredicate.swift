// The compound predicate that we make: Foundation's class with our format, equality, copies and archives.

import CoreDataPredicate
public import Foundation

/// AND, OR and NOT over predicates.
///
/// Formats are read into this class, and a client that writes
/// `typealias NSCompoundPredicate = CoreData.CompoundPredicate` makes its own compounds of it as well. The
/// ones of Foundation's class evaluate, fetch and compare the same, once this library made its first predicate, request
/// or model; subclasses of that class override `predicateFormat`, `isEqual`, `hash` and `copy` themselves.
open class CompoundPredicate: NSCompoundPredicate, TreePredicate {
    /// A compound of `type` over `subpredicates`; NOT takes one.
    ///
    /// - Parameters:
    ///   - type: AND, OR or NOT.
    ///   - subpredicates: what is compounded.
    public override init(type: LogicalType, subpredicates: [NSPredicate]) {
        FoundationRepairs.make()
        super.init(type: type, subpredicates: subpredicates)
    }

    var ownTree: PredicateTree { treeOfParts }

    /// The predicate as a format.
    open override var predicateFormat: String { ownTree.format }

    open override var description: String { predicateFormat }
    open override func isEqual(_ object: Any?) -> Bool { hasTree(of: object) }
    open override var hash: Int { ownTree.canonical.hashValue }
    open override var classForCoder: AnyClass { NSCompoundPredicate.self }

    open override func copy(with zone: NSZone? = nil) -> Any {
        CompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }
}
