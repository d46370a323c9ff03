// Functions and string operators as PostgreSQL has them, and its catalogue.

package import CoreDataPredicate
import CoreDataSupport

extension PostgreSQLDialect {
    /// A call of one of our functions on the server.
    func own(_ function: String, arguments: [SQLFragment]) -> SQLFragment {
        "\(name: functions).\(sql: function)(\(arguments.joined(separator: ", ")))"
    }

    package func call(
        _ function: SQLFunction.Name, arguments: [SQLFragment]
    ) throws(TranslationFailure) -> SQLFragment {
        let list = arguments.joined(separator: ", ")
        switch function {
        // As [cd] folds texts, so that an index over one serves the other.
        case .canonical: return own("fold", arguments: arguments)
        case .uppercase: return own("uppercase", arguments: arguments)
        case .lowercase: return own("lowercased", arguments: arguments)
        case .length: return own("utf16_length", arguments: arguments)
        case .power: return own("power", arguments: arguments)
        case .squareRoot: return own("square_root", arguments: arguments)
        case .log: return own("log", arguments: arguments)
        case .ln: return own("ln", arguments: arguments)
        case .exp: return own("exp", arguments: arguments)
        case .ceiling: return "ceil(\(list))"
        case .floor: return "floor(\(list))"
        case .trunc: return "trunc(\(list))"
        case .absolute: return own("absolute", arguments: arguments)
        case .integer: return own("whole", arguments: arguments)
        case .leadingNumber: return own("leading_number", arguments: arguments)
        case .exclusiveOr:
            return "(\(arguments.map { own("whole", arguments: [$0]) }.joined(separator: " # ")))"
        case .sum: return "SUM(\(list))"
        case .median: return "percentile_cont(0.5) WITHIN GROUP (ORDER BY \(list))"
        case .mode: return "mode() WITHIN GROUP (ORDER BY \(list))"
        case .standardDeviation: return "stddev_pop(\(list))"
        case .characters, .stringSearch, .element:
            throw refusal("the function \(function.rawValue)")
        }
    }

    private func refusal(_ what: String) -> TranslationFailure {
        TranslationFailure("\(what) has no SQL form in \(databaseName)")
    }

    package func aggregate(
        _ aggregate: Aggregate, scalar: Scalar
    ) throws(TranslationFailure) -> SQLFragment {
        switch aggregate {
        case .count: return "COUNT(\(scalar.sql))"
        case .sum where scalar.kind.isNumeric || scalar.kind == .any: return "SUM(\(try number(scalar)))"
        case .sum: return "COALESCE(SUM(\(try number(scalar))), 0)"
        case .average: return "AVG(CAST(\(try number(scalar)) AS double precision))"
        case .min, .max:
            let function: SQLFragment = aggregate == .min ? "MIN" : "MAX"
            switch scalar.kind {
            case .boolean: return value("\(function)(\(number(scalar.sql, of: .boolean)))", of: .boolean)
            // Bytes have no least before PostgreSQL 18; their digits are in the same order.
            case .blob: return "decode(\(function)(encode(\(scalar.sql), 'hex') COLLATE \"C\"), 'hex')"
            default: return "\(function)(\(scalar.sql))"
            }
        case .median: return try call(.median, arguments: [try number(scalar)])
        case .mode: return try call(.mode, arguments: [try number(scalar)])
        case .stddev: return try call(.standardDeviation, arguments: [cast(try number(scalar), to: .real)])
        }
    }

    /// The argument of sums: of a text the number that it begins with.
    private func number(_ scalar: Scalar) throws(TranslationFailure) -> SQLFragment {
        switch scalar.kind {
        case .text: own("leading_number", arguments: [scalar.sql])
        case .blob: throw refusal("a sum over \(scalar.name)")
        default: number(scalar.sql, of: scalar.kind)
        }
    }

    // MARK: Texts

    package func contains(_ text: SQLFragment, part: SQLFragment) -> SQLFragment {
        "strpos(\(text), \(part)) > 0"
    }

