// The SQL that one database says otherwise than another. Planners ask a dialect while they make a statement; what runs it
// asks nothing.
//
// Not in here is the SQL that SQLite and PostgreSQL share: joins, subselects, EXISTS, CASE, GROUP BY, RETURNING,
// `ON CONFLICT (…) DO UPDATE`, `UPDATE … FROM`, window functions, `ALTER TABLE`. Names of tables and columns are the
// layout's (`StoreNaming`).

package import CoreDataPredicate
package import CoreDataSchema
package import CoreDataSupport

/// The SQL of one database.
package protocol Dialect: Sendable {
    /// For failures and logs.
    var databaseName: String { get }

    // MARK: Spelling

    /// An identifier, in quotes where the database needs them.
    func name(_ name: String) -> String

    /// The parameter in the place `number`, from 1.
    func parameter(_ number: Int, for value: SQLBinding?, as type: SQLParameterType) -> String

    /// A value where SQL takes no parameters.
    func literal(_ value: SQLBinding, as type: SQLParameterType) -> String

    // MARK: Types and values

    /// The declared type of an attribute's column.
    func columnType(_ type: AttributeType) -> String

    /// The type of a column of keys, entity numbers, versions or order keys.
    var keyType: String { get }

    /// The text behind the key column of a new table.
    var primaryKeyType: String { get }

    /// Indicates whether large values may lie in files beside the database.
    var keepsFiles: Bool { get }

    /// A constant as columns of its type hold it; `nil` for one that no column holds.
    func constant(_ value: Value) -> SQLConstant?

    /// The same for a comparison with a value of a kind, exact where the database would round one of the two.
    func constant(_ value: Value, against kind: ValueKind) -> SQLConstant?

    /// Two numbers of different kinds for a comparison.
    func comparable(_ left: Scalar, _ right: Scalar) -> (left: SQLFragment, right: SQLFragment)

    /// A value of a kind as a number, for arithmetic and for comparisons with numbers of another kind.
    func number(_ sql: SQLFragment, of kind: ValueKind) -> SQLFragment

    /// A number as a value of a kind: what `number(_:of:)` took apart.
    func value(_ number: SQLFragment, of kind: ValueKind) -> SQLFragment

    /// The same for a number that may be none that a column holds.
    func computed(_ number: SQLFragment, of kind: ValueKind) -> SQLFragment

    func cast(_ sql: SQLFragment, to cast: SQLCast) -> SQLFragment

    /// A whole number, or an error of the statement if it has more bits.
    func bounded(_ number: SQLFragment, bits: Int) -> SQLFragment

    /// A number of 64 bits, an error of the database if the value that it was made of is beyond these.
    func bounded(_ number: SQLFragment, from value: SQLFragment) -> SQLFragment

    /// A column's number in another type; NULL for one that doesn't fit it.
    func converted(_ number: SQLFragment, by conversion: NumericConversion) -> SQLFragment

    /// A condition that doesn't hold, as a value, and one that does.
    var falsehood: SQLFragment { get }
    var truth: SQLFragment { get }

    // MARK: Comparisons and arithmetic

    /// Indicates whether two values are equal; nil equals nil.
    func same(_ left: SQLFragment, and right: SQLFragment) -> SQLFragment
    func different(_ left: SQLFragment, and right: SQLFragment) -> SQLFragment

    /// - Parameter kind: what both sides are: `integer`, where none is anything else, `real`, where one is.
    func arithmetic(
        _ op: SQLOperator, left: SQLFragment, right: SQLFragment, of kind: ValueKind
    ) -> SQLFragment

    /// The value, or another where it is NULL.
    func ifNull(_ value: SQLFragment, and other: SQLFragment) -> SQLFragment

    /// A value that the database must not look up in an index.
    func unindexed(_ sql: SQLFragment, of kind: ValueKind) -> SQLFragment

    /// A column by which nearly all rows of a table are wanted, so that an index would only cost.
    func passing(_ column: SQLFragment) -> SQLFragment

    // MARK: Functions

    /// A function of one row's values. Throws where the database has none that gives the same answers.
    func call(
        _ function: SQLFunction.Name, arguments: [SQLFragment]
    ) throws(TranslationFailure) -> SQLFragment

    /// The absolute value without any function of ours, for indexes.
    func plainAbsolute(_ sql: SQLFragment) -> SQLFragment

    /// A function over the rows of a group.
    func aggregate(_ aggregate: Aggregate, scalar: Scalar) throws(TranslationFailure) -> SQLFragment

    // MARK: Texts

    /// Indicates whether a text has a text in it that is known and not empty.
    func contains(_ text: SQLFragment, part: SQLFragment) -> SQLFragment

    /// A string operator with its options. NULL where a side is NULL.
    func search(_ search: TextSearch) throws(TranslationFailure) -> SQLFragment

    /// A text as ORDER BY wants it for a comparison other than that of bytes.
    func collated(_ text: SQLFragment, collation: SQLCollation) throws(TranslationFailure) -> SQLFragment

    // MARK: Lists

    /// Indicates whether a value of a kind is one of two and more constants.
    ///
    /// - Parameter isInline: whether the list must stand in the text, as in the condition of an index.
    func membership(
        _ sql: SQLFragment, of kind: ValueKind, list: [SQLConstant], isInline: Bool
    ) -> SQLFragment

    /// Indicates whether a text equals one of some constants under options.
    func membership(
        _ text: SQLFragment, list: [SQLConstant], options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment

    /// The text behind a key's column to compare it with `count` keys that come when the statement runs. A database
    /// that takes a list as one parameter has one statement for all counts.
    func oneOfKeys(_ count: Int) -> SQLFragment

    // MARK: Order and window

    /// A term of ORDER BY; nil is the smallest of all values.
    ///
    /// - Parameter isKey: whether it is a row's own key, which never is NULL.
    func order(_ sql: SQLFragment, ascending: Bool, isKey: Bool) -> SQLFragment

    /// A term of an index, in the same order.
    ///
    /// - Parameter isColumn: whether it is a column, no expression.
    func indexTerm(_ sql: SQLFragment, isColumn: Bool, ascending: Bool) -> SQLFragment

    /// Indicates whether distinct and grouped rows may be sorted by what isn't in them, and a fetch may mix columns of rows with
    /// functions over all of them.
    var allowsLooseColumns: Bool { get }

    /// Indicates whether a limit is a parameter, not part of the text.
    var bindsLimits: Bool { get }

    /// ` LIMIT … OFFSET …`; 0 for none.
    func window(limit: Int, offset: Int) -> SQLFragment

    /// A statement as the only table of another one.
    func table(of statement: SQLFragment) -> SQLFragment

    // MARK: Writing

    /// Indicates whether a column that is added with a default has it in all rows at once, without writing them.
    var fillsAddedColumns: Bool { get }

    /// An insertion that leaves alone what is there. `body` is all behind INTO.
    func insertIfAbsent(_ body: SQLFragment) -> SQLFragment

    /// The end of a SELECT whose rows nobody else is to change while the transaction lasts.
    var rowLock: SQLFragment { get }

    /// A temporary table of the connection, qualified.
    func temporaryName(_ table: String) -> SQLFragment

    /// `CREATE TEMP TABLE` unless it is there.
    func createTemporary(_ table: String, columns: [String], primaryKey: [String]) -> SQLFragment
    func createTemporaryIndex(_ name: String, on table: String, columns: [String]) -> SQLFragment
    func dropTemporaryIndex(_ name: String) -> SQLFragment

    // MARK: Abilities and catalogue

    /// Indicates whether functions of ours can be in indexes: other programs that write to the tables have them as well.
    var indexesFunctions: Bool { get }

    /// Indicates whether attributes can be in an index of ranges.
    var hasRangeTrees: Bool { get }

    /// The statements that ask for the tables, indexes and triggers of a database.
    var catalogue: CatalogueQueries { get }
}

/// A constant: how it is bound, and what the database is told about it.
package struct SQLConstant: Sendable {
    package var value: Value
    package var binding: SQLBinding
    /// The binding as a value of the column's type.
    package var sql: SQLFragment

    package init(_ value: Value, binding: SQLBinding, sql: SQLFragment? = nil) {
        self.value = value
        self.binding = binding
        self.sql = sql ?? SQLFragment(binding: binding)
    }
}

/// Conversions that expressions ask for.
package enum SQLCast: Sendable {
    case real
    /// The integer part.
    case whole
    /// A whole number as text.
    case text
    /// The number that a text spells.
    case decimal
}

/// Operators between two numbers.
package enum SQLOperator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case and = "&"
    case or = "|"
    case shiftLeft = "<<"
    case shiftRight = ">>"

    /// Indicates whether it is between whole numbers only.
    var isBitwise: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide: false
        case .remainder, .and, .or, .shiftLeft, .shiftRight: true
        }
    }
}

