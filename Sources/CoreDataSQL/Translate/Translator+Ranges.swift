// Ranges of attributes that an R-tree is over. The tree says which rows may be in them; what the predicate says stays.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension Translator {
    /// `t0.Z_PK IN (SELECT Z_PK FROM tree WHERE …)` for the tree that knows most about what must hold of a row; `nil`
    /// if none knows anything.
    func ranges(of predicate: PredicateTree, _ row: RowOperand) throws(TranslationFailure) -> SQLFragment? {
        guard place == .statement, !context.layout.rangeTrees.isEmpty else { return nil }
        let table = try table(of: row.entity)
        let parts = predicate.requirements
        var best: (tree: RangeTree, bounds: [RangeBound])?
        for tree in context.layout.rangeTrees
        where tree.table == table.table && context.index.entity(row.entity, isKindOf: tree.entity) {
            if let partial = tree.predicate, !partial.requirements.allSatisfy(parts.contains) { continue }
            let bounds = parts.flatMap { RangeBound.bounds(of: $0, in: table) }
                .filter { tree.columns.contains($0.column) }
            if bounds.count > best?.bounds.count ?? 0 { best = (tree, bounds) }
        }
        guard let best else { return nil }
        let conditions = best.bounds.map(\.condition).joined(separator: " AND ")
        return "\(row.key) IN (SELECT Z_PK FROM \(name: best.tree.name) WHERE \(conditions))"
    }
}

/// One end of a range, ends included: what SQLite's conversion of values keeps is their order, not their difference.
private struct RangeBound {
    var column: String
    var isLower: Bool
    var value: SQLBinding

    /// A row's interval in the tree has to reach into the range.
    var condition: SQLFragment {
        isLower
            ? "\(name: column + "_MAX") >= \(binding: value)"
            : "\(name: column + "_MIN") <= \(binding: value)"
    }

    static func bounds(of part: PredicateTree, in table: EntityTable) -> [RangeBound] {
        guard case .comparison(let comparison) = part, comparison.modifier == .direct else { return [] }
        if let column = column(comparison.left, table: table) {
            return bounds(column, op: comparison.op, tree: comparison.right)
        }
        guard let column = column(comparison.right, table: table), let op = comparison.op.mirrored else {
            return []
        }
        return bounds(column, op: op, tree: comparison.left)
    }

    private static func column(_ tree: ExpressionTree, table: EntityTable) -> String? {
        switch tree {
        case .keyPath(.evaluatedObject, let path): return table.rangeColumn(path)
        case .function(operand: nil, name: "indexed:by:", let arguments):
            guard arguments.count == 2, case .keyPath(.evaluatedObject, let path) = arguments[0] else {
                return nil
            }
            return table.rangeColumn(path)
        default: return nil
        }
    }

    private static func bounds(
        _ column: String, op: ComparisonOperator, tree: ExpressionTree
    ) -> [RangeBound] {
        func bound(_ tree: ExpressionTree, isLower: Bool) -> [RangeBound] {
            guard case .constant(let value) = tree, let number = number(value) else { return [] }
            return [RangeBound(column: column, isLower: isLower, value: number)]
        }
        switch op {
        case .greaterThan, .greaterThanOrEqualTo: return bound(tree, isLower: true)
        case .lessThan, .lessThanOrEqualTo: return bound(tree, isLower: false)
        case .equalTo: return bound(tree, isLower: true) + bound(tree, isLower: false)
        case .between:
            let ends: [ExpressionTree]
            switch tree {
            case .aggregate(let items): ends = items
            case .constant(.array(let items)): ends = items.map(ExpressionTree.constant)
            default: return []
            }
            if ends.count != 2 { return [] }
            return bound(ends[0], isLower: true) + bound(ends[1], isLower: false)
        default: return []
        }
    }

    private static func number(_ value: Value) -> SQLBinding? {
        switch SQLBinding(value) {
        case .integer(let number)?: .integer(number)
        case .double(let number)?: number.isNaN ? nil : .double(number)
        default: nil
        }
    }
}

extension PredicateTree {
    /// The parts of the predicate that must hold of every row.
    fileprivate var requirements: [PredicateTree] {
        var result: [PredicateTree] = []
        var pending = [self]
        while let next = pending.popLast() {
            if case .and(let parts) = next {
                pending.append(contentsOf: parts.reversed())
            } else {
                result.append(next)
            }
        }
        return result
    }
}
