// The SQL that PostgreSQL gets for what the other tests of this module ask of SQLite.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

private typealias Column = FetchDescription.DictionaryColumn

private func path(_ path: String) -> Column { Column(name: path, source: .keyPath(path)) }

private func expression(_ name: String, _ format: String) throws -> Column {
    Column(
        name: name, source: .expression(try PredicateParser.expression(format), resultType: .integer64))
}

struct PostgreSQLDialectTests {
    private static let head = #"SELECT t0."object_entity", t0."object_id" FROM "person" t0"#

    @Test(arguments: Expected.conditions)
    func conditions(_ expected: Translation) throws {
        let statement = try Staff.postgreSQL(try PredicateParser.predicate(expected.format))
        expect(statement.text, equals: Self.head + " WHERE " + expected.sql)
        expect(statement.bindings, equals: expected.bindings)
    }

    @Test(arguments: [
        "characters(name) > 3", "name MATCHES '(a)\\\\1'", "name MATCHES[c] 'a++'", "name ==[l] 'a'",
        "name MATCHES surname", "name MATCHES '('",
    ])
    func whatHasNoEqualIsRefused(_ format: String) throws {
        let predicate = try PredicateParser.predicate(format)
        #expect(throws: TranslationFailure.self) { try Staff.postgreSQL(predicate) }
    }

    @Test func fetchesCountsAndWindows() throws {
        try expect(
            Staff.postgreSQL(of: "Employee", nil, result: .rows(columns: ["name"])) {
                $0.sortKeys = [
                    SortKey("name", comparison: .caseInsensitiveCompare), SortKey("age", ascending: false),
                    SortKey("objectID", ascending: false),
                ]
                $0.offset = 10
            },
            equals: SQLStatement(
                """
                SELECT t0."object_entity", t0."object_id", t0."object_version", t0."name" FROM "person" t0 \
                WHERE t0."object_entity" = 4 ORDER BY "coredata".fold_case(t0."name") NULLS FIRST, \
                t0."age" DESC NULLS LAST, t0."object_id" DESC OFFSET $1::bigint
                """, bindings: [.integer(10)]))
        try expect(
            Staff.postgreSQL(try PredicateParser.predicate("boss.age == 3"), result: .count) {
                $0.limit = 2
            },
            equals: SQLStatement(
                """
                SELECT COUNT(*) FROM (SELECT 1 FROM "person" t0 LEFT OUTER JOIN "person" t1 \
                ON t1."object_id" = t0."boss_id" WHERE t1."age" = $1::bigint LIMIT 2) t2
                """, bindings: [.integer(3)]))
    }

