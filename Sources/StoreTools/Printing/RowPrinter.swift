// Rows as a table, as JSON or as CSV, one after the other.

import CoreData

/// A way to print rows of the same columns.
public enum RowFormat: String, CaseIterable, Sendable {
    /// A table for people, JSON or CSV.
    case table, json, csv
}

/// Prints rows as they come.
public protocol RowPrinter {
    /// Prints one row, a value for each column.
    ///
    /// - Throws: the errors of writing.
    mutating func print(_ row: [PrintedValue]) throws
    /// Prints what ends the output.
    ///
    /// - Throws: the errors of writing.
    mutating func finish() throws
}

extension RowFormat {
    /// Returns a printer of this format.
    ///
    /// - Parameters:
    ///   - columns: the columns' names, in order.
    ///   - output: where to print.
    /// - Throws: the errors of writing, for what stands before the rows.
    public func printer(columns: [String], to output: Output) throws -> any RowPrinter {
        switch self {
        case .table: TablePrinter(columns: columns, output: output, width: Terminal.width)
        case .json: JSONPrinter(columns: columns, output: output)
        case .csv: try CSVPrinter(columns: columns, output: output)
        }
    }
}

/// A list of objects, one on a line.
struct JSONPrinter: RowPrinter {
    let columns: [String]
    let output: Output
    private var isFirst = true

    init(columns: [String], output: Output) {
        self.columns = columns
        self.output = output
    }

    mutating func print(_ row: [PrintedValue]) throws {
        let record = PrintedValue.record(zip(columns, row).map { PrintedValue.Field($0, value: $1) })
        try output.write((isFirst ? "[\n  " : ",\n  ") + record.json)
        isFirst = false
    }

    mutating func finish() throws {
        try output.writeLine(isFirst ? "[]" : "\n]")
    }
}

/// Comma-separated values with a line of names, quoted where they must be. Nil is an empty field, the empty
/// text and no bytes are quoted ones.
struct CSVPrinter: RowPrinter {
    let output: Output
    /// The line that is being made; kept for its memory.
    private var line: [UInt8] = []

    init(columns: [String], output: Output) throws {
        self.output = output
        try print(columns.map(PrintedValue.text))
    }

    mutating func print(_ row: [PrintedValue]) throws {
        line.removeAll(keepingCapacity: true)
        for (place, value) in row.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            append(value)
        }
        line.append(UInt8(ascii: "\n"))
        try output.write(bytes: line)
    }

    mutating func finish() throws {}

    private mutating func append(_ value: PrintedValue) {
        switch value {
        case .null: return
        case .text(let text): append(field: text)
        case .integer(let number): line.append(contentsOf: number.description.utf8)
        case .bytes(let data) where data.isEmpty: append(field: "")
        case .bytes(let data): line.append(contentsOf: data.base64EncodedData())
        case .list(let values) where values.allSatisfy(\.isText):
            append(field: values.map(\.cell).joined(separator: ";"))
        case .list, .record: append(field: value.json)
        default: line.append(contentsOf: value.cell.utf8)
        }
    }

    private mutating func append(field text: String) {
        let start = line.count
        line.append(contentsOf: text.utf8)
        let bytes = line[start...]
        let isPlain =
            !bytes.isEmpty && bytes.first != 0x20 && bytes.last != 0x20
            && !bytes.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        if isPlain { return }
        line.removeSubrange(start...)
        line.append(contentsOf: ("\"" + text.replacing("\"", with: "\"\"") + "\"").utf8)
    }
}

extension PrintedValue {
    fileprivate var isText: Bool {
        if case .text = self { return true }
        return false
    }
}
