// The triggers that keep derived attributes, for a new store or for one that exists.

package import CoreDataSchema

/// All derived attributes of a store.
package struct DerivedTriggers: Sendable {
    private let columns: [DerivedColumn]

    /// Throws if a derivation expression is of a kind that no store keeps up to date.
    package init(_ index: ModelIndex, layout: StoreLayout) throws {
        let search = DerivedColumnSearch(index: index, layout: layout)
        columns = try search.all()
    }

    package var isEmpty: Bool { columns.isEmpty }

    /// The triggers of all columns, in the order of Apple's statements: by column, those on other tables first.
    package var triggers: [DerivedTrigger] { columns.flatMap(\.triggers) }

    /// The triggers that a file lacks. An attribute that has any trigger in the file is left to it: another
    /// framework's triggers may be named and divided otherwise.
    package func missing(from names: Set<String>) -> [DerivedTrigger] {
        columns.filter { column in !names.contains { column.owns(trigger: $0) } }.flatMap(\.triggers)
    }

    /// Computes the derived columns of all rows of some attributes.
    ///
    /// - Parameters:
    ///   - isNew: whether an attribute, by entity and name, has no value yet, or one that was derived in another way.
    ///   - isStale: whether values changed from which others are derived; those that are times stay then.
    package func recomputations(
        of isNew: (_ entity: String, _ name: String) -> Bool, isStale: Bool
    ) -> [SQLStatement] {
        columns.filter { isNew($0.entity, $0.attribute) || isStale && !$0.isNow }.map {
            SQLStatement($0.recomputation)
        }
    }
}

extension DerivedColumn {
    fileprivate func owns(trigger name: String) -> Bool {
        name.hasPrefix("Z_DA_") && name.contains("_\(entity)_\(attribute)_")
    }

    fileprivate var triggers: [DerivedTrigger] {
        switch source {
        case .now: [insertion(suffix: "INSERT"), change(of: ["Z_OPT"], suffix: "UPDATE")]
        case .value(let path, _): pathTriggers(path) + [insertion(), change(of: [path.steps[0].column])]
        case .members(let members): memberTriggers(members) + [insertion()]
        }
    }

    // MARK: On the attribute's own table

    private func insertion(suffix: String = "SOURCE_INSERT") -> DerivedTrigger {
        DerivedTrigger(
            self, on: table.table, occasion: "INSERT", suffix: suffix, isInsertion: true, when: isOwnEntity,
            body: DerivedTrigger.Body(
                statement: update(insertedValue ?? value, where: "Z_PK = NEW.Z_PK"), rows: "Z_PK = NEW.Z_PK"))
    }

    /// The count of a new row's members in Apple's words.
    private var insertedValue: String? {
        guard case .members(let members) = source, members.sum == nil, members.filter == nil,
            case .column(let key) = members.link
        else { return nil }
        let (table, column) = (sqlName(members.table), sqlName(key))
        return "(SELECT IFNULL(COUNT(\(column)), 0) FROM \(table) WHERE \(column) = NEW.Z_PK)"
    }

    private func change(of columns: [String], suffix: String = "SOURCE_UPDATE") -> DerivedTrigger {
        DerivedTrigger(
            self, on: table.table, occasion: "UPDATE OF \(columns.map(sqlName).joined(separator: ", "))",
            suffix: suffix, when: isOwnEntity, body: recompute(where: "Z_PK = NEW.Z_PK"))
    }

    private var isOwnEntity: String? { entityNumbers.map { "NEW.Z_ENT IN (\($0))" } }

    private func recompute(where rows: String) -> DerivedTrigger.Body {
        DerivedTrigger.Body(statement: update(value, where: rows), rows: rows)
    }

    // MARK: On the tables that the value is from

    /// One for each object on the way, when its next column changes.
    private func pathTriggers(_ path: DerivedPath) -> [DerivedTrigger] {
        var taken: Set<String> = []
        return path.steps.indices.dropFirst().map { number in
            let step = path.steps[number]
            return DerivedTrigger(
                self, on: step.table, occasion: "UPDATE OF \(sqlName(step.column))",
                suffix: unique("PARAMETER_UPDATE_\(step.table)", taken: &taken),
                body: recompute(where: path.rows(through: number)))
        }
    }

    private func memberTriggers(_ members: DerivedMembers) -> [DerivedTrigger] {
        switch members.link {
        case .column(let column) where members.sum == nil && members.filter == nil:
            countTriggers(members.table, key: column)
        case .column(let column): linkedTriggers(members, linkTable: members.table, key: column)
        case .join(let join):
            linkedTriggers(members, linkTable: join.table, key: join.sourceColumn)
                + attributeTriggers(members, join: join)
        }
    }

    /// The count goes up and down with each member: Apple's own statements.
    private func countTriggers(_ members: String, key: String) -> [DerivedTrigger] {
        let (count, key) = (sqlName(self.column), sqlName(key))
        func trigger(_ occasion: String, _ suffix: String, _ row: String, _ value: String) -> DerivedTrigger {
            let rows = "Z_PK = \(row).\(key)"
            return DerivedTrigger(
                self, on: members, occasion: occasion, suffix: suffix, when: "\(row).\(key) NOT NULL",
                body: DerivedTrigger.Body(
                    statement: "UPDATE \(sqlName(table.table)) SET \(count) = \(value) WHERE \(rows)",
                    rows: rows))
        }
        return [
            trigger("INSERT", "PARAMETER_INSERT", "NEW", "IFNULL(\(count), 0) + 1"),
            trigger("UPDATE OF \(key)", "PARAMETER_UPDATE_INCREMENT", "NEW", "\(count) + 1"),
            trigger("UPDATE OF \(key)", "PARAMETER_UPDATE_DECREMENT", "OLD", "\(count) - 1"),
            trigger("DELETE", "PARAMETER_DELETE", "OLD", "\(count) - 1"),
        ]
    }

    /// On the table that says which members there are.
    private func linkedTriggers(
        _ members: DerivedMembers, linkTable: String, key: String
    ) -> [DerivedTrigger] {
        let key = sqlName(key)
        var update = "UPDATE"
        if case .column = members.link, members.filter == nil, let sum = members.sum {
            update = "UPDATE OF \(key), \(sqlName(sum))"
        }
        let forms = [
            ("INSERT", "PARAMETER_INSERT", "Z_PK = NEW.\(key)"),
            (update, "PARAMETER_UPDATE", "Z_PK IN (OLD.\(key), NEW.\(key))"),
            ("DELETE", "PARAMETER_DELETE", "Z_PK = OLD.\(key)"),
        ]
        return forms.map {
            DerivedTrigger(self, on: linkTable, occasion: $0.0, suffix: $0.1, body: recompute(where: $0.2))
        }
    }

    /// On the members' table, where a join table says which they are.
    private func attributeTriggers(_ members: DerivedMembers, join: JoinColumns) -> [DerivedTrigger] {
        if members.sum == nil && members.filter == nil { return [] }
        let update = members.filter == nil ? "UPDATE OF \(sqlName(members.sum ?? ""))" : "UPDATE"
        let rows = """
            Z_PK IN (SELECT \(sqlName(join.sourceColumn)) FROM \(sqlName(join.table)) \
            WHERE \(sqlName(join.destinationColumn)) = NEW.Z_PK)
            """
        return [
            DerivedTrigger(
                self, on: members.table, occasion: update, suffix: "PARAMETER_UPDATE_MEMBER",
                body: recompute(where: rows))
        ]
    }
}