    @Test func dictionariesAndGroups() throws {
        let columns = [
            path("age"), try expression("n", "count:(SELF)"), try expression("m", "median:(height)"),
        ]
        let having = try PredicateParser.predicate("$n > 1")
        try expect(
            Staff.postgreSQL(nil, result: .dictionaries(columns)) {
                $0.groupBy = [path("age")]
                $0.having = having
                $0.sortKeys = [SortKey("age")]
            },
            equals: SQLStatement(
                """
                SELECT t0."age", COUNT(t0."object_id"), percentile_cont(0.5) WITHIN GROUP (ORDER BY t0."height") \
                FROM "person" t0 GROUP BY t0."age" HAVING COUNT(t0."object_id") > $1::bigint \
                ORDER BY t0."age" NULLS FIRST
                """, bindings: [.integer(1)]))
        try expect(
            Staff.postgreSQL(nil, result: .dictionaryCount([path("age"), path("boss.age")])) {
                $0.returnsDistinctResults = true
                $0.sortKeys = [SortKey("surname")]
                $0.offset = 2
            },
            equals: SQLStatement(
                """
                SELECT COUNT(*) FROM (SELECT DISTINCT t0."age", t1."age" FROM "person" t0 LEFT OUTER JOIN "person" t1 \
                ON t1."object_id" = t0."boss_id" OFFSET $1::bigint) t2
                """, bindings: [.integer(2)]))
        #expect(throws: TranslationFailure.self) {
            try Staff.postgreSQL(nil, result: .dictionaries(columns))
        }
        #expect(throws: TranslationFailure.self) {
            try Staff.postgreSQL(nil, result: .dictionaries([path("age")])) {
                $0.returnsDistinctResults = true
                $0.sortKeys = [SortKey("surname")]
            }
        }
    }

    @Test func savesAndLinks() throws {
        let dialect = PostgreSQLDialect()
        let rows = RowStatements(try PostgreSQLStatements.table("Tag"), in: dialect)
        expect(
            rows.insertion(["name"], rows: 2),
            equals: """
                INSERT INTO "tag" ("object_id", "object_entity", "object_version", "name") \
                VALUES ($1, $2, $3, $4), ($5, $6, $7, $8)
                """)
        expect(
            rows.update(["name"]),
            equals: """
                UPDATE "tag" SET "name" = $1, "object_version" = $2 \
                WHERE "object_id" = $3 AND COALESCE("object_version", 0) = $4
                """)
        let friends = try PostgreSQLStatements.friends()
        expect(
            SaveShape.connectOnce(friends).text(in: dialect),
            equals: """
                INSERT INTO "person_friends" ("friend_of_id", "friends_id") VALUES ($1, $2) ON CONFLICT DO NOTHING
                """)
        let place = try #require(try PostgreSQLStatements.table("Company").columns["departments"])
        let related = try #require(
            RelatedStatements(place, destination: try PostgreSQLStatements.table("Department"), in: dialect))
        expect(
            related.selection(columns: ["name"], isPolymorphic: false, sources: 64),
            equals: """
                SELECT t."object_id", t."object_version", t."name", t."company_id", t."company_order" \
                FROM "department" AS t WHERE t."company_id" = ANY($1::bigint[]) \
                ORDER BY t."company_id", t."company_order" NULLS FIRST, t."object_id"
                """)
    }

    @Test func batches() throws {
        let planner = try Staff.postgreSQLPlanner()
        var rows = FetchDescription(entityName: "Person", result: .keys)
        rows.predicate = try PredicateParser.predicate("age == 3")
        var update = BatchUpdateDescription(rows: rows)
        update.constants = [("name", "\(binding: .text("x"), as: .ofPlace)")]
        update.expressions = [("age", try PredicateParser.expression("height * 2"))]
        update.returnsKeys = true
        try expect(
            planner.update(update),
            equals: SQLStatement(
                """
                UPDATE "person" AS t0 SET "name" = $1, \
                "age" = CAST(CAST(CAST(trunc("coredata".times(t0."height", $2::bigint)) AS bigint) AS smallint) AS bigint), \
                "object_version" = COALESCE(t0."object_version", 0) % 9223372036854775807 + 1 \
                WHERE t0."age" = $3::bigint RETURNING "object_entity", "object_id"
                """, bindings: [.text("x"), .integer(2), .integer(3)]))
        expect(
            DeletionStatements(PostgreSQLDialect()).create.text,
            equals: """
                CREATE TEMP TABLE IF NOT EXISTS "Z_DOOMED" ("Z_ROOT" bigint, "Z_PK" bigint, "Z_ROUND" bigint, \
                PRIMARY KEY ("Z_ROOT", "Z_PK")) ON COMMIT DROP
                """)
    }

    @Test func tablesAndIndexes() throws {
        var blueprint = try LayoutBuilder.blueprint(for: Staff.index, form: .postgreSQL)
        #expect(
            blueprint.definitions.contains(
                """
                CREATE TABLE "department" ( "object_id" bigint PRIMARY KEY, "object_entity" bigint, \
                "object_version" bigint, "company_id" bigint, "company_order" bigint, "name" text COLLATE "C" )
                """))
        #expect(
            blueprint.definitions.contains(
                """
                CREATE TABLE "person_friends" ( "friend_of_id" bigint, "friends_id" bigint, \
                PRIMARY KEY ("friend_of_id", "friends_id") )
                """))
        #expect(
            try blueprint.indexes().map(\.text).contains(
                #"CREATE INDEX "person_boss_id_idx" ON "person" ("boss_id")"#))
        blueprint = try LayoutBuilder.blueprint(for: library, form: .postgreSQL)
        #expect(
            try blueprint.indexes().map(\.text).contains(
                #"CREATE UNIQUE INDEX "book_unique_id_key" ON "book" ("unique_id" NULLS FIRST)"#))
    }

    @Test func literalsInConditionsOfIndexes() throws {
        let planner = try Staff.postgreSQLPlanner()
        func clause(_ format: String) throws -> String {
            try planner.partialIndexClause(try PredicateParser.predicate(format), entity: "Person")
        }
        try expect(clause("age IN {1, -2}"), equals: #""age" IN ('1'::bigint, '-2'::bigint)"#)
        try expect(clause("name == \"O'B\\\\\""), equals: #""name" = 'O''B\'::text"#)
        try expect(
            clause("birthday > CAST(5, 'NSDate')"),
            equals: #""birthday" > to_timestamp('5.0'::double precision + 978307200)"#)
    }
}

struct PlainNamingTests {
    @Test(arguments: [
        ("lastName", "last_name"), ("HTTPServer", "http_server"), ("name", "name"), ("uniqueID", "unique_id"),
        ("already_so", "already_so"), ("Person2Car", "person2_car"), ("ÉtéÀ", "été_à"),
    ])
    func words(_ name: String, _ expected: String) {
        expect(PlainNaming().table(ofRoot: name), equals: expected)
    }

    @Test func longNamesDifferAndFit() {
        let long = String(repeating: "somethingLong", count: 8)
        let names = [long + "A", long + "B"].map(PlainNaming().foreignKey)
        #expect(names[0] != names[1])
        #expect(names.allSatisfy { $0.utf8.count <= 59 && $0.hasSuffix("_id") })
    }
}

struct PortableExpressionTests {
    @Test func setsAreToldApartByTheirCharacters() throws {
        for (pattern, expected) in [
            ("[[\u{E9}]1]", "^(?:[1\u{E9}])$"), ("[[e\u{301}]1]", "^(?:[1e\u{301}])$"),
        ] {
            let predicate = PredicateTree.comparison(
                .init(.keyPath("name"), op: .matches, right: .constant(.string(pattern))))
            guard case .text(let found)? = try Staff.postgreSQL(predicate).bindings.first else {
                Issue.record("no pattern for \(pattern)")
                continue
            }
            expect(Array(found.unicodeScalars), equals: Array(expected.unicodeScalars))
        }
    }

    @Test(arguments: [
        (#"a\.b"#, #"^(?:a\.b)$"#), ("(a|b)*?", "^(?:(?:a|b)*)$"), ("[^a-z_]{2,3}", #"^(?:[^a-z\_]{2,3})$"#),
        ("", "^(?:)$"), ("(?i)1a", "^(?:1[Aa])$"), ("^a|^b$|c", "^(?:a|b|c)$"), (#"a\|b$"#, #"^(?:a\|b)$"#),
    ])
    func what(_ pattern: String, _ expected: String) throws {
        let predicate = PredicateTree.comparison(
            .init(.keyPath("name"), op: .matches, right: .constant(.string(pattern))))
        try expect(Staff.postgreSQL(predicate).bindings, equals: [.text(expected)])
    }

    @Test(arguments: [
        "^*", "a++", "(?>a)", "(?x)a", #"\X"#, #"\R"#, #"\Z"#, "[]a]", "a{300}", "(a", "a)", "*a", "[a-",
        #"(.)\1"#, #"\0"#,
    ])
    func refused(_ pattern: String) {
        let predicate = PredicateTree.comparison(
            .init(.keyPath("name"), op: .matches, right: .constant(.string(pattern))))
        #expect(throws: TranslationFailure.self) { try Staff.postgreSQL(predicate) }
    }
}

private enum Expected {
    static let conditions: [Translation] = [
        Translation("name == 'Ann'", #"t0."name" = $1::text"#, .text("Ann")),
        Translation("name != 'Ann'", #"t0."name" IS DISTINCT FROM $1::text"#, .text("Ann")),
        Translation("name == surname", #"t0."name" IS NOT DISTINCT FROM t0."surname""#),
        Translation("age >= 3.5", #"t0."age" >= $1::double precision"#, .double(3.5)),
        Translation("isActive == YES", #"t0."is_active" = $1::boolean"#, .integer(1)),
        Translation("isActive == 1", #"CAST(t0."is_active" AS integer) = $1::bigint"#, .integer(1)),
        Translation(
            "birthday > CAST(5, 'NSDate')",
            #"t0."birthday" > to_timestamp($1::double precision + 978307200)"#,
            .double(5)),
        Translation(
            "birthday.timeIntervalSinceReferenceDate > 5",
            #"CAST(EXTRACT(EPOCH FROM t0."birthday") - 978307200 AS double precision) > $1::double precision"#,
            .double(5)),
        Translation(
            "age BETWEEN {1, 9}", #"(t0."age" >= $1::bigint AND t0."age" <= $2::bigint)"#, .integer(1),
            .integer(9)),
        Translation(
            "name BEGINSWITH 'An'", #"(t0."name" >= $1::text AND t0."name" < $2::text)"#, .text("An"),
            .text("Ao")),
        Translation("name CONTAINS 'n'", #"strpos(t0."name", $1::text) > 0"#, .text("n")),
        Translation(
            "name CONTAINS[cd] 'e'",
            #"strpos("coredata".fold(t0."name"), "coredata".fold($1::text)) > 0"#,
            .text("e")),
        Translation(
            "name ==[c] 'ann'", #""coredata".fold_case(t0."name") = "coredata".fold_case($1::text)"#,
            .text("ann")),
        Translation(
            "name LIKE 'A*'", #"normalize(t0."name") LIKE "coredata".like_pattern(normalize($1::text))"#,
            .text("A*")),
        Translation(
            "name MATCHES 'A.+'", #"t0."name" ~ $1::text"#, .text(#"^(?:A(?:[^\r]|\r\n|\r(?!\n))+)$"#)),
        Translation("name.length > 3", #""coredata".utf16_length(t0."name") > $1::bigint"#, .integer(3)),
        Translation(
            "age / 7 == 4", #"div(CAST(t0."age" AS numeric), NULLIF($1::bigint, 0)) = $2::bigint"#,
            .integer(7),
            .integer(4)),
        Translation(
            "age + 7 == height",
            #"(CAST(t0."age" AS numeric) + $1::bigint) IS NOT DISTINCT FROM "#
                + #""coredata".exact(t0."height")"#, .integer(7)),
        Translation("age > 30.0", #"t0."age" > $1::bigint"#, .integer(30)),
        Translation("age > 30.5", #"t0."age" > $1::double precision"#, .double(30.5)),
        Translation("age < 1e19", #"t0."age" < $1::numeric"#, .text("1e+19")),
        Translation("age IN {1, 2}", #"t0."age" = ANY($1::bigint[])"#, .text(#"{"1","2"}"#)),
        Translation("age IN {1, 2.5}", #"t0."age" = ANY($1::numeric[])"#, .text(#"{"1","2.5"}"#)),
        Translation("name IN {'a', 'b\"'}", #"t0."name" = ANY($1::text[])"#, .text(#"{"a","b\""}"#)),
        Translation(
            "birthday IN {CAST(1, 'NSDate'), CAST(2, 'NSDate')}",
            #"t0."birthday" IN (SELECT to_timestamp(v + 978307200) FROM unnest($1::double precision[]) AS v)"#,
            .text(#"{"1.0","2.0"}"#)),
        Translation(
            "name IN[c] {'ann', 'bob'}",
            #"EXISTS (SELECT 1 FROM unnest($1::text[]) AS v WHERE "#
                + #""coredata".fold_case(t0."name") = "coredata".fold_case(v))"#, .text(#"{"ann","bob"}"#)
        ),
        Translation(
            "SUBQUERY(reports, $r, $r.age > age).@count > 1",
            #"(SELECT COUNT(*) FROM "person" t1 WHERE t1."boss_id" = t0."object_id" AND t1."age" > t0."age")"#
                + " > $1::bigint", .integer(1)),
        Translation(
            "reports.@avg.age > 30",
            #"(SELECT AVG(CAST(t1."age" AS double precision)) FROM "person" t1 "#
                + #"WHERE t1."boss_id" = t0."object_id") > $1::double precision"#, .double(30)),
        Translation("boss == SELF", #"t0."boss_id" IS NOT DISTINCT FROM t0."object_id""#),
    ]
}
