// Indexes over values of any size. A B-tree of PostgreSQL takes no entry of more than 2,704 bytes, a third of a page. An index that
// met a longer value is one of another kind from then on: it finds equal texts and beginnings, but doesn't sort. Unique ones go
// by digests.
//
//     CREATE UNIQUE INDEX "book_title_key" ON "book" (sha256(decode(replace("title", '\', '\\'), 'escape')))
//     CREATE INDEX "book_title_key_lookup" ON "book" USING spgist ("title")

import CoreDataSchema

extension IndexPart {
    /// The kind of index that finds equal values of any size, and beginnings of texts; `nil` for values that are short by nature.
    fileprivate var method: String? {
        switch type {
        case .string, .uri: "spgist"
        case .binaryData, .transformable: "hash"
        default: nil
        }
    }

    /// A value of 32 bytes in place of one of any size.
    fileprivate var digest: SQLFragment {
        switch method {
        case "spgist": #"sha256(decode(replace(\#(sql), '\', '\\'), 'escape'))"#
        case "hash": "sha256(\(sql))"
        default: term
        }
    }
}

extension IndexShape {
    /// Indicates whether its values may be longer than an entry of a B-tree.
    package var isLimited: Bool { parts.contains { $0.method != nil } }

    /// The name of the index that finds rows beside a unique one that goes by digests.
    package var lookupName: String { PlainNaming.fitted(name, suffix: "_lookup") }

    /// The comment of an index without the limit.
    private static let mark = "takes values of any size"

    /// The statements that make it without the limit, under its name.
    package var unlimited: [SQLStatement] {
        let dialect = PostgreSQLDialect()
        let condition = SQLFragment(stringLiteral: self.condition.map { " WHERE \($0)" } ?? "")
        let short = parts.prefix { $0.method == nil }
        var texts: [SQLFragment] = []
        func make(_ head: SQLFragment, _ body: SQLFragment) {
            texts.append("CREATE \(head) ON \(name: table) \(body)\(condition)")
        }
        func lookUp(_ head: SQLFragment) {
            guard let first = parts.first, let method = first.method else { return }
            make(head, "USING \(sql: method) (\(first.sql))")
        }
        if isUnique {
            make("UNIQUE INDEX \(name: name)", "(\(parts.map(\.digest).joined(separator: ", ")))")
            lookUp("INDEX IF NOT EXISTS \(name: lookupName)")
        } else if short.isEmpty {
            lookUp("INDEX \(name: name)")
        } else {
            make("INDEX \(name: name)", "(\(short.map(\.term).joined(separator: ", ")))")
        }
        texts.append("COMMENT ON INDEX \(name: name) IS \(sql: sqlText(Self.mark))")
        return texts.map { $0.statement(in: dialect) }
    }

    /// The same statements, each to be run by itself, for an index that is made beside programs at work.
    package var unlimitedBesideOthers: [SQLStatement] {
        unlimited.map { SQLStatement(Self.besideOthers($0.text)) }
    }

    /// The statement that makes an index beside programs at work.
    static func besideOthers(_ text: String) -> String {
        text.replacing("CREATE INDEX", with: "CREATE INDEX CONCURRENTLY", maxReplacements: 1)
    }

    /// Returns whether a statement makes the index beside programs at work.
    package func isMade(by statement: String) -> Bool { statement == Self.besideOthers(text) }

    /// The name of the index that a statement makes.
    package static func name(madeBy text: String) -> String? {
        guard text.hasPrefix("CREATE ") else { return nil }
        let parts = text.split(separator: "INDEX \"", maxSplits: 1)
        return parts.count == 2 ? parts[1].prefix { $0 != "\"" }.description : nil
    }

    /// The statements that make it anew without the limit.
    package var lifting: [SQLStatement] {
        let drop: SQLFragment = "DROP INDEX \(name: name)"
        return [drop.statement(in: PostgreSQLDialect())] + unlimited
    }

    /// Keeps others from its table until the transaction ends.
    package var tableLock: SQLStatement {
        let text: SQLFragment = "LOCK TABLE \(name: table) IN ACCESS EXCLUSIVE MODE"
        return text.statement(in: PostgreSQLDialect())
    }

    /// The names of the indexes that have the limit.
    package static let limited = SQLStatement(
        """
        SELECT relname FROM pg_class WHERE relkind = 'i' AND relnamespace = \(PostgreSQLDialect.currentSchema) \
        AND obj_description(oid, 'pg_class') IS DISTINCT FROM \(sqlText(mark))
        """)
}
