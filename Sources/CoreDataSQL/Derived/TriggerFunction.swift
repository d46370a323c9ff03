// A function on a PostgreSQL server that triggers call, and its triggers.

/// The schemas that the texts of triggers name: whoever writes to the tables may have another search path.
struct TriggerScope: Sendable {
    let tables: String
    let functions: String

    func table(_ name: String) -> String { quoted(identifier: tables) + "." + quoted(identifier: name) }
    func function(_ name: String) -> String { quoted(identifier: functions) + "." + quoted(identifier: name) }
}

/// A function without arguments, in PL/pgSQL.
struct TriggerFunction: Sendable, Hashable {
    enum Occasion: String, Sendable {
        /// Before each row that is inserted or updated.
        case row
        /// After statements; the rows are in `coredata_new` and `coredata_old`.
        case insert, update, delete
    }

    let name: String
    let table: String
    let occasions: [Occasion]
    /// All behind `AS`.
    let body: String

    init(_ name: String, on table: String, occasions: [Occasion], body: String) {
        self.name = PlainNaming.fitted(name)
        self.table = table
        self.occasions = occasions
        self.body = body
    }

    /// The rows of an update before (`o`) and after it (`n`). Each has both; that the join needn't have them keeps the server
    /// from comparing each with each, by a plan that it made when a statement before changed few rows.
    static func changedRows(_ key: String) -> String {
        "coredata_new AS n FULL JOIN coredata_old AS o ON o.\(key) = n.\(key)"
    }

    /// A word for the text, by which a store's functions are told from those of another version of its model.
    var mark: String { String(PlainNaming.checksum(occasions.map(\.rawValue).joined() + body), radix: 36) }

    func definitions(in scope: TriggerScope) -> [SQLStatement] {
        let function = scope.function(name)
        let made = [
            "CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS \(sqlText(body))",
            "COMMENT ON FUNCTION \(function)() IS \(sqlText(mark))",
        ]
        return (made + occasions.map { trigger($0, calling: function, in: scope) }).map { SQLStatement($0) }
    }

    private func trigger(_ occasion: Occasion, calling function: String, in scope: TriggerScope) -> String {
        let table = scope.table(table)
        let head: String
        switch occasion {
        case .row: head = "BEFORE INSERT OR UPDATE ON \(table) FOR EACH ROW"
        case .insert:
            head = "AFTER INSERT ON \(table) REFERENCING NEW TABLE AS coredata_new FOR EACH STATEMENT"
        case .update:
            head = """
                AFTER UPDATE ON \(table) REFERENCING OLD TABLE AS coredata_old NEW TABLE AS coredata_new \
                FOR EACH STATEMENT
                """
        case .delete:
            head = "AFTER DELETE ON \(table) REFERENCING OLD TABLE AS coredata_old FOR EACH STATEMENT"
        }
        let name = quoted(identifier: "\(name)_\(occasion.rawValue.prefix(3))")
        return "CREATE TRIGGER \(name) \(head) EXECUTE FUNCTION \(function)()"
    }
}
