// Questions about the rows of a store that have an empty answer when the store is sound.

import CoreDataSchema

/// A query that returns one row for each fault.
package struct StoreCheck: Sendable, Hashable {
    package var name: String
    package var sql: String
    package var explanation: String
}

extension StoreCheck {
    /// All checks for a store whose places were found by `LayoutReader.blueprint`.
    package static func checks(for blueprint: StoreBlueprint) -> [StoreCheck] {
        let layout = blueprint.layout()
        var checks: [StoreCheck] = []
        for shape in blueprint.tables {
            guard let root = layout[shape.rootName] else { continue }
            checks += rowChecks(root, blueprint: blueprint)
        }
        let addresses = blueprint.slots.keys.sorted { ($0.entity, $0.property) < ($1.entity, $1.property) }
        for address in addresses {
            guard let slot = blueprint.slots[address], let place = layout[address.entity] else { continue }
            let context = Context(
                label: "\(address.entity).\(address.property)", address: address, place: place,
                blueprint: blueprint, layout: layout)
            checks += context.checks(of: slot)
            if let property = blueprint.index.entity(address.entity)?.propertiesByName[address.property] {
                checks += valueChecks(context.label, slot: slot, property: property, in: place)
            }
        }
        return checks
    }

    private static func rowChecks(_ root: EntityTable, blueprint: StoreBlueprint) -> [StoreCheck] {
        let table = sqlName(root.table)
        let concrete = blueprint.numbering.subtree(of: root.rootName, in: blueprint.index)
            .filter { blueprint.index.entity($0)?.schema.isAbstract == false }
            .compactMap { blueprint.numbering.numbers[$0] }
        return [
            StoreCheck(
                name: "\(root.table): entity numbers",
                sql:
                    "SELECT Z_PK, Z_ENT FROM \(table) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(list(concrete)))",
                explanation: "Z_ENT is not the number of an entity whose rows this table holds"),
            StoreCheck(
                name: "\(root.table): keys",
                sql: "SELECT Z_PK FROM \(table) WHERE Z_PK < 1",
                explanation: "keys, in Z_PK, start at 1: the row isn't found"),
            StoreCheck(
                name: "\(root.table): versions",
                sql: "SELECT Z_PK, Z_OPT FROM \(table) WHERE Z_OPT IS NULL OR Z_OPT < 1",
                explanation: "Z_OPT, the row's version, starts at 1"),
            StoreCheck(
                name: "\(root.table): key counter",
                sql: """
                    SELECT MAX(Z_PK) FROM \(table) HAVING MAX(Z_PK) > \
                    IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)), 0)
                    """,
                explanation:
                    "Z_MAX of \"\(root.rootName)\" in Z_PRIMARYKEY is less than the largest Z_PK in use"),
        ]
    }
}

private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

/// One relationship's checks.
private struct Context {
    let label: String
    let address: PropertyAddress
    let place: EntityTable
    let blueprint: StoreBlueprint
    let layout: StoreLayout

    func checks(of slot: PropertyColumn) -> [StoreCheck] {
        switch slot {
        case .attribute, .composite: return []
        case .toOne(let column, let entityColumn, let orderColumn, let destination):
            var checks = [dangling(in: place.table, column, row: "Z_PK", to: destination)]
            if let entityColumn {
                checks.append(wrongNumbers(column, entityColumn: entityColumn, destination: destination))
            }
            if let orderColumn { checks.append(disorder(in: place.table, owner: column, orderColumn)) }
            return checks + [oneSided(column, destination: destination)].compactMap(\.self)
        case .toMany(let table, let column, _, let orderColumn, _):
            var checks = [dangling(in: table, column, row: "Z_PK", to: place.entityName)]
            if let orderColumn { checks.append(disorder(in: table, owner: column, orderColumn)) }
            return checks
        case .join(let join):
            var checks = [
                dangling(in: join.table, join.destinationColumn, row: join.sourceColumn, to: join.destination)
            ]
            if let order = join.orderColumn {
                checks.append(disorder(in: join.table, owner: join.sourceColumn, order))
            }
            return checks
        }
    }

    private func dangling(in table: String, _ column: String, row: String, to destination: String)
        -> StoreCheck
    {
        let target = layout[destination]
        return StoreCheck(
            name: "\(label): targets",
            sql: """
                SELECT s.\(sqlName(row)), s.\(sqlName(column)) FROM \(sqlName(table)) AS s \
                WHERE s.\(sqlName(column)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \
                \(sqlName(target?.table ?? "")) AS d WHERE d.Z_PK = s.\(sqlName(column)) \
                AND d.Z_ENT IN (\(list(target?.subtreeNumbers ?? []))))
                """,
            explanation: "\(table).\(column) points to a row of \"\(destination)\" that doesn't exist")
    }

    private func wrongNumbers(_ column: String, entityColumn: String, destination: String) -> StoreCheck {
        StoreCheck(
            name: "\(label): entity numbers of targets",
            sql: """
                SELECT s.Z_PK, s.\(sqlName(entityColumn)), d.Z_ENT FROM \(sqlName(place.table)) AS s JOIN \
                \(sqlName(layout[destination]?.table ?? "")) AS d ON d.Z_PK = s.\(sqlName(column)) \
                WHERE s.\(sqlName(entityColumn)) IS NOT d.Z_ENT
                """,
            explanation: "\(place.table).\(entityColumn) is not the Z_ENT of the row that \(column) points to"
        )
    }

    /// The other side of a one-to-one relationship has a column of its own.
    private func oneSided(_ column: String, destination: String) -> StoreCheck? {
        let relation = blueprint.index.entity(address.entity)?.propertiesByName[address.property]?
            .relationship
        guard let inverse = relation?.inverseName, let target = layout[destination],
            case .toOne(let back, _, _, _)? = target.columns[inverse]
        else { return nil }
        return StoreCheck(
            name: "\(label): other sides",
            sql: """
                SELECT s.Z_PK, s.\(sqlName(column)), d.\(sqlName(back)) FROM \(sqlName(place.table)) AS s JOIN \
                \(sqlName(target.table)) AS d ON d.Z_PK = s.\(sqlName(column)) \
                WHERE d.\(sqlName(back)) IS NOT s.Z_PK AND d.Z_ENT IN (\(list(target.subtreeNumbers)))
                """,
            explanation:
                "\(target.table).\(back) of the row that \(place.table).\(column) points to doesn't point back"
        )
    }

    private func disorder(in table: String, owner: String, _ order: String) -> StoreCheck {
        let (table, owner, order) = (sqlName(table), sqlName(owner), sqlName(order))
        return StoreCheck(
            name: "\(label): order",
            sql: """
                SELECT \(owner), \(order), COUNT(*) FROM \(table) WHERE \(owner) IS NOT NULL \
                GROUP BY \(owner), \(order) HAVING \(order) IS NULL OR COUNT(*) > 1
                """,
            explanation: "\(table).\(order) is missing or not unique, so that the order is not determined")
    }
}
