// Between Foundation's predicate objects and our trees.

package import CoreDataPredicate
import CoreDataSupport
package import Foundation

/// A predicate object of ours: it knows its tree.
protocol TreePredicate: NSPredicate {
    var ownTree: PredicateTree { get }
}

extension NSPredicate {
    /// The predicate object for a tree, of the class that Apple would have given it.
    package static func make(_ tree: PredicateTree) -> NSPredicate {
        switch tree {
        case .constant(let value): ConstantPredicate(value)
        case .comparison(let comparison): NSComparisonPredicate(comparison)
        case .and(let parts): TreeCompoundPredicate(.and, parts.map(make))
        case .or(let parts): TreeCompoundPredicate(.or, parts.map(make))
        case .not(let part): TreeCompoundPredicate(.not, [make(part)])
        case .block(let reference): BlockPredicate(reference)
        }
    }

    /// What this predicate says: ours, one that Foundation made, or a client's subclass, which only it can
    /// evaluate.
    package var tree: PredicateTree {
        if let own = self as? any TreePredicate { return own.ownTree }
        if let compound = self as? NSCompoundPredicate { return compound.treeOfParts }
        return foundationConstant.map(PredicateTree.constant)
            ?? .block(ObjectReference(PredicateBlock { self.evaluate(with: $0, substitutionVariables: $1) }))
    }
}

extension NSCompoundPredicate {
    /// The tree as the parts have it now: Foundation lets a client change them.
    var treeOfParts: PredicateTree {
        let parts = subpredicates.map(\.tree)
        return switch compoundPredicateType {
        case .and: .and(parts)
        case .or: .or(parts)
        case .not: .not(parts.first ?? .constant(true))
        }
    }
}
