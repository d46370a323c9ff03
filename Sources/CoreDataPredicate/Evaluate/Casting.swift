// `CAST(value, "type")`.

import CoreDataSupport
import Foundation

package enum Casting {
    static func cast(_ value: Value, to type: Value) throws -> Value {
        // An entity: where it matters, a predicate has asked before whether the object is of it.
        if case .object = type { return value }
        guard case .string(let name) = type else {
            throw EvaluationFailure(reason: "CAST needs the name of a type, not \(type.kindName)")
        }
        guard FunctionTable.castTypes.contains(name) else {
            throw EvaluationFailure(reason: "CAST knows no type “\(name)”")
        }
        if value == .null { return .null }
        guard let result = convert(value, type: name) else {
            throw EvaluationFailure(reason: "\(value.kindName) can't be cast to \(name)")
        }
        return result
    }

    private static func convert(_ value: Value, type: String) -> Value? {
        switch (type, value) {
        case ("NSDate", .date), ("NSUUID", .uuid), ("NSURL", .url), ("NSData", .data), ("NSString", .string),
            ("NSDecimalNumber", .decimal):
            return value
        case ("NSString", _): return .string(text(value))
        case ("NSNumber", .date(let date)): return .double(date.timeIntervalSinceReferenceDate)
        case ("NSNumber", .string(let text)): return .double(leadingNumber(text))
        case ("NSDecimalNumber", .string(let text)):
            return .decimal(Decimal(string: text) ?? Number.double(leadingNumber(text)).decimal ?? 0)
        case ("NSUUID", .string(let text)): return UUID(uuidString: text).map(Value.uuid)
        case ("NSURL", .string(let text)): return URL(string: text).map(Value.url)
        case ("NSData", .string(let text)): return Data(base64Encoded: text).map(Value.data)
        default: break
        }
        guard let number = value.number else { return nil }
        switch type {
        case "NSNumber": return value
        case "NSDate": return .date(Date(timeIntervalSinceReferenceDate: number.double))
        case "NSDecimalNumber": return number.decimal.map(Value.decimal) ?? value
        default: return nil
        }
    }

    /// The value as a text.
    static func text(_ value: Value) -> String {
        switch value {
        case .bool(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .double(let number): NSNumber(value: number).stringValue
        case .decimal(let number): number.description
        case .string(let text): text
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .date(let date): date.description
        default: ExpressionTree.constant(value).format
        }
    }

    /// The number that a text begins with, 0 if it begins with none.
    package static func leadingNumber(_ text: String) -> Double {
        let trimmed = text.drop { $0.isWhitespace }
        var end = trimmed.startIndex
        var best = 0.0
        for index in trimmed.indices.prefix(400) {
            guard "+-.eE0123456789".contains(trimmed[index]) else { break }
            end = trimmed.index(after: index)
            if let number = Double(trimmed[..<end]) { best = number }
        }
        return best
    }
}
