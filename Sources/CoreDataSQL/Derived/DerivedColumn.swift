// A derived attribute's column, and the SQL that computes it.

import CoreDataSchema

/// The column of a derived attribute, by the entity that declares it.
struct DerivedColumn: Sendable {
    let entity: String
    let attribute: String
    let table: EntityTable
    let column: String
    let type: AttributeType
    let source: Source

    /// The source of the value, in tables and columns.
    enum Source: Sendable {
        case now
        case value(path: DerivedPath, function: SQLFunction.Name?)
        case members(DerivedMembers)
    }

    /// Indicates whether the SQL calls no functions but those that Apple's framework has,
    /// as far as its files tell.
    var isPortable: Bool {
        switch source {
        case .now: true
        case .value(_, let function): function == nil
        case .members(let members): members.filter?.contains("NSCoreData") != true
        }
    }

    /// Indicates whether the value is the time of the row's last change.
    var isNow: Bool { if case .now = source { true } else { false } }

    /// `UPDATE … SET column = value` of the rows for which the condition holds.
    func update(_ value: String, where condition: String) -> String {
        "UPDATE \(sqlName(table.table)) SET \(sqlName(column)) = \(value) WHERE \(condition)\(entities)"
    }

    /// The value of the row that a statement updates.
    var value: String {
        switch source {
        case .now: "NSCoreDataNow()"
        case .value(let path, nil): path.value(of: table.table)
        case .value(let path, let function?): "\(function.rawValue)(\(path.value(of: table.table)))"
        case .members(let members): members.value(of: table.table)
        }
    }

    /// Computes the column for all rows that there are: after it was added, or its expression changed.
    var recomputation: String { update(value, where: "1") }

    /// Leaves out the rows of entities that share the table and don't have the attribute.
    private var entities: String { entityNumbers.map { " AND Z_ENT IN (\($0))" } ?? "" }

    /// The numbers of the entities that have the attribute; nil if all of the table have.
    var entityNumbers: String? {
        table.entityName == table.rootName
            ? nil : table.subtreeNumbers.map(String.init).joined(separator: ", ")
    }
}

/// To-one relationships to follow, and the attribute at the end.
struct DerivedPath: Sendable {
    /// A table with its key, and the column that leads from it.
    struct Step: Sendable {
        var table: String
        var key: String
        var column: String
    }

    /// The relationships' columns, and last the attribute's.
    var steps: [Step]
    /// The attribute's type.
    var type: AttributeType

    /// The value for a row of the first table.
    func value(of table: String) -> String {
        guard steps.count > 1, let last = steps.last else {
            return "\(sqlName(table)).\(sqlName(steps.first?.column ?? ""))"
        }
        var from = "\(sqlName(steps[1].table)) AS t1"
        for (number, step) in steps.enumerated().dropFirst(2) {
            from += " JOIN \(sqlName(step.table)) AS t\(number)"
            from += " ON t\(number).Z_PK = t\(number - 1).\(sqlName(steps[number - 1].column))"
        }
        let start = "t1.Z_PK = \(sqlName(table)).\(sqlName(steps[0].column))"
        return "(SELECT t\(steps.count - 1).\(sqlName(last.column)) FROM \(from) WHERE \(start))"
    }

    /// The rows of the first table whose path leads through row `NEW` at a step, as a condition.
    func rows(through step: Int) -> String {
        var condition = "= NEW.Z_PK"
        for place in (1..<step).reversed() {
            let here = steps[place]
            condition =
                "IN (SELECT Z_PK FROM \(sqlName(here.table)) WHERE \(sqlName(here.column)) \(condition))"
        }
        return "\(sqlName(steps[0].column)) \(condition)"
    }
}

/// The members of a to-many relationship, and what to make of them.
struct DerivedMembers: Sendable {
    /// The members' table, and its key.
    var table: String
    var key: String
    /// The column of the summed attribute; nil to count.
    var sum: String?
    /// The type of the summed attribute.
    var sumType: AttributeType?
    /// Over the columns of the members' table, unqualified.
    var filter: String?
    var link: Link

    enum Link: Sendable {
        /// The members' column that holds the key.
        case column(String)
        case join(JoinColumns)
    }

    func value(of owner: String) -> String {
        let what = sum.map { "IFNULL(SUM(m.\(sqlName($0))), 0)" } ?? "COUNT(*)"
        let key = "\(sqlName(owner)).Z_PK"
        let condition = filter.map { " AND (\($0))" } ?? ""
        switch link {
        case .column(let column):
            return
                "(SELECT \(what) FROM \(sqlName(table)) AS m WHERE m.\(sqlName(column)) = \(key)\(condition))"
        case .join(let join):
            return """
                (SELECT \(what) FROM \(sqlName(join.table)) AS j JOIN \(sqlName(table)) AS m \
                ON m.Z_PK = j.\(sqlName(join.destinationColumn)) \
                WHERE j.\(sqlName(join.sourceColumn)) = \(key)\(condition))
                """
        }
    }
}
