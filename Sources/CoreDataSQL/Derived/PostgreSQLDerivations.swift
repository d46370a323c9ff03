// The triggers that keep derived attributes on a PostgreSQL server. One before each row computes what the row itself tells, what
// its paths lead to and, for a new row, its members; others, after statements, find the rows of other tables that the
// statement's rows concern. They call each other until nothing changes any more.
//
// A row whose value is from others is locked before it is computed, and those others before they are read: saves that go on
// at the same time would else not see each other.

package import CoreDataSchema

/// All derived attributes of a store in PostgreSQL.
package struct PostgreSQLDerivations: Sendable {
    private let columns: [DerivedColumn]
    private let scope: TriggerScope
    private let tables: Set<String>

    /// Throws if a derivation expression is of a kind that no store keeps up to date.
    ///
    /// - Parameter schema: that of the tables; the functions are in the one beside it.
    package init(_ index: ModelIndex, layout: StoreLayout, schema: String) throws {
        columns = try DerivedColumnSearch(index: index, layout: layout).all()
        tables = Set(columns.map(\.table.table))
        scope = TriggerScope(
            tables: schema, functions: PostgreSQLCatalogue(schemaOfTables: schema).schema)
    }

    package var isEmpty: Bool { columns.isEmpty }

    /// Makes functions and triggers, where there are none.
    package var definitions: [SQLStatement] { functions.flatMap { $0.definitions(in: scope) } }

    /// The functions' marks by their names, as they should be.
    package var marks: [String: String] {
        Dictionary(functions.map { ($0.name, $0.mark) }) { first, _ in first }
    }

    /// Gives names and marks of the functions that there are.
    package var presentMarks: SQLStatement {
        SQLStatement(
            """
            SELECT p.proname::text, obj_description(p.oid, 'pg_proc') FROM pg_proc AS p JOIN pg_namespace AS n \
            ON n.oid = p.pronamespace WHERE n.nspname = $1::text AND p.prorettype = 'trigger'::regtype \
            AND obj_description(p.oid, 'pg_proc') IS NOT NULL AND p.proname ~ '^(derive|report)_'
            """, bindings: [.text(scope.functions)])
    }

    /// Drops the functions that there are, of whatever version of the model, with their triggers.
    package var removal: SQLStatement {
        let body = """
            DECLARE f regprocedure; BEGIN FOR f IN SELECT p.oid::regprocedure FROM pg_proc AS p \
            JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = \(sqlText(scope.functions)) \
            AND p.prorettype = 'trigger'::regtype AND p.proname ~ '^(derive|report)_' \
            LOOP EXECUTE 'DROP FUNCTION ' || f || ' CASCADE'; END LOOP; END
            """
        return SQLStatement("DO \(sqlText(body))")
    }

    /// Computes the columns of all rows of some attributes, by entity and name, but for times, or of all if values changed from
    /// which they are derived. Without triggers: those take what is written to such a column for a mistake.
    package func recomputations(
        of isNew: (_ entity: String, _ name: String) -> Bool, isStale: Bool
    ) -> [SQLStatement] {
        columns.filter { !$0.isNow && (isStale || isNew($0.entity, $0.attribute)) }.map {
            SQLStatement($0.update(where: "TRUE", in: scope))
        }
    }

    private var functions: [TriggerFunction] {
        let owners = Dictionary(grouping: columns, by: \.table.table).sorted { $0.key < $1.key }
        let own = owners.flatMap { table, columns in
            [ownFunction(table, columns: columns), reportFunction(table, columns: columns)]
        }
        return own + columns.flatMap { column in column.triggerFunctions(in: scope) }
    }

    // MARK: On the table of derived attributes

    private func ownFunction(_ table: String, columns: [DerivedColumn]) -> TriggerFunction {
        let texts = Self.ordered(columns).map { $0.assignment(in: scope, deriving: tables) }
        return TriggerFunction(
            "derive_" + table, on: table, occasions: [.row],
            body: "BEGIN \(texts.joined(separator: " ")) RETURN NEW; END")
    }

    /// Attributes that are made of others of their row come behind those, as far as that doesn't go round in a circle.
    private static func ordered(_ columns: [DerivedColumn]) -> [DerivedColumn] {
        var (pending, sorted) = (columns, [DerivedColumn]())
        while !pending.isEmpty {
            let open = Set(pending.map(\.column))
            let ready = pending.filter { !open.contains($0.ownSource ?? "") }
            if ready.isEmpty { return sorted + pending }
            sorted += ready
            pending.removeAll { column in ready.contains { $0.column == column.column } }
        }
        return sorted
    }

    /// Tells the connection which attributes of which rows have other values, if it asked for that.
    private func reportFunction(_ table: String, columns: [DerivedColumn]) -> TriggerFunction {
        let head = columns[0].table.head
        let (key, entity) = (quoted(identifier: head.key), quoted(identifier: head.entity))
        let names = columns.map { column in
            let name = quoted(identifier: column.column)
            return "CASE WHEN n.\(name) IS DISTINCT FROM o.\(name) THEN \(sqlText(column.attribute)) END"
        }
        return TriggerFunction(
            "report_" + table, on: table, occasions: [.update],
            body: """
                DECLARE changes text; BEGIN IF current_setting('coredata.reports', true) = 'on' THEN \
                SELECT string_agg(e || ':' || k || ':' || c, ';') INTO changes FROM (SELECT n.\(entity) AS e, \
                n.\(key) AS k, concat_ws(',', \(names.joined(separator: ", "))) AS c \
                FROM \(TriggerFunction.changedRows(key))) AS s WHERE c <> ''; IF changes IS NOT NULL THEN \
                RAISE NOTICE \(sqlText(DerivedReport.message)) USING DETAIL = changes; END IF; END IF; \
                RETURN NULL; END
                """)
    }
}

