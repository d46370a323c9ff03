// Between Foundation's predicate objects and our trees.

package import CoreDataPredicate
import CoreDataSupport
public import Foundation

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
        case .and(let parts): CompoundPredicate(type: .and, subpredicates: parts.map(make))
        case .or(let parts): CompoundPredicate(type: .or, subpredicates: parts.map(make))
        case .not(let part): CompoundPredicate(type: .not, subpredicates: [make(part)])
        case .block(let reference): BlockPredicate(reference)
        }
    }

    /// What this predicate says: ours, one that Foundation made, or a client's subclass, which only it can
    /// evaluate.
    package var tree: PredicateTree {
        if let own = self as? any TreePredicate { return own.ownTree }
        if let compound = self as? NSCompoundPredicate { return compound.treeOfParts }
        return foundationConstant.map(PredicateTree.constant) ?? .block(ObjectReference(self))
    }

    /// Equality by structure, the same for every class of ours. A predicate equals what its format parses to:
    /// a constant array and the list of its elements are the same, as are true and 1.
    func hasTree(of object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        if other === self { return true }
        let (left, right) = (tree, other.tree)
        return left == right || left.canonical == right.canonical
    }
}

extension NSPredicate: PredicateTreeConvertible {
    package var predicateTree: PredicateTree { tree }
}

extension NSCompoundPredicate {
    /// The tree as the parts have it now: Foundation lets a client change them.
    var treeOfParts: PredicateTree {
        let parts = subpredicates.map { $0.tree }
        return switch compoundPredicateType {
        case .and: .and(parts)
        case .or: .or(parts)
        case .not: .not(parts.first ?? .constant(true))
        }
    }
}