    package func search(_ search: TextSearch) throws(TranslationFailure) -> SQLFragment {
        if search.options.contains(.localeSensitive) {
            throw refusal("a comparison by the locale, [l],")
        }
        if search.op == .matches { return try expression(search) }
        let text = folded(search.text, options: search.options)
        let pattern = folded(search.pattern, options: search.options)
        let test: SQLFragment
        switch search.op {
        case .beginsWith: test = "starts_with(\(text), \(pattern))"
        case .contains: test = contains(text, part: pattern)
        case .endsWith: test = "right(\(text), length(\(pattern))) = \(pattern)"
        case .like:
            // `?` is one character as people see it, however it is composed. Folded texts are composed already.
            let isFolded = !search.options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
            if isFolded { return "\(text) LIKE \(own("like_pattern", arguments: [pattern]))" }
            return "normalize(\(text)) LIKE \(own("like_pattern", arguments: ["normalize(\(pattern))"]))"
        default:
            guard let symbol = search.op == .equalTo ? "=" : search.op.symbol else {
                throw refusal("the operator \(search.op.format(selector: "a selector"))")
            }
            return "\(text) \(symbol) \(pattern)"
        }
        // Nothing contains the empty text.
        if let known = search.known { return known.isEmpty ? .never : test }
        return "(\(test) AND \(pattern) <> '')"
    }

    private func expression(_ search: TextSearch) throws(TranslationFailure) -> SQLFragment {
        guard let known = search.known else { throw refusal("MATCHES with a pattern that isn't constant") }
        let valid: String
        do {
            valid = try StringMatcher.expression(known, options: search.options)
        } catch {
            throw TranslationFailure(error.reason)
        }
        let ignoresCase = search.options.contains(.caseInsensitive)
        guard let pattern = PortableExpression.postgreSQL(valid, ignoresCase: ignoresCase)
        else { throw refusal("MATCHES with the pattern \(known)") }
        // The pattern has its case in it.
        let text = folded(search.text, options: search.options.intersection(.diacriticInsensitive))
        return "\(text) ~ \(binding: .text(pattern))"
    }

    private func folded(_ text: SQLFragment, options: ComparisonOptions) -> SQLFragment {
        switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
        case (true, true): own("fold", arguments: [text])
        case (true, false): own("fold_case", arguments: [text])
        case (false, true): own("fold_marks", arguments: [text])
        case (false, false): text
        }
    }

    package func membership(
        _ text: SQLFragment, list: [SQLConstant], options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        let parameter = SQLFragment(
            binding: .text(PostgreSQLArray(list, isTruth: false).text), as: .named("text[]"))
        let test = try search(
            TextSearch(text: text, op: .equalTo, pattern: "v", known: nil, options: options))
        return "EXISTS (SELECT 1 FROM unnest(\(parameter)) AS v WHERE \(test))"
    }

    /// The locale's orders are the collations that `PostgreSQLFunctions` makes.
    package func collated(
        _ text: SQLFragment, collation: SQLCollation
    ) throws(TranslationFailure) -> SQLFragment {
        switch collation {
        case .noCase: own("fold_case", arguments: [text])
        case .localeSensitive: "\(text) COLLATE \(name: functions).localized"
        case .localeSensitiveNoCase: "\(text) COLLATE \(name: functions).localized_no_case"
        case .finderStyle: "\(text) COLLATE \(name: functions).finder"
        }
    }

    // MARK: Catalogue

    /// The number of the schema that new tables go to. The cast reads a name as SQL does, which folds capitals.
    package static let currentSchema = "quote_ident(current_schema())::regnamespace"

    /// Of the schema that new tables go to.
    package var catalogue: CatalogueQueries {
        CatalogueQueries(
            columns: SQLStatement(
                """
                SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), \
                COALESCE(array_position(i.indkey::int2[], a.attnum) + 1, 0) FROM pg_class AS c \
                JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
                LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary \
                WHERE c.relkind IN ('r', 'p') AND c.relnamespace = \(Self.currentSchema) \
                ORDER BY c.oid, a.attnum
                """),
            indexes: SQLStatement(
                """
                SELECT n.relname, c.relname, pg_get_indexdef(i.indexrelid) FROM pg_index AS i \
                JOIN pg_class AS n ON n.oid = i.indexrelid JOIN pg_class AS c ON c.oid = i.indrelid \
                WHERE NOT i.indisprimary AND c.relnamespace = \(Self.currentSchema) ORDER BY n.oid
                """),
            machinery: SQLStatement(
                "SELECT 'trigger', t.tgname, c.relname, pg_get_triggerdef(t.oid)\(triggers)"),
            triggers: SQLStatement("SELECT t.tgname\(triggers)"))
    }

    private var triggers: String {
        """
         FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid \
        WHERE NOT t.tgisinternal AND c.relnamespace = \(Self.currentSchema) ORDER BY t.oid
        """
    }
}
