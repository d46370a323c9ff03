// Rows that a predicate names itself are looked up by key: a look at every row would compare each with all of them.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension MemoryRows {
    /// The rows that `SELF IN …`, `SELF == …`, alone or beside other conditions, leave of an entity's, in the order of their
    /// keys, with the conditions that are left; `nil` for other predicates.
    func named(
        by predicate: PredicateTree, of entity: EntityRuntime, includesSubentities: Bool
    ) -> (rows: [StoredRow], rest: [PredicateTree])? {
        var rest = predicate.conditions
        guard let place = rest.firstIndex(where: { $0.namedNodes != nil }),
            let nodes = rest.remove(at: place).namedNodes
        else { return nil }
        let wanted = includesSubentities ? Set(entity.subtree) : [entity.number]
        var rows: [Int64: StoredRow] = [:]
        for node in nodes where wanted.contains(node.row.entity.number) {
            rows[node.row.primaryKey] = node.row
        }
        return (rows.sorted { $0.key < $1.key }.map(\.value), rest)
    }
}

extension PredicateTree {
    /// The conditions that all have to hold.
    fileprivate var conditions: [PredicateTree] {
        if case .and(let parts) = self { return parts }
        return [self]
    }

    /// The only rows for which the condition can hold, if it says which these are. Objects that no row is of name none.
    fileprivate var namedNodes: [MemoryNode]? {
        guard case .comparison(let comparison) = self, comparison.modifier == .direct,
            case .evaluatedObject = comparison.left, case .constant(let value) = comparison.right
        else { return nil }
        switch (comparison.op, value) {
        case (.equalTo, .object): return value.node.map { [$0] } ?? []
        case (.in, .array(let values)): return Self.nodes(values)
        case (.in, .set(let values)): return Self.nodes(values)
        default: return nil
        }
    }

    private static func nodes(_ values: some Collection<Value>) -> [MemoryNode]? {
        let areObjects = values.allSatisfy { value in
            if case .object = value { return true }
            return false
        }
        return areObjects ? values.compactMap(\.node) : nil
    }
}
