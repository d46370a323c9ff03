// The contents of each column of the newer tables.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension MigrationPlanner {
    /// The columns of a newer table, with the older column that each takes over.
    func plannedColumns(of table: TableMove) -> [ColumnPlan] {
        var plans = table.shape.columns.map { ColumnPlan(name: $0.name, type: $0.type) }
        let positions = Dictionary(uniqueKeysWithValues: plans.enumerated().map { ($1.name, $0) })
        func set(_ column: String?, _ move: EntityMove, _ value: ColumnValue) {
            guard let column, let position = positions[column] else { return }
            plans[position].values[move.sourceNumber] = value
        }
        for (address, slot) in new.slots {
            for move in table.moves {
                switch slot {
                case .attribute(let column, _) where isKind(move, of: address.entity):
                    set(column, move, attribute(address.property, path: nil, of: move))
                case .composite(let elements) where isKind(move, of: address.entity):
                    for (path, element) in elements {
                        guard case .attribute(let column, _) = element else { continue }
                        set(column, move, attribute(address.property, path: path, of: move))
                    }
                case .toOne(let column, let entityColumn, let orderColumn, _)
                where isKind(move, of: address.entity):
                    let values = toOne(address.property, of: move)
                    set(column, move, values.key)
                    set(entityColumn, move, values.entity)
                    set(orderColumn, move, values.order)
                case .toMany(table.shape.name, let column, _, let orderColumn, let destination)
                where isKind(move, of: destination):
                    let values = oneWay(address, at: move)
                    set(column, move, values.key)
                    set(orderColumn, move, values.order)
                default: break
                }
            }
        }
        if table.takesOver {
            claimSpares(&plans, of: table)
            claim(&plans)
            fill(&plans, of: table)
        }
        return plans
    }

    private func isKind(_ move: EntityMove, of entity: String) -> Bool {
        new.index.entity(move.destination, isKindOf: entity)
    }

    /// Each older column can become one newer one: that of its name if it may, else the first that wants it.
    private func claim(_ plans: inout [ColumnPlan]) {
        var free: [String: String] = [:]
        for plan in plans {
            for name in plan.values.values.compactMap({ $0.column(in: dialect) }) where plan.kept == nil {
                free[name.uppercased()] = name
            }
        }
        for sameName in [true, false] {
            for position in plans.indices where plans[position].kept == nil {
                let plan = plans[position]
                let wanted = plan.values.sorted { $0.key < $1.key }.compactMap {
                    $0.value.column(in: dialect)
                }
                let found = wanted.first {
                    free[$0.uppercased()] != nil
                        && (!sameName || $0.uppercased() == plan.name.uppercased())
                }
                guard let found else { continue }
                plans[position].kept = found
                free[found.uppercased()] = nil
            }
        }
    }

    /// A value that all rows get comes with the column, where the database writes none of them for it.
    private func fill(_ plans: inout [ColumnPlan], of table: TableMove) {
        guard dialect.fillsAddedColumns else { return }
        for position in plans.indices where plans[position].kept == nil {
            let values = plans[position].values
            guard values.count == table.moves.count, case .constant(let value)? = values.values.first,
                values.values.allSatisfy({ $0 == .constant(value) })
            else { continue }
            plans[position].filling = value
        }
    }

    // MARK: Attributes

    private func attribute(_ name: String, path: String?, of move: EntityMove) -> ColumnValue {
        guard let property = new.index.entity(move.destination)?.propertiesByName[name],
            let traits = leaf(property, path: path)
        else { return .null }
        guard let found = formerLeaf(property, path: path, move: move) else { return constant(traits) }
        let (former, formerTraits, column) = (found.property, found.traits, found.column)
        if dialect.keepsFiles,
            formerTraits.allowsExternalBinaryDataStorage != traits.allowsExternalBinaryDataStorage
        {
            return traits.allowsExternalBinaryDataStorage ? .framed(column) : .unframed(column)
        }
        var fallback: SQLFragment?
        if former.isOptional, !property.isOptional, path == nil, case .constant(let value) = constant(traits)
        {
            fallback = value
        }
        if let conversion = NumericConversion(from: formerTraits.type, to: traits.type),
            !dialect.keepsNumbers(conversion)
        {
            return .converted(column, conversion, fallback: fallback)
        }
        return fallback.map { .defaulted(column, $0) } ?? .column(column)
    }

    private typealias FormerLeaf = (property: PropertySchema, traits: AttributeTraits, column: String)

    /// The older version of an attribute, or of an element of one, with its column.
    private func formerLeaf(_ property: PropertySchema, path: String?, move: EntityMove) -> FormerLeaf? {
        let pair = difference.pair(destination: move.destination)?.property(destination: property.name)
        guard let pair, pair.kind == .attribute,
            let former = old.index.entity(move.source)?.propertiesByName[pair.source],
            let formerPath = formerPath(path, of: property, in: former),
            let column = oldColumn(of: pair.source, path: formerPath.isEmpty ? nil : formerPath, move: move),
            let traits = leaf(former, path: formerPath)
        else { return nil }
        return (former, traits, column)
    }

    /// The path of a composite attribute's element in the older version; empty for what is no element, nil for one
    /// that is new.
    func formerPath(
        _ path: String?, of property: PropertySchema, in former: PropertySchema
    ) -> String? {
        guard let path else { return "" }
        guard let traits = property.attribute, let older = former.attribute else { return nil }
        return traits.formerPath(of: path, in: older)
    }

    private func oldColumn(of name: String, path: String?, move: EntityMove) -> String? {
        switch oldLayout[move.source]?.columns[name] {
        case .attribute(let column, _) where path == nil: return column
        case .composite(let elements):
            guard let path, case .attribute(let column, _)? = elements[path] else { return nil }
            return column
        default: return nil
        }
    }

    func leaf(_ property: PropertySchema, path: String?) -> AttributeTraits? {
        var traits = property.attribute
        for part in path?.split(separator: ".") ?? [] {
            traits = traits?.elements.first { $0.name == part }?.attribute
        }
        return traits
    }

    /// The default value, as the rows of a new attribute get it.
    private func constant(_ traits: AttributeTraits) -> ColumnValue {
        if traits.derivation != nil || traits.defaultValue == .null { return .null }
        let value = traits.type.coerced(traits.defaultValue)
        if case .data(let data) = value, traits.allowsExternalBinaryDataStorage, dialect.keepsFiles {
            return .constant(SQLFragment(binding: .blob(ExternalValue.inline(data).cell)))
        }
        return dialect.constant(value).map { .constant($0.sql) } ?? .null
    }

    // MARK: Numbers of another type

    /// One query for each attribute, or element of one, whose numbers may not fit its newer type.
    func fits() -> [MigrationPlan.Fit] {
        moves.flatMap { move in
            let properties = new.index.entity(move.destination)?.properties ?? []
            return properties.filter { !$0.isTransient }.sorted { $0.name < $1.name }.flatMap { property in
                leafPaths(property).compactMap { fit(property, path: $0, move: move) }
            }
        }
    }

    private func fit(_ property: PropertySchema, path: String?, move: EntityMove) -> MigrationPlan.Fit? {
        guard let found = formerLeaf(property, path: path, move: move),
            let traits = leaf(property, path: path),
            let conversion = NumericConversion(from: found.traits.type, to: traits.type),
            conversion.isNarrowing || !conversion.keepsCells
        else { return nil }
        let column = SQLFragment(name: found.column)
        let number = SQLBinding.integer(Int64(move.sourceNumber))
        return MigrationPlan.Fit(
            source: move.source, entity: move.destination,
            attribute: [property.name, path].compactMap(\.self).joined(separator: "."),
            conversion: conversion,
            firstMisfit: statement(
                """
                SELECT \(name: head.key), \(column) FROM \(name: move.sourceTable) \
                WHERE \(name: head.entity) = \(binding: number) AND \(column) IS NOT NULL \
                AND \(dialect.converted(column, by: conversion)) IS NULL ORDER BY \(name: head.key) LIMIT 1
                """))
    }

    /// The paths of a composite attribute's elements that are no composites; nil for what is no composite.
    func leafPaths(_ property: PropertySchema) -> [String?] {
        guard let traits = property.attribute else { return [] }
        guard traits.type == .composite else { return [nil] }
        func paths(_ traits: AttributeTraits, _ prefix: String) -> [String] {
            traits.elements.flatMap { element -> [String] in
                guard let inner = element.attribute else { return [] }
                return inner.type == .composite
                    ? paths(inner, prefix + element.name + ".") : [prefix + element.name]
            }
        }
        return paths(traits, "")
    }

    // MARK: Needed values

    /// One query for each attribute that must have a value and may lack one.
    func checks() -> [MigrationPlan.Check] {
        difference.neededValues.compactMap { needed in
            guard let move = moves.first(where: { $0.destination == needed.entity }) else { return nil }
            let pair = difference.pair(destination: needed.entity)?.property(destination: needed.attribute)
            let column = pair.flatMap { oldColumn(of: $0.source, path: nil, move: move) }
            let condition = column.map { " AND \(name: $0) IS NULL" as SQLFragment } ?? ""
            let number = SQLBinding.integer(Int64(move.sourceNumber))
            return MigrationPlan.Check(
                entity: needed.entity, attribute: needed.attribute,
                count: statement(
                    """
                    SELECT COUNT(*) FROM \(name: move.sourceTable) \
                    WHERE \(name: head.entity) = \(binding: number)\(condition)
                    """))
        }
    }
}
