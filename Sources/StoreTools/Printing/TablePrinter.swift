// Rows as an aligned table.

/// Prints rows under their columns' names. The first rows decide the widths, so that any number of rows can
/// follow.
struct TablePrinter: RowPrinter {
    private static let sample = 500
    private let columns: [String]
    private let output: Output
    /// Columns of the terminal; `nil` for no bound.
    private let width: Int?
    private var waiting: [[PrintedValue]] = []
    private var widths: [Int] = []
    private var isRight: [Bool] = []

    init(columns: [String], output: Output, width: Int?) {
        self.columns = columns
        self.output = output
        self.width = width
    }

    mutating func print(_ row: [PrintedValue]) throws {
        if !widths.isEmpty { return try printLine(row) }
        waiting.append(row)
        if waiting.count == Self.sample { try printWaiting() }
    }

    mutating func finish() throws {
        if widths.isEmpty { try printWaiting() }
    }

    private mutating func printWaiting() throws {
        widths = columns.indices.map { column in
            waiting.reduce(columns[column].displayWidth) { max($0, $1[column].cell.displayWidth) }
        }
        isRight = columns.indices.map { column in
            let values = waiting.map { $0[column] }.filter { $0 != .null }
            return !values.isEmpty && values.allSatisfy(\.isNumber)
        }
        if let width { fit(into: width) }
        try printLine(columns.map { .text($0) })
        try output.writeLine(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "))
        for row in waiting { try printLine(row) }
        waiting.removeAll()
    }

    /// Narrows the widest columns until a line fits.
    private mutating func fit(into width: Int) {
        let gaps = 2 * (widths.count - 1)
        while widths.reduce(gaps, +) > width, let widest = widths.max(), widest > 6,
            let column = widths.lastIndex(of: widest)
        {
            widths[column] -= 1
        }
    }

    private func printLine(_ row: [PrintedValue]) throws {
        var line = ""
        for (column, value) in row.enumerated() {
            var text = value.cell
            if width != nil { text = text.truncated(to: widths[column]) }
            let padding = String(repeating: " ", count: max(0, widths[column] - text.displayWidth))
            line += isRight[column] ? padding + text : text + padding
            if column < row.count - 1 { line += "  " }
        }
        while line.last == " " { line.removeLast() }
        try output.writeLine(line)
    }
}

extension String {
    /// The number of a terminal's columns that the text takes.
    public var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    func truncated(to width: Int) -> String {
        if displayWidth <= width { return self }
        var text = ""
        var used = 0
        for character in self {
            if used + character.displayWidth > width - 1 { break }
            text.append(character)
            used += character.displayWidth
        }
        return text + "…"
    }
}

extension Character {
    /// East Asian wide characters and emoji take two columns.
    fileprivate var displayWidth: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
