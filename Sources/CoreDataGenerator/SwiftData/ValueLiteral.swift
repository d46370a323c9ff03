// Default values as code.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Writes values as expressions of Swift.
enum ValueLiteral {
    /// The expression, or nil where there is no value, or none that code can state.
    static func text(_ value: Value, of type: AttributeType, names: TypeNames) -> String? {
        switch (value, type) {
        case (.bool(let flag), .boolean): "\(flag)"
        case (.integer(let number), .boolean): number == 0 ? "false" : "true"
        case (.bool(let flag), .integer16), (.bool(let flag), .integer32), (.bool(let flag), .integer64):
            flag ? "1" : "0"
        case (.integer(let number), .integer16), (.integer(let number), .integer32),
            (.integer(let number), .integer64), (.integer(let number), .double),
            (.integer(let number), .float),
            (.integer(let number), .decimal):
            "\(number)"
        case (.double(let number), .double), (.double(let number), .float): real(number)
        case (.double(let number), .decimal): decimal(Decimal(number), names: names)
        case (.double(let number), .integer16), (.double(let number), .integer32),
            (.double(let number), .integer64):
            Int64(exactly: number).map { "\($0)" }
        case (.decimal(let number), .decimal): decimal(number, names: names)
        case (.decimal(let number), .double), (.decimal(let number), .float):
            real(NSDecimalNumber(decimal: number).doubleValue)
        case (.string(let text), .string): string(text)
        case (.date(let date), .date):
            real(date.timeIntervalSinceReferenceDate).map {
                "\(names("Date"))(timeIntervalSinceReferenceDate: \($0))"
            }
        case (.data(let data), .binaryData):
            data.isEmpty
                ? "\(names("Data"))()"
                : "\(names("Data"))(base64Encoded: \(string(data.base64EncodedString())))!"
        case (.uuid(let id), .uuid): "\(names("UUID"))(uuidString: \(string(id.uuidString)))!"
        case (.url(let url), .uri): "\(names("URL"))(string: \(string(url.absoluteString)))!"
        default: nil
        }
    }

    private static func real(_ number: Double) -> String? { number.isFinite ? "\(number)" : nil }

    private static func decimal(_ number: Decimal, names: TypeNames) -> String? {
        if number.isNaN { return nil }
        // A literal with a point goes through a floating-point number.
        let text = "\(number)"
        if !text.contains("."), let whole = Int64(text) { return "\(whole)" }
        return "\(names("Decimal"))(string: \(string(text)))!"
    }

    /// A literal of a text.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.properties.generalCategory == .control {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
