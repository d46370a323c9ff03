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
        case .comparison(let comparison): TreeComparison.make(comparison)
        case .and(let parts): CompoundPredicate(type: .and, subpredicates: parts.map(make))
        case .or(let parts): CompoundPredicate(type: .or, subpredicates: parts.map(make))
        case .not(let part): CompoundPredicate(type: .not, subpredicates: [make(part)])
        case .block(let reference): BlockPredicate(reference)
        }
    }

    /// What this predicate says: ours, one that Foundation made, or a client's subclass, which only it can
    /// evaluate.
    package var tree: PredicateTree {
        if let compound = self as? NSCompoundPredicate { return compound.treeOfParts }
        if let own = self as? any TreePredicate { return own.ownTree }
        return foundationConstant.map(PredicateTree.constant) ?? .block(ObjectReference(self))
    }

    /// The same for a part of a compound predicate; `nil` if it has more levels than these.
    fileprivate func partTree(levels: Int, flattening: Bool) -> PredicateTree? {
        guard let compound = self as? NSCompoundPredicate else { return tree }
        return compound.compoundTree(levels: levels, flattening: flattening)
    }

    /// Equality by structure, the same for every class of ours. A predicate equals what its format parses to:
    /// a constant array and the list of its elements are the same, as are true and 1.
    func hasTree(of object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        if other === self { return true }
        let (left, right) = (tree, other.tree)
        if left == TooDeepPredicate.tree { return false }
        return left == right || left.canonical == right.canonical
    }
}

extension NSPredicate: PredicateTreeConvertible {
    package var predicateTree: PredicateTree { tree }
}

extension NSCompoundPredicate {
    /// The tree as the parts have it now: Foundation lets a client change them.
    var treeOfParts: PredicateTree {
        compoundTree(levels: Self.levels, flattening: false)
            ?? compoundTree(levels: Self.levels, flattening: true) ?? TooDeepPredicate.tree
    }

    /// How many levels a tree of parts may have, so that whatever walks it has the stack for it.
    private static let levels = ParseLimits.depth

    /// - Parameter flattening: whether parts of the same kind, `(a AND b) AND c`, count as the parts of one level.
    fileprivate func compoundTree(levels: Int, flattening: Bool) -> PredicateTree? {
        if levels == 0 { return nil }
        var parts: [PredicateTree] = []
        for part in flattening ? flatParts : subpredicates {
            guard let tree = part.partTree(levels: levels - 1, flattening: flattening) else { return nil }
            parts.append(tree)
        }
        let tree: PredicateTree =
            switch compoundPredicateType {
            case .and: .and(parts)
            case .or: .or(parts)
            case .not: .not(parts.first ?? .constant(true))
            }
        return tree
    }

    /// The parts with those in place of a part that has the same kind.
    private var flatParts: [NSPredicate] {
        if compoundPredicateType == .not { return subpredicates }
        var work = Array(subpredicates.reversed())
        var parts: [NSPredicate] = []
        while let next = work.popLast() {
            if let compound = next as? NSCompoundPredicate,
                compound.compoundPredicateType == compoundPredicateType
            {
                work += compound.subpredicates.reversed()
            } else {
                parts.append(next)
            }
        }
        return parts
    }
}

/// Stands for a compound predicate with too many levels: what evaluates or translates it says so.
final class TooDeepPredicate: NSPredicate, TreePredicate, UntranslatedPredicate {
    private static let reference = ObjectReference(TooDeepPredicate(value: false))
    static let tree = PredicateTree.block(reference)
    static let reason = "The predicate is nested too deeply"

    static func check(_ predicate: NSPredicate) throws {
        if predicate is TooDeepPredicate { throw EvaluationFailure(reason: reason) }
    }

    var ownTree: PredicateTree { Self.tree }
    var obstacle: String? { Self.reason }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        ownTree.matches(object, bindings)
    }
}
