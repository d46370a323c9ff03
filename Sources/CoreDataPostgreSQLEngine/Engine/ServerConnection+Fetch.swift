// Fetches: rows, keys, counts and values. A result comes as a whole.

package import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
import Foundation

extension ServerConnection {
    /// Fetches rows and hands them over in slabs of up to 256.
    ///
    /// - Parameter statement: its columns are those of `decoder` (`FetchDescription.Result.rows`).
    package func fetchRows(
        _ statement: SQLStatement, decoder: SlabDecoder, into receive: (RowSlab) throws -> Void
    ) throws {
        try decoder.decode(run(statement)) { slab, _ in try receive(slab) }
    }

    /// The rows with these keys, in no particular order. Missing ones are left out.
    package func fetchRows(
        primaryKeys: some Collection<Int64>, decoder: SlabDecoder, into receive: (RowSlab) throws -> Void
    ) throws {
        if primaryKeys.isEmpty { return }
        try decoder.decode(run(decoder.selection, parameters: .keys(primaryKeys))) { slab, _ in
            try receive(slab)
        }
    }

    /// The row with this key, in a slab of its own; `nil` if there is none.
    package func fetchRow(primaryKey: Int64, decoder: SlabDecoder) throws -> RowSlab? {
        var found: RowSlab?
        try decoder.decode(run(decoder.singleSelection, parameters: .key(primaryKey))) { slab, _ in
            found = slab
        }
        return found
    }

    /// Keys and, of a polymorphic table, entities' numbers; the statement's columns are those of
    /// `FetchDescription.Result.keys`.
    package func fetchKeys(
        _ statement: SQLStatement, isPolymorphic: Bool
    ) throws -> (primaryKeys: ContiguousArray<Int64>, numbers: ContiguousArray<Int64>) {
        let result = try run(statement)
        let column = isPolymorphic ? 1 : 0
        var keys: ContiguousArray<Int64> = []
        var numbers: ContiguousArray<Int64> = []
        keys.reserveCapacity(result.rowCount)
        for row in 0..<result.rowCount {
            let key = result.integer(row, column: column)
            if key <= 0 { continue }
            keys.append(key)
            if isPolymorphic { numbers.append(result.integer(row, column: 0)) }
        }
        return (keys, numbers)
    }

    /// The number in the first column of the first row.
    package func fetchCount(_ statement: SQLStatement) throws -> Int {
        let result = try run(statement)
        return result.rowCount == 0 ? 0 : Int(result.integer(0, column: 0))
    }

    /// Entities' numbers and keys: the first two columns of a statement's result.
    package func fetchPlaces(_ statement: SQLStatement) throws -> [(number: Int64, primaryKey: Int64)] {
        let result = try run(statement)
        return (0..<result.rowCount).map { (result.integer($0, column: 0), result.integer($0, column: 1)) }
    }

    /// Runs a statement, and those that were sent before. Returns how many rows it changed.
    package func change(_ statement: SQLStatement) throws -> Int { try run(statement).changeCount }

    /// Sends a statement that binds one list of keys.
    package func send(_ text: String, primaryKeys: [Int64]) throws {
        try send(text, parameters: .keys(primaryKeys))
    }

    /// The texts in the first column.
    package func texts(_ statement: SQLStatement) throws -> [String] {
        let result = try run(statement)
        return (0..<result.rowCount).map { result.text($0, column: 0) }
    }

    /// The numbers in the first column.
    package func integers(_ statement: SQLStatement) throws -> [Int64] {
        let result = try run(statement)
        return (0..<result.rowCount).map { result.integer($0, column: 0) }
    }

    /// The way in which the server would run a statement, a line for each step.
    package func plan(of statement: SQLStatement) throws -> [String] {
        let result = try run(SQLStatement("EXPLAIN " + statement.text, bindings: statement.bindings))
        return (0..<result.rowCount).map { result.text($0, column: 0) }
    }

    /// All columns of all rows.
    package func fetchValues(_ statement: SQLStatement) throws -> [[SQLBinding]] {
        let result = try run(statement)
        return try (0..<result.rowCount).map { row in
            try (0..<result.columnCount).map { try result.value(row, column: $0) }
        }
    }

    /// Fetches related rows with the source of each row and, if the relationship is ordered, its order key (0 where it has
    /// none).
    ///
    /// - Parameters:
    ///   - text: a statement whose columns are those of `decoder`, then the source, then the order key.
    ///   - sources: the keys that it binds; `nil` for a statement that binds none.
    package func fetchRelated(
        _ text: String, sources: [Int64]?, decoder: SlabDecoder, isOrdered: Bool,
        into receive: (RowSlab, ContiguousArray<Int64>, ContiguousArray<Int64>?) throws -> Void
    ) throws {
        let result = try run(text, parameters: sources.map { ParameterList.keys($0) } ?? ParameterList())
        let source = decoder.headCount + decoder.columns.count
        try decoder.decode(result) { slab, rows in
            let sources = ContiguousArray(rows.map { result.integer($0, column: source) })
            var order: ContiguousArray<Int64>?
            if isOrdered {
                order = ContiguousArray(
                    rows.map {
                        result.isNull($0, column: source + 1) ? 0 : result.integer($0, column: source + 1)
                    })
            }
            try receive(slab, sources, order)
        }
    }
}

extension ParameterList {
    /// One parameter, a key.
    static func key(_ key: Int64) -> ParameterList {
        var parameters = ParameterList()
        withUnsafeBytes(of: key.bigEndian) { parameters.append(binary: $0) }
        return parameters
    }

    /// One parameter, an array of keys.
    static func keys(_ keys: some Collection<Int64>) -> ParameterList {
        var parameters = ParameterList()
        parameters.append(binary: ArrayEncoder.integers(keys))
        return parameters
    }
}

extension ServerResult {
    /// A value in the form that it would have in an SQLite store.
    func value(_ row: Int, column: Int) throws -> SQLBinding {
        if isNull(row, column: column) { return .null }
        let bytes = bytes(row, column: column)
        switch type(column) {
        case 16: return .integer(bytes.first == 0 ? 0 : 1)
        case 20, 21, 23: return .integer(BinaryForm.integer(bytes))
        case 700, 701: return Self.real(bytes)
        case 1082, 1114, 1184: return .double(BinaryForm.seconds(bytes))
        case 1700: return Self.number(bytes)
        case 19, 25, 1042, 1043: return .text(String(decoding: bytes, as: UTF8.self))
        case 17, 2950: return .blob(Data(bytes))
        case let type:
            throw ServerFailure(
                .value, message: "A result has the type number \(type), which isn't supported.")
        }
    }

    /// NaN is nil, as in SQLite.
    private static func real(_ bytes: UnsafeRawBufferPointer) -> SQLBinding {
        let number = BinaryForm.double(bytes)
        return number.isNaN ? .null : .double(number)
    }

    /// Whole numbers as integers, others as the text of a decimal; NaN is nil.
    private static func number(_ bytes: UnsafeRawBufferPointer) -> SQLBinding {
        guard let decimal = BinaryForm.decimal(bytes) else { return .null }
        return Int64(decimal.description).map(SQLBinding.integer) ?? .text(decimal.description)
    }
}
