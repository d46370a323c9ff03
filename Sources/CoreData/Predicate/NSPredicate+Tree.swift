// Between Foundation's predicate objects and our trees.

package import CoreDataPredicate
import CoreDataSupport
public import Foundation

/// A predicate object of ours: it knows its tree.
protocol TreePredicate: NSPredicate {
    var ownTree: PredicateTree { get }
    /// The levels of the tree, predicates and expressions.
    var ownDepth: Int { get }
}

extension TreePredicate {
    var ownDepth: Int { ownTree.depth }
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

    /// The tree of this predicate: ours, one that Foundation made, or a client's subclass, which only it can
    /// evaluate.
    package var tree: PredicateTree {
        if let compound = self as? NSCompoundPredicate { return compound.treeOfParts }
        if let own = self as? any TreePredicate { return own.ownTree }
        return foundationConstant.map(PredicateTree.constant) ?? .block(ObjectReference(self))
    }

    /// The levels of `tree`.
    var depth: Int {
        if let compound = self as? NSCompoundPredicate { return compound.joined?.depth ?? 1 }
        return (self as? any TreePredicate)?.ownDepth ?? 1
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
    var treeOfParts: PredicateTree { joined?.tree ?? TooDeepPredicate.tree }

    /// The tree with its levels; `nil` if it has too many.
    fileprivate var joined: CompoundReader.Part? {
        // Most have no other compound among their parts.
        let parts = subpredicates
        if parts.count < CompoundReader.fewParts, !parts.contains(where: { $0 is NSCompoundPredicate }) {
            return (
                CompoundReader.tree(compoundPredicateType, parts: parts.map(\.tree)),
                1 + (parts.map(\.depth).max() ?? 0)
            )
        }
        var (exact, flattening) = (CompoundReader(isFlattening: false), CompoundReader(isFlattening: true))
        return exact.part(self, levels: CompoundReader.levels)
            ?? flattening.part(self, levels: CompoundReader.levels)
    }
}

/// Makes the tree of a compound predicate. Reads a part that stands at several places of a level only once.
private struct CompoundReader {
    typealias Part = (tree: PredicateTree, depth: Int)

    private struct Place: Hashable {
        let part: ObjectIdentifier
        let levels: Int
    }

    /// The number of levels that a tree of parts may have, so that code that walks it has the stack for it.
    static let levels = ParseLimits.depth
    /// The number of parts that a level may have together: those that stand there twice count twice.
    private static let partsLimit = 1_000_000
    static let fewParts = 1000

    /// Indicates whether parts of the same kind, `(a AND b) AND c`, count as the parts of one level.
    let isFlattening: Bool
    private var known: [Place: Part] = [:]

    init(isFlattening: Bool) {
        self.isFlattening = isFlattening
    }

    /// A part; `nil` if it has more levels than these.
    mutating func part(_ predicate: NSPredicate, levels: Int) -> Part? {
        guard let compound = predicate as? NSCompoundPredicate else {
            return (predicate.tree, predicate.depth)
        }
        let place = Place(part: ObjectIdentifier(compound), levels: levels)
        if let part = known[place] { return part }
        guard levels > 0, let members = isFlattening ? Self.flat(compound) : compound.subpredicates else {
            return nil
        }
        var (parts, depth): ([PredicateTree], Int) = ([], 0)
        for member in members {
            guard let part = part(member, levels: levels - 1) else { return nil }
            parts.append(part.tree)
            depth = max(depth, part.depth)
        }
        let tree = Self.tree(compound.compoundPredicateType, parts: parts)
        known[place] = (tree, depth + 1)
        return (tree, depth + 1)
    }

    static func tree(_ type: NSCompoundPredicate.LogicalType, parts: [PredicateTree]) -> PredicateTree {
        switch type {
        case .and: .and(parts)
        case .or: .or(parts)
        case .not: .not(parts.first ?? .constant(true))
        }
    }

    /// The parts with those in place of a part that has the same kind.
    private static func flat(_ compound: NSCompoundPredicate) -> [NSPredicate]? {
        let type = compound.compoundPredicateType
        if type == .not { return compound.subpredicates }
        var work = Array(compound.subpredicates.reversed())
        var parts: [NSPredicate] = []
        while let next = work.popLast() {
            if let inner = next as? NSCompoundPredicate, inner.compoundPredicateType == type {
                work += inner.subpredicates.reversed()
            } else {
                parts.append(next)
            }
            if work.count + parts.count > partsLimit { return nil }
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
        ownTree.matches(object, bindings: bindings)
    }
}
