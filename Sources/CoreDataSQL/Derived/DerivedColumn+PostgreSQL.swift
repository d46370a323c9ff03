// Derived attributes as a PostgreSQL server computes them.

import CoreDataSchema

extension DerivedColumn {
    private static let functions = PostgreSQLDialect()

    /// The value for a row, `row` being its alias or `NEW`. Not for `now()`.
    func value(of row: String, in scope: TriggerScope) -> String {
        switch source {
        case .now: return "now()"
        case .value(let path, let function) where path.steps.count == 1:
            return applied(function, to: "\(row).\(quoted(identifier: path.steps[0].column))", of: path.type)
        case .value(let path, let function):
            return "(SELECT \(end(of: path, applying: function)) \(path.joined(from: row, in: scope)))"
        case .members(let members):
            let key = "\(row).\(quoted(identifier: table.head.key))"
            return converted(
                members.aggregate(of: key, in: scope), from: members.aggregateType, aggregated: true)
        }
    }

    /// The value at the end of a path of several steps.
    func end(of path: DerivedPath, applying function: SQLFunction.Name?) -> String {
        let last = path.steps.count - 1
        return applied(function, to: "t\(last).\(quoted(identifier: path.steps[last].column))", of: path.type)
    }

    /// Functions of texts give nothing for other values.
    private func applied(
        _ function: SQLFunction.Name?, to sql: String, of source: AttributeType
    ) -> String {
        guard let function else { return converted(sql, from: source) }
        guard source == .string else { return "NULL" }
        let call = "\(quoted(identifier: Self.functions.functions)).\(Self.name(function))(\(sql))"
        return converted(call, from: .string)
    }

    private static func name(_ function: SQLFunction.Name) -> String {
        switch function {
        case .uppercase: "uppercase"
        case .lowercase: "lowercased"
        default: "canonical"
        }
    }

    /// A value of a type as the column has it, as rows in memory convert it: numbers among each other, others not at all.
    private func converted(_ sql: String, from source: AttributeType, aggregated: Bool = false) -> String {
        let (from, to) = (Self.form(source), Self.form(type))
        if from == to && !aggregated { return sql }
        switch (from, to) {
        // More than 64 bits are an error.
        case (.integer, .integer): return "CAST(\(sql) AS bigint)"
        case (.real, .integer), (.decimal, .integer):
            return "\(quoted(identifier: Self.functions.functions)).whole(\(sql))"
        case (.boolean, .integer): return "CAST(CAST(\(sql) AS integer) AS bigint)"
        case (.integer, .boolean): return "(\(sql) <> 0)"
        case (.boolean, .real), (.boolean, .decimal):
            return "CAST(CAST(\(sql) AS integer) AS \(to.rawValue))"
        case (.integer, .real), (.integer, .decimal), (.real, .decimal), (.decimal, .real), (.real, .real),
            (.decimal, .decimal):
            return "CAST(\(sql) AS \(to.rawValue))"
        default: return from == to ? sql : "NULL"
        }
    }

    private enum Form: String {
        case integer = "bigint"
        case boolean
        case real = "double precision"
        case decimal = "numeric"
        case text, uri
        case date = "timestamptz"
        case uuid
        case bytes = "bytea"
    }

    private static func form(_ type: AttributeType) -> Form {
        switch type {
        case .integer16, .integer32, .integer64: .integer
        case .boolean: .boolean
        case .double, .float: .real
        case .decimal: .decimal
        case .string: .text
        case .uri: .uri
        case .date: .date
        case .uuid: .uuid
        case .transformable, .binaryData, .undefined, .objectID, .composite: .bytes
        }
    }

    /// The type of the column, as CAST takes it.
    var typeName: String {
        let form = Self.form(type)
        return form == .uri ? "text" : form.rawValue
    }
}

extension DerivedPath {
    /// `FROM … WHERE …` of the rows that a path leads through, `t1` being the first behind the row itself.
    func joined(from row: String, in scope: TriggerScope) -> String {
        var text = "FROM \(scope.table(steps[1].table)) AS t1"
        for (number, step) in steps.enumerated().dropFirst(2) {
            let before = "t\(number - 1).\(quoted(identifier: steps[number - 1].column))"
            text += " JOIN \(scope.table(step.table)) AS t\(number)"
            text += " ON t\(number).\(quoted(identifier: step.key)) = \(before)"
        }
        let start = "\(row).\(quoted(identifier: steps[0].column))"
        return text + " WHERE t1.\(quoted(identifier: steps[1].key)) = \(start)"
    }

    /// A condition for the rows, under the alias `r`, whose path leads at a step through a row with one of the keys.
    func rows(through step: Int, in scope: TriggerScope) -> String {
        var condition = "= ANY (coredata_keys)"
        for place in (1..<step).reversed() {
            let here = steps[place]
            condition = """
                IN (SELECT \(quoted(identifier: here.key)) FROM \(scope.table(here.table)) \
                WHERE \(quoted(identifier: here.column)) \(condition))
                """
        }
        return "r.\(quoted(identifier: steps[0].column)) \(condition)"
    }
}

extension DerivedMembers {
    /// The type of the aggregate. Sums of integers have more digits than those.
    var aggregateType: AttributeType {
        switch sumType {
        case .double?, .float?: .double
        case .decimal?: .decimal
        default: .integer64
        }
    }

    /// Values that aren't numbers count nothing.
    private var sumOrCount: String {
        guard let sum else { return "COUNT(*)" }
        let column = "m.\(quoted(identifier: sum))"
        switch sumType {
        case .integer16?, .integer32?, .integer64?, .double?, .float?, .decimal?:
            return "COALESCE(SUM(\(column)), 0)"
        case .boolean?: return "COALESCE(SUM(CAST(\(column) AS integer)), 0)"
        default: return "COALESCE(SUM(0), 0)"
        }
    }

    /// The aggregate of the members of the row with a key.
    func aggregate(of key: String, in scope: TriggerScope) -> String {
        let all = scope.table(table)
        let members = filter.map { "(SELECT * FROM \(all) WHERE \($0)) AS m" } ?? "\(all) AS m"
        switch link {
        case .column(let column):
            return "(SELECT \(sumOrCount) FROM \(members) WHERE m.\(quoted(identifier: column)) = \(key))"
        case .join(let join):
            return """
                (SELECT \(sumOrCount) FROM \(scope.table(join.table)) AS j JOIN \(members) \
                ON m.\(quoted(identifier: self.key)) = j.\(quoted(identifier: join.destinationColumn)) \
                WHERE j.\(quoted(identifier: join.sourceColumn)) = \(key))
                """
        }
    }
}