/// The notices by which triggers tell what they wrote.
package enum DerivedReport {
    package static let message = "coredata derived attributes"

    /// A statement by which a transaction asks for them.
    package static let request = SQLStatement(
        "SELECT set_config('coredata.reports', 'on', true), set_config('client_min_messages', 'notice', true)"
    )

    /// Rows with the names of their attributes, from the detail of a notice: `3:17:name,total;3:18:name`.
    package static func read(_ detail: String) -> [(key: ObjectKey, names: [String])] {
        detail.split(separator: ";").compactMap { row in
            let parts = row.split(separator: ":")
            guard parts.count == 3, let entity = Int(parts[0]), let key = Int64(parts[1]) else { return nil }
            return (
                ObjectKey(entity: entity, primaryKey: key), parts[2].split(separator: ",").map(String.init)
            )
        }
    }
}

// MARK: Columns

extension DerivedColumn {
    /// The column of the same row that the value is made of.
    fileprivate var ownSource: String? {
        if case .value(let path, _) = source { path.steps[0].column } else { nil }
    }

    private func entityCondition(_ row: String) -> String? {
        entityNumbers.map { "\(row).\(quoted(identifier: table.head.entity)) IN (\($0))" }
    }

    /// Gives `NEW` the value when it is new or what it is made of changes. Nobody else writes it.
    fileprivate func assignment(in scope: TriggerScope, deriving tables: Set<String>) -> String {
        let target = quoted(identifier: column)
        let isWritten = "pg_trigger_depth() = 1 AND NEW.\(target) IS DISTINCT FROM OLD.\(target)"
        var (condition, otherwise) = ("TG_OP = 'INSERT'", "")
        var assignment = "NEW.\(target) := \(value(of: "NEW", in: scope));"
        switch source {
        case .now:
            let version = quoted(identifier: table.head.version)
            condition += " OR NEW.\(version) IS DISTINCT FROM OLD.\(version)"
            otherwise = " ELSIF \(isWritten) THEN NEW.\(target) := OLD.\(target);"
        case .value(let path, let function):
            let first = quoted(identifier: path.steps[0].column)
            condition += " OR NEW.\(first) IS DISTINCT FROM OLD.\(first)"
            // A save that exchanges unique values takes them away first.
            condition += " OR \(isWritten) AND NEW.\(target) IS NOT NULL"
            if path.steps.count > 1 {
                assignment = """
                    SELECT \(end(of: path, applying: function)) INTO NEW.\(target) \(path.joined(from: "NEW", in: scope))\
                    \(locks(path, deriving: tables));
                    """
            }
        case .members: otherwise = " ELSIF \(isWritten) THEN NEW.\(target) := OLD.\(target);"
        }
        let text = "IF \(condition) THEN \(assignment)\(otherwise) END IF;"
        return entityCondition("NEW").map { "IF \($0) THEN \(text) END IF;" } ?? text
    }

