// Finds the derived attributes of a model, and the columns that their expressions are about.

import CoreDataPredicate
import CoreDataSchema

/// Reads derivation expressions against a layout.
struct DerivedColumnSearch {
    let index: ModelIndex
    let layout: StoreLayout

    func all() throws -> [DerivedColumn] {
        let tables = layout.tables.values.sorted { $0.number < $1.number }
        return try tables.flatMap { table in
            try index.ownProperties(of: table.entityName).compactMap { property in
                guard let derivation = property.attribute?.derivation, !property.isTransient else {
                    return nil
                }
                return try column(property.name, schema: derivation, in: table)
            }
        }
    }

    private func column(
        _ attribute: String, schema: DerivationSchema, in table: EntityTable
    ) throws -> DerivedColumn {
        guard case .attribute(let column, let type)? = table.columns[attribute] else {
            throw LayoutFailure(
                entity: table.entityName, property: attribute, "the derived attribute has no column")
        }
        guard let derivation = Derivation(schema.expression) else {
            throw unsupported(
                attribute, table: table, reason: "its expression is \"\(schema.expression.format)\"")
        }
        return DerivedColumn(
            entity: table.entityName, attribute: attribute, table: table, column: column, type: type,
            source: try source(derivation, schema: schema, attribute: attribute, table: table))
    }

    private func source(
        _ derivation: Derivation, schema: DerivationSchema, attribute: String, table: EntityTable
    ) throws -> DerivedColumn.Source {
        switch derivation {
        case .now: return .now
        case .value(let path, let function):
            return .value(path: try follow(path, attribute: attribute, table: table), function: function)
        case .aggregate(let relationship, let sum):
            return .members(
                try members(relationship, sum: sum, filter: schema.filter, attribute: attribute, table: table)
            )
        }
    }

    private func follow(_ path: [String], attribute: String, table: EntityTable) throws -> DerivedPath {
        var here = table
        var rest = path[...]
        var steps: [DerivedPath.Step] = []
        while rest.count > 1, let name = rest.first {
            if case .composite? = here.columns[name] { break }
            guard case .toOne(let column, _, _, let destination)? = here.columns[name],
                let next = layout[destination]
            else {
                throw unsupported(
                    attribute, table: table,
                    reason: "\"\(name)\" is no to-one relationship of \(here.entityName)")
            }
            steps.append(DerivedPath.Step(table: here.table, key: here.head.key, column: column))
            here = next
            rest = rest.dropFirst()
        }
        let last = rest.joined(separator: ".")
        guard case .attribute(let column, let type)? = here.element(last), path.count > 1 || last != attribute
        else {
            throw unsupported(
                attribute, table: table, reason: "\"\(last)\" is no other attribute of \(here.entityName)")
        }
        steps.append(DerivedPath.Step(table: here.table, key: here.head.key, column: column))
        return DerivedPath(steps: steps, type: type)
    }

    private func members(
        _ relationship: String, sum: String?, filter: PredicateTree?, attribute: String,
        table: EntityTable
    ) throws -> DerivedMembers {
        let link: DerivedMembers.Link
        let destination: String
        switch table.columns[relationship] {
        case .toMany(_, let column, _, _, let entity)?: (link, destination) = (.column(column), entity)
        case .join(let join)?: (link, destination) = (.join(join), join.destination)
        default:
            throw unsupported(
                attribute, table: table,
                reason: "\"\(relationship)\" is no to-many relationship of \(table.entityName)")
        }
        guard let members = layout[destination] else {
            throw unsupported(attribute, table: table, reason: "\(destination) is in another store")
        }
        let summed = try sum.map { name in
            guard case .attribute(let column, let type)? = members.element(name) else {
                throw unsupported(
                    attribute, table: table, reason: "\"\(name)\" is no attribute of \(destination)")
            }
            return (column: column, type: type)
        }
        let condition = try filter.map {
            try planner(attribute, table: table).partialIndexClause($0, entity: destination)
        }
        return DerivedMembers(
            table: members.table, key: members.head.key, sum: summed?.column, sumType: summed?.type,
            filter: condition, link: link)
    }

    /// For filters, whose constants stand in the statement's text.
    private func planner(_ attribute: String, table: EntityTable) -> FetchPlanner {
        let failure = unsupported(
            attribute, table: table, reason: "its filter needs more than columns and plain constants")
        return FetchPlanner(
            index: index, layout: layout, key: { _ in nil }, transform: { _, _ in throw failure },
            fetch: { _ in throw failure })
    }

    private func unsupported(_ attribute: String, table: EntityTable, reason: String) -> LayoutFailure {
        LayoutFailure(
            entity: table.entityName, property: attribute,
            "unsupported feature: a store can't keep this derived attribute up to date: \(reason)")
    }
}
