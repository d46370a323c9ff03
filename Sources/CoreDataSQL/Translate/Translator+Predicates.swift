// Predicates: compound forms and quantifiers. Every condition is two-valued where it is negated, as in
// memory: what compares with nil is false, and its negation true.

import CoreDataPredicate
import CoreDataSupport

extension SQLFragment {
    static let always: SQLFragment = "1 = 1"
    static let never: SQLFragment = "1 = 0"

    /// (condition) IS NOT TRUE
    var negated: SQLFragment {
        if self == .always { return .never }
        if self == .never { return .always }
        return "(\(self)) IS NOT TRUE"
    }

    static func truth(_ value: Bool) -> SQLFragment { value ? .always : .never }
}

extension Translator {
    func condition(
        _ tree: PredicateTree, outer: Environment
    ) throws(TranslationFailure) -> SQLFragment {
        let environment = try outer.deeper()
        switch tree {
        case .constant(let truth):
            return .truth(truth)
        case .and(let parts):
            return Self.chain(
                try conditions(tree.flattened(parts), environment: environment), word: " AND ", empty: .always
            )
        case .or(let parts):
            return Self.chain(
                try conditions(tree.flattened(parts), environment: environment), word: " OR ", empty: .never)
        case .not(let part):
            var (inner, isNegated) = (part, true)
            while case .not(let next) = inner { (inner, isNegated) = (next, !isNegated) }
            let test = try condition(inner, outer: environment)
            return isNegated ? test.negated : test
        case .comparison(let comparison):
            return try condition(comparison, environment: environment)
        case .block(let block):
            let obstacle = (block.object as? any UntranslatedPredicate)?.obstacle
            throw TranslationFailure(
                obstacle ?? "a block predicate has no SQL form: it can be evaluated in memory only")
        }
    }

    /// Compounds come first: what stands before an open parenthesis stays on the stack of a parser.
    private func conditions(
        _ trees: [PredicateTree], environment: Environment
    ) throws(TranslationFailure) -> [SQLFragment] {
        var result: [SQLFragment] = []
        var trees = trees
        if environment.depth > 4 { trees = trees.filter(\.isCompound) + trees.filter { !$0.isCompound } }
        for tree in trees { result.append(try condition(tree, outer: environment)) }
        return result
    }

    /// (a AND b AND c). Long chains are halved, as databases bound the depth of a flat chain too.
    static func chain(_ parts: [SQLFragment], word: SQLFragment, empty: SQLFragment) -> SQLFragment {
        guard let first = parts.first else { return empty }
        if parts.count == 1 { return first }
        if parts.count <= 64 { return "(\(parts.joined(separator: word)))" }
        let middle = parts.count / 2
        let left = chain(Array(parts[..<middle]), word: word, empty: empty)
        let right = chain(Array(parts[middle...]), word: word, empty: empty)
        return "(\(left)\(word)\(right))"
    }

    private func condition(
        _ comparison: PredicateTree.Comparison, environment: Environment
    ) throws(TranslationFailure) -> SQLFragment {
        if comparison.op == .customSelector { return try custom(comparison, environment: environment) }
        let left = try operand(comparison.left, outer: environment)
        let right = try operand(comparison.right, outer: environment)
        switch comparison.modifier {
        case .direct:
            return try compare(left, op: comparison.op, right: right, options: comparison.options)
        case .any, .all:
            return try quantified(left, comparison: comparison, right: right)
        }
    }
}

extension Translator {
    /// A comparison by one of the selectors that the language knows is the operator that it stands for.
    private func custom(
        _ comparison: PredicateTree.Comparison, environment: Environment
    ) throws(TranslationFailure) -> SQLFragment {
        let selector = comparison.customSelector ?? "?"
        guard let known = ComparisonSelector.known[selector], comparison.modifier == .direct else {
            throw TranslationFailure("a comparison by the selector \(selector) has no SQL form")
        }
        var plain = comparison
        plain.op = known.op
        plain.options = known.options
        plain.customSelector = nil
        let test = try condition(plain, environment: environment)
        return known.isNegated ? test.negated : test
    }
}

extension PredicateTree {
    fileprivate var isCompound: Bool {
        switch self {
        case .and, .or, .not: true
        case .comparison, .constant, .block: false
        }
    }

    /// The parts with those of nested compounds of the same kind in their place, however deep: clients build
    /// long conditions one part at a time.
    fileprivate func flattened(_ parts: [PredicateTree]) -> [PredicateTree] {
        var result: [PredicateTree] = []
        var pending = Array(parts.reversed())
        while let next = pending.popLast() {
            switch (self, next) {
            case (.and, .and(let inner)), (.or, .or(let inner)): pending.append(contentsOf: inner.reversed())
            default: result.append(next)
            }
        }
        return result
    }
}

// MARK: - ANY, ALL

extension Translator {
    private func quantified(
        _ left: Operand, comparison: PredicateTree.Comparison, right: Operand
    ) throws(TranslationFailure) -> SQLFragment {
        let isAny = comparison.modifier == .any
        switch left {
        case .collection(let collection):
            let test = try compare(
                collection.operand, op: comparison.op, right: right, options: comparison.options)
            if !isAny {
                return "NOT EXISTS (\(collection.select("1", where: test.negated)))"
            }
            return collection.contains(test, isSelective: right.isKnown && comparison.op.isSelective)
        case .list(let items):
            return try quantified(items, comparison: comparison, right: right)
        case .constant(.array(let items)):
            return try quantified(items.map(Operand.constant), comparison: comparison, right: right)
        case .constant(.set(let items)):
            return try quantified(items.map(Operand.constant), comparison: comparison, right: right)
        case .constant, .scalar, .object:
            throw TranslationFailure(
                "the left side of \(isAny ? "ANY" : "ALL") must be a to-many key path or a collection")
        }
    }

    private func quantified(
        _ items: [Operand], comparison: PredicateTree.Comparison, right: Operand
    ) throws(TranslationFailure) -> SQLFragment {
        guard items.count <= Self.longestInlineList else {
            throw TranslationFailure("ANY and ALL take up to \(Self.longestInlineList) values")
        }
        var tests: [SQLFragment] = []
        for item in items {
            tests.append(try compare(item, op: comparison.op, right: right, options: comparison.options))
        }
        return comparison.modifier == .any
            ? Self.chain(tests, word: " OR ", empty: .never)
            : Self.chain(tests, word: " AND ", empty: .always)
    }
}

extension CollectionOperand {
    /// One element as an operand inside the subselect.
    var operand: Operand {
        switch element {
        case .row(let row): .object(row)
        case .scalar(let scalar): .scalar(scalar)
        }
    }

    /// EXISTS (SELECT 1 FROM … WHERE tie AND test); where the test speaks of the inner rows alone and selects
    /// few of them, outerKey IN (SELECT innerKey FROM … WHERE test), so that an index of the inner side
    /// serves.
    func contains(_ test: SQLFragment, isSelective: Bool) -> SQLFragment {
        if let link, isSelective, scope.conditions.isEmpty {
            return "\(link.outerKey) IN (\(scope.select(link.innerKey, where: test)))"
        }
        return "EXISTS (\(select("1", where: test)))"
    }
}

extension ComparisonOperator {
    /// Indicates whether the operator usually picks few values, by an index if there is one.
    var isSelective: Bool { self == .equalTo || self == .in }
}
