// The join tables of a store, with the names that Apple's framework gives them.
//
//     CREATE TABLE Z_5LABELS ( Z_5CONVERSATIONS INTEGER, Z_8LABELS INTEGER, PRIMARY KEY (Z_5CONVERSATIONS, Z_8LABELS) )
//
// The table has the number of the entity that declares the relationship which names it, a column that of the entity
// whose keys it holds.

import CoreDataSchema

extension StoreBlueprint {
    /// Adds a table for each pair. Columns get their names in the order of the pairs, tables stand in that of entity numbers.
    mutating func addJoins(_ pairs: [RelationshipPlaces.Join]) {
        var names = JoinColumnNames()
        var shared = SharedNames(
            tables: tables.map(\.name) + pairs.compactMap(statedTable),
            indexes: form.indexNames(index, numbering: numbering))
        for pair in pairs {
            if !form.naming.countsJoinColumns { names = JoinColumnNames() }
            add(pair, names: &names, shared: &shared)
        }
        let places = Dictionary(uniqueKeysWithValues: numbering.names.enumerated().map { ($1, $0) })
        joins.sort { left, right in
            let (first, second) = (places[left.owner.entity] ?? 0, places[right.owner.entity] ?? 0)
            return first == second
                ? precedesIgnoringCase(left.owner.property, than: right.owner.property) : first < second
        }
    }

    private mutating func add(
        _ pair: RelationshipPlaces.Join, names: inout JoinColumnNames, shared: inout SharedNames
    ) {
        let (owner, inverse) = (pair.owner, pair.inverse)
        let isReflexive = owner.address == inverse.address
        let inverseColumn =
            isReflexive
            ? form.naming.reflexiveKey
            : stated(inverse) ?? names.name(columnName(inverse), beside: stated(owner))
        let ownerColumn = stated(owner) ?? names.name(columnName(owner), beside: inverseColumn)
        let ownerOrder = owner.traits.isOrdered ? form.naming.joinOrderColumn(ofKey: ownerColumn) : nil
        // A relationship that is its own inverse has one order, by its owner.
        let inverseOrder =
            inverse.traits.isOrdered && !isReflexive
            ? form.naming.joinOrderColumn(ofKey: inverseColumn) : nil
        let table = statedTable(pair) ?? tableName(owner, shared: &shared)
        slots[owner.address] = .join(
            JoinColumns(
                table: table, sourceColumn: inverseColumn, destinationColumn: ownerColumn,
                orderColumn: ownerOrder, inverseOrderColumn: inverseOrder,
                destination: owner.traits.destinationEntityName))
        if isReflexive {
            let reflexive = JoinShape(
                table: table, owner: owner.address, inverse: owner.address,
                keyColumns: [ownerColumn, inverseColumn], orderColumns: [ownerOrder].compactMap(\.self))
            joins.append(reflexive)
            return
        }
        slots[inverse.address] = .join(
            JoinColumns(
                table: table, sourceColumn: ownerColumn, destinationColumn: inverseColumn,
                orderColumn: inverseOrder, inverseOrderColumn: ownerOrder,
                destination: inverse.traits.destinationEntityName))
        joins.append(
            JoinShape(
                table: table, owner: owner.address, inverse: inverse.address,
                keyColumns: [inverseColumn, ownerColumn],
                orderColumns: [inverseOrder, ownerOrder].compactMap(\.self)))
    }

    private func statedTable(_ pair: RelationshipPlaces.Join) -> String? {
        form.stated(pair.owner.address, in: index, as: .table)
            ?? form.stated(pair.inverse.address, in: index, as: .table)
    }

    private func tableName(_ owner: RelationshipPlaces.Side, shared: inout SharedNames) -> String {
        let name = form.naming.joinTable(owner.address, number: number(owner.address.entity))
        return form.sharesNames ? shared.relation(name) : name
    }

    private func stated(_ side: RelationshipPlaces.Side) -> String? { form.stated(side.address, in: index) }

    private func number(_ entity: String) -> Int { numbering.numbers[entity] ?? 0 }

    /// `Z_8LABELS`: named after the relationship, with the number of the entity whose rows it points to.
    private func columnName(_ side: RelationshipPlaces.Side) -> String {
        form.naming.joinKey(side.address.property, number: number(side.traits.destinationEntityName))
    }
}

/// Numbers the columns of join tables that would have the same name: over the whole store the first has the name, the
/// next ones 1, 2, 3 behind it.
private struct JoinColumnNames {
    private var uses: [String: Int] = [:]

    /// `other` is the table's other column, whose name can't be used again.
    mutating func name(_ wanted: String, beside other: String?) -> String {
        while true {
            let count = uses[wanted, default: 0]
            uses[wanted] = count + 1
            let name = count == 0 ? wanted : wanted + String(count)
            if name != other { return name }
        }
    }
}
