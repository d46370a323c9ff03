// Constants as formats.

import CoreDataSupport
import Foundation

extension FormatPrinter {
    /// Dates, decimals, UUIDs, URLs and bytes are printed as casts of literals, which the parser folds back.
    mutating func write(_ value: Value) {
        switch value {
        case .null: text += "nil"
        case .bool(let flag): text += flag ? "1" : "0"
        case .integer(let number): text += String(number)
        case .double(let number): text += number.literal
        case .string(let string): text += string.quoted
        case .date(let date): write(date)
        case .decimal(let number): writeCast(number.description, type: "NSDecimalNumber")
        case .uuid(let uuid): writeCast(uuid.uuidString, type: "NSUUID")
        case .url(let url): writeCast(url.absoluteString, type: "NSURL")
        case .data(let data): writeCast(data.base64EncodedString(), type: "NSData")
        case .array(let values): write(values)
        case .set(let values): write(values.sortedByFormat)
        case .dictionary(let pairs): write(pairs.values.sortedByFormat)
        case .object(let reference):
            text += (reference.object as? NSObject)?.description ?? address(of: reference.object)
        }
    }

    private mutating func writeCast(_ literal: String, type: String) {
        text += "CAST(\(literal.quoted), \"\(type)\")"
    }

    /// Six decimals as Apple prints them, more only where the date has them.
    private mutating func write(_ date: Date) {
        let seconds = date.timeIntervalSinceReferenceDate
        let short = String(format: "%.6f", seconds)
        text += "CAST(\(Double(short) == seconds ? short : seconds.literal), \"NSDate\")"
    }

    private mutating func write(_ values: [Value]) {
        text += "{"
        for (index, value) in values.enumerated() {
            if index > 0 { text += ", " }
            write(value)
        }
        text += "}"
    }
}

extension Double {
    /// A literal that reads back as the same double, always with a point or an exponent. A number that is not
    /// finite has no literal and is written as a quotient.
    fileprivate var literal: String {
        if isNaN { return "0.0 / 0.0" }
        if isInfinite { return self < 0 ? "-1.0 / 0.0" : "1.0 / 0.0" }
        return description
    }
}

extension Collection where Element == Value {
    /// An order for elements that have none, so that equal sets print alike.
    var sortedByFormat: [Value] {
        let pairs = map { value in
            var printer = FormatPrinter()
            printer.write(value)
            return (text: printer.text, value: value)
        }
        return pairs.sorted { $0.text < $1.text }.map(\.value)
    }
}

extension Value {
    /// The precedence of the printed form: a sign binds like an operator, and so does a quotient.
    var precedence: Int {
        switch self {
        case .integer(let value) where value < 0: FormatPrinter.tightest - 1
        case .double(let value) where !value.isFinite: 7
        case .double(let value) where value.sign == .minus: FormatPrinter.tightest - 1
        default: FormatPrinter.tightest
        }
    }
}

extension String {
    /// The string in double quotes, escaped so that the parser reads the same.
    var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0": text += "\\0"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
