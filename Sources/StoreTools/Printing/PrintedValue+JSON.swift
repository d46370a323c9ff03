// Values as JSON text.

import CoreData

extension PrintedValue {
    /// On one line. Bytes become base64; numbers that JSON doesn't know become texts.
    public var json: String {
        var text = ""
        appendJSON(to: &text)
        return text
    }

    private func appendJSON(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += "\(number)"
        case .double(let number): text += number.isFinite ? Self.plain(number) : "\"\(number)\""
        // A Float is printed by its digits too.
        case .decimal(let digits):
            text += ["NaN", "nan", "inf", "-inf"].contains(digits) ? "\"\(digits)\"" : digits
        case .text(let string): Self.append(string, to: &text)
        case .bytes(let data): Self.append(data.base64EncodedString(), to: &text)
        case .list(let values):
            text += "["
            for (position, value) in values.enumerated() {
                if position > 0 { text += ", " }
                value.appendJSON(to: &text)
            }
            text += "]"
        case .record(let fields):
            text += "{"
            for (position, field) in fields.enumerated() {
                if position > 0 { text += ", " }
                Self.append(field.name, to: &text)
                text += ": "
                field.value.appendJSON(to: &text)
            }
            text += "}"
        }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension PrintedValue {
    /// Returns the value as JSON on several lines, records and lists of records indented.
    public func prettyJSON(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .record(let fields) where !fields.isEmpty:
            let lines = fields.map {
                inner + PrintedValue.text($0.name).json + ": " + $0.value.prettyJSON(indent: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        case .list(let values) where values.contains(where: \.isComposed):
            let lines = values.map { inner + $0.prettyJSON(indent: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        default: return json
        }
    }

    private var isComposed: Bool {
        switch self {
        case .list, .record: true
        default: false
        }
    }
}