    /// Rows that triggers may write later in the same transaction are locked as those lock them.
    private func locks(_ path: DerivedPath, deriving tables: Set<String>) -> String {
        path.steps.indices.dropFirst().map { step in
            " FOR \(tables.contains(path.steps[step].table) ? "NO KEY UPDATE" : "SHARE") OF t\(step)"
        }.joined()
    }

    /// Computes the column of the rows, under the alias `r`, for which a condition holds.
    fileprivate func update(where condition: String, in scope: TriggerScope) -> String {
        let (own, target) = (scope.table(table.table), quoted(identifier: column))
        let key = quoted(identifier: table.head.key)
        let all = condition + (entityCondition("r").map { " AND \($0)" } ?? "")
        return """
            UPDATE \(own) AS d SET \(target) = s.v FROM (SELECT r.\(key) AS k, \
            CAST(\(value(of: "r", in: scope)) AS \(typeName)) AS v FROM \(own) AS r WHERE \(all)) AS s \
            WHERE d.\(key) = s.k AND d.\(target) IS DISTINCT FROM s.v
            """
    }

    // MARK: On the tables that the value is from

    fileprivate func triggerFunctions(in scope: TriggerScope) -> [TriggerFunction] {
        switch source {
        case .now: []
        case .value(let path, _):
            path.steps.indices.dropFirst().map { pathFunction(path, step: $0, in: scope) }
        case .members(let members): memberFunctions(members, in: scope)
        }
    }

    /// Rounds of triggers that call triggers: values that go round in a circle end with them.
    private static let rounds = 64

    /// A function that collects keys and computes the rows that a condition finds by `coredata_keys`.
    private func function(
        _ number: Int, on table: String, keys: [(TriggerFunction.Occasion, String)], rows: String,
        in scope: TriggerScope
    ) -> TriggerFunction {
        let key = quoted(identifier: self.table.head.key)
        let cases = keys.map { occasion, statement in
            "WHEN '\(occasion.rawValue.uppercased())' THEN coredata_keys := ARRAY(\(statement));"
        }
        return TriggerFunction(
            "derive_\(self.table.table)_\(column)_\(number)_\(table)", on: table, occasions: keys.map(\.0),
            body: """
                DECLARE coredata_keys bigint[]; BEGIN IF pg_trigger_depth() > \(Self.rounds) THEN RETURN NULL; \
                END IF; CASE TG_OP \(cases.joined(separator: " ")) END CASE; \
                IF cardinality(coredata_keys) > 0 THEN \
                PERFORM 1 FROM \(scope.table(self.table.table)) AS r WHERE \(rows) ORDER BY r.\(key) \
                FOR NO KEY UPDATE; \(update(where: rows, in: scope)); END IF; RETURN NULL; END
                """)
    }

