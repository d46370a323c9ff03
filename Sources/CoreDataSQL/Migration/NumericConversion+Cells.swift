// Numbers of another type as SQL has them.

package import CoreDataSchema
import CoreDataSupport

extension NumericConversion {
    /// By the types' numbers, as statements for SQLite state them.
    package init?(source: Int64, destination: Int64) {
        guard let source = UInt(exactly: source).flatMap(AttributeType.init),
            let destination = UInt(exactly: destination).flatMap(AttributeType.init)
        else { return nil }
        self.init(from: source, to: destination)
    }

    /// A cell in the newer type; NULL for what can't be converted.
    package func converted(_ cell: SQLBinding) -> SQLBinding {
        let value: Value? =
            switch cell {
            case .integer(let number): converted(.integer(number))
            case .double(let number): converted(.double(number))
            case .null, .text, .blob: nil
            }
        return value.flatMap(SQLBinding.init) ?? .null
    }
}

extension Dialect {
    /// Indicates whether a column's numbers serve the newer type as they are.
    func keepsNumbers(_ conversion: NumericConversion) -> Bool {
        conversion.keepsCells && columnType(conversion.source) == columnType(conversion.destination)
    }
}

extension SQLiteDialect {
    /// OpenCoreDataConverted(column, 100, 500)
    package func converted(_ number: SQLFragment, by conversion: NumericConversion) -> SQLFragment {
        """
        \(sql: MigrationPlan.Function.converted)(\(number), \(number: conversion.source.rawValue), \
        \(number: conversion.destination.rawValue))
        """
    }
}

extension PostgreSQLDialect {
    package func converted(_ number: SQLFragment, by conversion: NumericConversion) -> SQLFragment {
        switch (conversion.source, conversion.destination) {
        case (.boolean, _): "CAST(CAST(\(number) AS integer) AS bigint)"
        case (_, .integer16): within(number, from: Int64(Int16.min), to: Int64(Int16.max))
        case (_, .integer32): within(number, from: Int64(Int32.min), to: Int64(Int32.max))
        case (.float, .decimal): decimal(of: "CAST(\(number) AS real)", where: number)
        case (.double, .decimal): decimal(of: number, where: number)
        case (_, .decimal): "CAST(\(number) AS numeric)"
        case (.double, .float): single(number)
        case (_, .float): "CAST(CAST(\(number) AS real) AS double precision)"
        case (.float, .double), (_, .integer64): number
        default: "CAST(\(number) AS double precision)"
        }
    }

    private func within(_ number: SQLFragment, from least: Int64, to greatest: Int64) -> SQLFragment {
        "CASE WHEN \(number) BETWEEN \(number: least) AND \(number: greatest) THEN \(number) END"
    }

    /// The text of a floating-point number is the shortest decimal that reads back as it. Decimals have 38 digits and 127 places.
    private func decimal(of value: SQLFragment, where number: SQLFragment) -> SQLFragment {
        """
        CASE WHEN \(number) = 0 OR abs(\(number)) BETWEEN 1e-111 AND 1e127 \
        THEN CAST(CAST(\(value) AS text) AS numeric) END
        """
    }

    /// The server refuses to round to zero and to infinity: what rounds to zero is zero, what rounds to infinity doesn't fit.
    private func single(_ number: SQLFragment) -> SQLFragment {
        """
        CASE WHEN abs(\(number)) BETWEEN 3.4028235677973366e38 AND 1.7976931348623157e308 THEN NULL \
        WHEN abs(\(number)) <= 7.006492321624085e-46 THEN \(number) * 0 \
        ELSE CAST(CAST(\(number) AS real) AS double precision) END
        """
    }
}
