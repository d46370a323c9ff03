// The functions and collations that statements for PostgreSQL call. They are immutable, so that indexes can use them.

/// The statements that make the schema of our functions.
package enum PostgreSQLFunctions {
    /// To run once for a database, by who may make schemas. Functions that are there already are replaced.
    package static func definitions(for dialect: PostgreSQLDialect) -> [SQLStatement] {
        let schema = dialect.name(dialect.functions)
        let made = ["CREATE SCHEMA IF NOT EXISTS \(schema)"]
        let functions = bodies.map { function in
            """
            CREATE OR REPLACE FUNCTION \(schema).\(function.name)(\(function.arguments)) \
            RETURNS \(function.result) LANGUAGE \(language(of: function.body)) IMMUTABLE STRICT PARALLEL SAFE \
            AS \(sqlText(function.body.replacing("SCHEMA.", with: schema + ".")))
            """
        }
        let collations = collations.map { name, locale in
            """
            CREATE COLLATION IF NOT EXISTS \(schema).\(name) \
            (provider = icu, locale = \(sqlText(locale)), deterministic = true)
            """
        }
        // Other roles have stores in the database too.
        let granted = ["GRANT USAGE ON SCHEMA \(schema) TO PUBLIC"]
        return (made + functions + collations + granted).map { SQLStatement($0) }
    }

    /// Asks whether a database has the function that was added last.
    package static func areComplete(for dialect: PostgreSQLDialect) -> SQLStatement {
        let newest = dialect.name(dialect.functions) + ".number(double precision)"
        return SQLStatement("SELECT to_regprocedure(\(sqlText(newest))) IS NOT NULL")
    }

    typealias Body = (name: String, arguments: String, result: String, body: String)

    /// Statements of SQL are taken into the plans of queries; a block runs by itself, so that what it is given is worked out once.
    private static func language(of body: String) -> String {
        body.hasPrefix("BEGIN ") || body.hasPrefix("DECLARE ") ? "plpgsql COST 10" : "sql"
    }

    private static let bodies: [Body] = texts + numbers + reals + shifts

    private static let numbers: [Body] = [
        ("whole", "bigint", "bigint", "SELECT $1"),
        (
            "whole", "double precision", "bigint",
            """
            SELECT CASE WHEN $1 >= -9223372036854775808 AND $1 < 9223372036854775808 \
            THEN CAST(trunc($1) AS bigint) END
            """
        ),
        (
            "whole", "numeric", "bigint",
            """
            SELECT CASE WHEN trunc($1) BETWEEN -9223372036854775808 AND 9223372036854775807 \
            THEN CAST(trunc($1) AS bigint) END
            """
        ),
        ("whole", "text", "bigint", "SELECT SCHEMA.whole(SCHEMA.leading_number($1))"),
        (
            "power", "double precision, double precision", "double precision",
            """
            SELECT CASE WHEN $1 = 0 AND $2 < 0 THEN 'Infinity' WHEN $1 < 0 AND $2 <> trunc($2) THEN NULL \
            ELSE power($1, $2) END
            """
        ),
        (
            "square_root", "double precision", "double precision",
            "SELECT CASE WHEN $1 >= 0 THEN sqrt($1) END"
        ),
        ("log", "double precision", "double precision", "SELECT CASE WHEN $1 > 0 THEN log($1) END"),
        ("ln", "double precision", "double precision", "SELECT CASE WHEN $1 > 0 THEN ln($1) END"),
        (
            "exp", "double precision", "double precision",
            "SELECT CASE WHEN $1 > 709.78 THEN 'Infinity' WHEN $1 < -745 THEN 0 ELSE exp($1) END"
        ),
    ]

    /// Arithmetic whose results leave the range of doubles. A product of tiny numbers is zero.
    private static let reals: [Body] = [
        // No number, as the difference of two infinite ones, is nil: the server's NaN is above all numbers.
        ("number", "double precision", "double precision", "SELECT NULLIF($1, 'NaN')"),
        ("absolute", "bigint", "numeric", "SELECT abs(CAST($1 AS numeric))"),
        ("absolute", "numeric", "numeric", "SELECT abs($1)"),
        ("absolute", "double precision", "double precision", "SELECT abs($1)"),
        ("exact", "numeric", "numeric", "SELECT $1"),
        (
            "exact", "double precision", "numeric",
            """
            SELECT CASE WHEN abs($1) < 9000000000000000000 AND $1 = trunc($1) \
            THEN CAST(CAST($1 AS bigint) AS numeric) ELSE CAST(CAST($1 AS text) AS numeric) END
            """
        ),
        (
            "moment", "double precision", "timestamptz",
            """
            SELECT CASE WHEN $1 = 'NaN' THEN NULL \
            WHEN $1 < \(Int(PostgreSQLDialect.dates.lowerBound)) THEN '-infinity' \
            WHEN $1 >= \(Int(PostgreSQLDialect.dates.upperBound)) THEN 'infinity' ELSE to_timestamp($1 + \(PostgreSQLDialect.epoch)) END
            """
        ),
        (
            "plus", "double precision, double precision", "double precision",
            """
            SELECT SCHEMA.number(CASE WHEN abs($1) > 1 AND sign($1) * $2 > 1 \
            AND abs($1 * 0.5 + $2 * 0.5) > 8.988465674311579e307 \
            THEN sign($1) * 'Infinity' ELSE $1 + $2 END)
            """
        ),
        (
            "times", "double precision, double precision", "double precision",
            """
            SELECT SCHEMA.number(CASE WHEN abs($1) > 1 AND abs($2) > 1.7976931348623157e308 / abs($1) \
            THEN sign($1) * sign($2) * 'Infinity' \
            WHEN GREATEST(abs($1), abs($2)) < 1e-162 THEN 0 \
            WHEN LEAST(abs($1), abs($2)) < 1e-162 AND GREATEST(abs($1), abs($2)) < 1 \
            AND LEAST(abs($1), abs($2)) * 1e162 * GREATEST(abs($1), abs($2)) < 2.47e-162 \
            THEN 0 ELSE $1 * $2 END)
            """
        ),
        (
            "quotient", "double precision, double precision", "double precision",
            """
            SELECT SCHEMA.number(CASE WHEN $2 = 0 THEN NULL \
            WHEN abs($2) < 1 AND abs($1) > 1.7976931348623157e308 * abs($2) \
            THEN sign($1) * sign($2) * 'Infinity' \
            WHEN abs($2) > 1 AND abs($1) < 1e-10 AND abs($1) * 1e300 < 2.47e-24 * abs($2) THEN 0 ELSE $1 / $2 END)
            """
        ),
    ]

    /// Shifts by more than the width, and by less than nothing, as SQLite has them.
    private static let shifts: [Body] = [
        (
            "shift_left", "bigint, bigint", "bigint",
            "SELECT CASE WHEN $2 < 0 THEN \(right("-GREATEST($2, -64)")) ELSE \(left("$2")) END"
        ),
        (
            "shift_right", "bigint, bigint", "bigint",
            "SELECT CASE WHEN $2 < 0 THEN \(left("-GREATEST($2, -64)")) ELSE \(right("$2")) END"
        ),
    ]

    private static func left(_ count: String) -> String {
        "CASE WHEN \(count) > 63 THEN 0 ELSE $1 << CAST(\(count) AS integer) END"
    }

    private static func right(_ count: String) -> String {
        "$1 >> CAST(LEAST(\(count), 63) AS integer)"
    }

    private static let collations = [
        ("localized", "und"), ("localized_no_case", "und-u-ks-level2"), ("finder", "und-u-kn-true-ks-level2"),
    ]
}
