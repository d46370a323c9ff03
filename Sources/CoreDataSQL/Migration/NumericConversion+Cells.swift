// Numbers of another type as SQL has them.

package import CoreDataSchema
import CoreDataSupport

extension NumericConversion {
    /// By the types' numbers, as `call(on:)` states them.
    package init?(source: Int64, destination: Int64) {
        guard let source = UInt(exactly: source).flatMap(AttributeType.init),
            let destination = UInt(exactly: destination).flatMap(AttributeType.init)
        else { return nil }
        self.init(from: source, to: destination)
    }

    /// The SQL that converts a column's value; NULL for what can't be converted.
    func call(on column: SQLFragment) -> SQLFragment {
        """
        \(sql: MigrationPlan.Function.converted)(\(column), \(number: source.rawValue), \
        \(number: destination.rawValue))
        """
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