/// A string operator between two texts.
package struct TextSearch: Sendable {
    var text: SQLFragment
    var op: ComparisonOperator
    var pattern: SQLFragment
    /// The pattern, where it is a constant.
    var known: String?
    var options: ComparisonOptions
}

/// Statements over a database's catalogue.
package struct CatalogueQueries: Sendable {
    /// Rows of table, column, declared type, position in the primary key; columns in order.
    package var columns: SQLStatement
    /// Rows of index, table, text.
    package var indexes: SQLStatement
    /// Rows of kind, name, table, text: triggers and, with their text, virtual tables.
    package var machinery: SQLStatement
    /// Rows of name.
    package var triggers: SQLStatement
}

extension Dialect {
    /// The version after another, for a column that may hold NULL; the greatest number is followed by 1.
    func next(afterVersion version: SQLFragment) -> SQLFragment {
        "\(ifNull(version, and: "0")) % \(number: Int64.max) + 1"
    }

    package func passing(_ column: SQLFragment) -> SQLFragment { column }

    package func computed(_ number: SQLFragment, of kind: ValueKind) -> SQLFragment {
        value(number, of: kind)
    }

    package func constant(_ value: Value, against kind: ValueKind) -> SQLConstant? { constant(value) }

    package func comparable(_ left: Scalar, _ right: Scalar) -> (left: SQLFragment, right: SQLFragment) {
        (number(left.sql, of: left.kind), number(right.sql, of: right.kind))
    }

    package func arithmetic(
        _ op: SQLOperator, left: SQLFragment, right: SQLFragment, of kind: ValueKind
    ) -> SQLFragment {
        "(\(left) \(sql: op.rawValue) \(right))"
    }

    package func plainAbsolute(_ sql: SQLFragment) -> SQLFragment { "abs(\(sql))" }
}
