// A value on its way to the terminal or a file: what all formats can show.

public import CoreData

/// A value that can be printed. Order is part of it, so that output is the same each time.
public indirect enum PrintedValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A number whose digits are kept as they are.
    case decimal(String)
    /// A text.
    case text(String)
    /// Bytes.
    case bytes(Data)
    /// Values in order.
    case list([PrintedValue])
    /// Values by name, in order.
    case record([Field])

    /// A value of a record, with its name.
    public struct Field: Sendable, Hashable {
        /// The name of the field.
        public let name: String
        /// The field's content.
        public let value: PrintedValue

        /// A field of these parts.
        ///
        /// - Parameters:
        ///   - name: its name.
        ///   - value: its content.
        public init(_ name: String, value: PrintedValue) {
            self.name = name
            self.value = value
        }
    }

    /// Returns a record of these fields.
    public static func object(_ fields: KeyValuePairs<String, PrintedValue>) -> PrintedValue {
        .record(fields.map { Field($0.key, value: $0.value) })
    }

    /// Returns a date as text, as `Timestamp` writes it.
    public static func date(_ date: Date) -> PrintedValue { .text(Timestamp.text(of: date)) }
}

extension PrintedValue {
    /// On one line, for a table; bytes as their number only.
    public var cell: String {
        switch self {
        case .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): "\(number)"
        case .double(let number): Self.plain(number)
        case .decimal(let digits): digits
        case .text(let text): Self.escaped(text)
        case .bytes(let data): "<\(data.count) bytes>"
        case .list(let values): values.map(\.cell).joined(separator: ", ")
        case .record(let fields):
            "{" + fields.map { "\($0.name): \($0.value.cell)" }.joined(separator: ", ") + "}"
        }
    }

    /// Indicates whether it is bytes.
    public var isBytes: Bool {
        if case .bytes = self { true } else { false }
    }

    /// Indicates whether tables align it to the right.
    public var isNumber: Bool {
        switch self {
        case .integer, .double, .decimal: true
        default: false
        }
    }

    static func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    }

    /// Control characters would move the cursor.
    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return text
        }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.properties.generalCategory == .control:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

extension PrintedValue {
    /// A value of SQLite's.
    public init(_ value: SQLValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .text(let text): self = .text(text)
        case .blob(let data): self = .bytes(data)
        }
    }

    /// An archived object as a tree; sets and dictionaries in the order of what is printed.
    public init(_ value: ArchivedValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .decimal(let number): self = .decimal("\(number)")
        case .string(let text): self = .text(text)
        case .date(let date): self = .date(date)
        case .data(let data): self = .bytes(data)
        case .uuid(let uuid): self = .text(uuid.uuidString)
        case .url(let url): self = .text(url.absoluteString)
        case .array(let values): self = .list(values.map { PrintedValue($0) })
        case .set(let values): self = .list(values.map { PrintedValue($0) }.sorted { $0.json < $1.json })
        case .dictionary(let pairs):
            let fields = pairs.map { Field(PrintedValue($0.key).cell, value: PrintedValue($0.value)) }
            self = .record(fields.sorted { $0.name < $1.name })
        case .object(let name, let fields):
            let rest = fields.map { Field($0.key, value: PrintedValue($0.value)) }.sorted {
                $0.name < $1.name
            }
            self = .record([Field("$class", value: .text(name))] + rest)
        }
    }

    /// A value as a property list gives it: metadata, user info.
    public init(any: Any?) {
        switch any {
        case nil, is NSNull: self = .null
        case let text as String: self = .text(text)
        case let number as NSNumber: self.init(number)
        case let date as Date: self = .date(date)
        case let data as Data: self = .bytes(data)
        case let uuid as UUID: self = .text(uuid.uuidString)
        case let url as URL: self = .text(url.absoluteString)
        case let values as [Any]: self = .list(values.map { PrintedValue(any: $0) })
        case let pairs as [AnyHashable: Any]:
            let fields = pairs.map { Field("\($0.key)", value: PrintedValue(any: $0.value)) }
            self = .record(fields.sorted { $0.name < $1.name })
        case let value?:
            self = ArchivedValue(standIn: value).map { PrintedValue($0) } ?? .text("\(value)")
        }
    }

    /// A number: a decimal, a floating-point one, or a whole one.
    public init(_ number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal("\(decimal.decimalValue)")
        } else if ["f", "d"].contains(String(cString: number.objCType)) {
            self = .double(number.doubleValue)
        } else {
            self = .integer(number.int64Value)
        }
    }
}