    private func pathFunction(_ path: DerivedPath, step: Int, in scope: TriggerScope) -> TriggerFunction {
        let key = quoted(identifier: path.steps[step].key)
        let next = quoted(identifier: path.steps[step].column)
        return function(
            step, on: path.steps[step].table,
            keys: [
                (.insert, "SELECT n.\(key) FROM coredata_new AS n"),
                (
                    .update,
                    """
                    SELECT n.\(key) FROM \(TriggerFunction.changedRows(key)) \
                    WHERE n.\(next) IS DISTINCT FROM o.\(next)
                    """
                ),
                (.delete, "SELECT o.\(key) FROM coredata_old AS o"),
            ], rows: path.rows(through: step, in: scope), in: scope)
    }

    private func memberFunctions(_ members: DerivedMembers, in scope: TriggerScope) -> [TriggerFunction] {
        let rows = "r.\(quoted(identifier: table.head.key)) = ANY (coredata_keys)"
        switch members.link {
        case .column(let column):
            return [
                function(1, on: members.table, keys: members.owners(by: column), rows: rows, in: scope)
            ]
        case .join(let join):
            let linked = function(1, on: join.table, keys: join.owners, rows: rows, in: scope)
            if members.sum == nil && members.filter == nil { return [linked] }
            let changed = members.changedRows(through: join, in: scope)
            return [
                linked, function(2, on: members.table, keys: [(.update, changed)], rows: rows, in: scope),
            ]
        }
    }
}

extension DerivedMembers {
    /// Keys of the rows whose members come, go or change.
    fileprivate func owners(by column: String) -> [(TriggerFunction.Occasion, String)] {
        let owner = quoted(identifier: column)
        let condition = changes([column] + (sum.map { [$0] } ?? []))
        let key = quoted(identifier: key)
        return [
            (.insert, "SELECT DISTINCT n.\(owner) FROM coredata_new AS n WHERE n.\(owner) IS NOT NULL"),
            (
                .update,
                """
                SELECT DISTINCT c.k FROM \(TriggerFunction.changedRows(key)) \
                CROSS JOIN LATERAL (VALUES (o.\(owner)), (n.\(owner))) AS c(k) \
                WHERE c.k IS NOT NULL AND \(condition)
                """
            ),
            (.delete, "SELECT DISTINCT o.\(owner) FROM coredata_old AS o WHERE o.\(owner) IS NOT NULL"),
        ]
    }

    /// Keys of the rows that a join table leads to changed members from.
    fileprivate func changedRows(through join: JoinColumns, in scope: TriggerScope) -> String {
        let key = quoted(identifier: key)
        return """
            SELECT DISTINCT j.\(quoted(identifier: join.sourceColumn)) FROM (SELECT n.\(key) AS k \
            FROM \(TriggerFunction.changedRows(key)) WHERE \(changes(sum.map { [$0] } ?? [])) OFFSET 0) AS c \
            JOIN \(scope.table(join.table)) AS j ON j.\(quoted(identifier: join.destinationColumn)) = c.k
            """
    }

    /// Any column of a member may decide whether it counts.
    private func changes(_ columns: [String]) -> String {
        if filter != nil { return "TRUE" }
        let names = columns.map(quoted(identifier:))
        return "(" + names.map { "n.\($0) IS DISTINCT FROM o.\($0)" }.joined(separator: " OR ") + ")"
    }
}

extension JoinColumns {
    /// Keys of the rows whose pairs come or go.
    fileprivate var owners: [(TriggerFunction.Occasion, String)] {
        let owner = quoted(identifier: sourceColumn)
        let pair = "\(owner), \(quoted(identifier: destinationColumn))"
        return [
            (.insert, "SELECT DISTINCT n.\(owner) FROM coredata_new AS n"),
            (
                .update,
                """
                SELECT DISTINCT c.\(owner) FROM ((SELECT \(pair) FROM coredata_new EXCEPT SELECT \(pair) \
                FROM coredata_old) UNION ALL (SELECT \(pair) FROM coredata_old EXCEPT SELECT \(pair) \
                FROM coredata_new)) AS c
                """
            ),
            (.delete, "SELECT DISTINCT o.\(owner) FROM coredata_old AS o"),
        ]
    }
}
