// The methods of `FunctionTable.methods`, on the kinds of value that have them. Sent to nil, they give nil.

import CoreDataSupport
import Foundation

enum Methods {
    static func call(_ name: String, on value: Value, _ arguments: [Value]) throws -> Value {
        guard value != .null else { return .null }
        if case .object(let reference) = value, let object = reference.object as? any FunctionCallable {
            return try object.predicateCall(name, arguments)
        }
        guard FunctionTable.methods.contains(name), arguments.count == FunctionTable.arguments(of: name)
        else {
            throw EvaluationFailure(reason: "\(value.kindName) has no key or function “\(name)”")
        }
        let result: Value?
        switch value {
        case .string(let text): result = try string(name, text, arguments)
        case .date(let date): result = try self.date(name, date, arguments)
        case .url(let url) where name == "absoluteString": result = .string(url.absoluteString)
        case .uuid(let uuid) where name == "UUIDString": result = .string(uuid.uuidString)
        case .array, .set: result = try collection(name, value.elements ?? [], arguments)
        default: result = value.number.flatMap { number(name, $0) }
        }
        if let result { return result }
        return try any(name, value, arguments)
    }

    /// What every value answers.
    private static func any(_ name: String, _ value: Value, _ arguments: [Value]) throws -> Value {
        switch (name, arguments.first) {
        case ("description", _): return .string(Casting.text(value))
        case ("isEqual:", let other?): return .bool(try value.isEqual(to: other))
        case ("valueForKey:", .string(let key)?), ("valueForKeyPath:", .string(let key)?),
            ("objectForKey:", .string(let key)?):
            return try KeyPathReading.read(key, from: value)
        default: throw EvaluationFailure(reason: "\(value.kindName) has no key or function “\(name)”")
        }
    }

    private static func string(_ name: String, _ text: String, _ arguments: [Value]) throws -> Value? {
        switch (name, arguments.first) {
        case ("length", _): return .integer(Int64(text.utf16.count))
        case ("uppercaseString", _): return .string(text.uppercased())
        case ("lowercaseString", _): return .string(text.lowercased())
        case ("capitalizedString", _): return .string(text.capitalized)
        case ("stringByAppendingString:", .string(let other)?): return .string(text + other)
        case ("hasPrefix:", .string(let other)?): return .bool(text.hasPrefix(other))
        case ("hasSuffix:", .string(let other)?): return .bool(text.hasSuffix(other))
        case ("containsString:", .string(let other)?):
            return .bool(try StringComparison.matches(text, .contains, other, []))
        case ("substringFromIndex:", let index?):
            return try substring(text, index) { $0..<text.utf16.endIndex }
        case ("substringToIndex:", let index?):
            return try substring(text, index) { text.utf16.startIndex..<$0 }
        default: return number(name, .double(Casting.leadingNumber(text)))
        }
    }

    private static func substring(
        _ text: String, _ index: Value, _ range: (String.Index) -> Range<String.Index>
    ) throws -> Value {
        guard let offset = try Arithmetic.number(index).exactInteger.flatMap({ Int(exactly: $0) }),
            offset >= 0,
            let position = text.utf16.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex)
        else { return .null }
        return .string(String(decoding: text.utf16[range(position)], as: UTF16.self))
    }

    private static func date(_ name: String, _ date: Date, _ arguments: [Value]) throws -> Value? {
        switch (name, arguments.first) {
        case ("timeIntervalSinceReferenceDate", _): .double(date.timeIntervalSinceReferenceDate)
        case ("timeIntervalSince1970", _): .double(date.timeIntervalSince1970)
        case ("timeIntervalSinceDate:", .date(let other)?): .double(date.timeIntervalSince(other))
        case ("timeIntervalSinceDate:", .null?), ("dateByAddingTimeInterval:", .null?): .null
        case ("dateByAddingTimeInterval:", let seconds?):
            .date(date + (try Arithmetic.number(seconds)).double)
        default: nil
        }
    }

    private static func number(_ name: String, _ number: Number) -> Value? {
        switch name {
        case "intValue", "integerValue", "longLongValue": number.truncatedInteger.map(Value.integer) ?? .null
        case "floatValue", "doubleValue": number.value == .null ? .null : .double(number.double)
        case "boolValue": .bool(number.double != 0)
        default: nil
        }
    }

    private static func collection(_ name: String, _ elements: [Value], _ arguments: [Value]) throws -> Value?
    {
        switch (name, arguments.first) {
        case ("count", _): .integer(Int64(elements.count))
        case ("firstObject", _): elements.first ?? .null
        case ("lastObject", _): elements.last ?? .null
        case ("objectAtIndex:", let index?): try element(at: index, in: elements)
        default: nil
        }
    }

    /// nil where there is no such element.
    static func element(at index: Value, in elements: [Value]) throws -> Value {
        guard index != .null, let number = try Arithmetic.number(index).exactInteger,
            let position = Int(exactly: number), elements.indices.contains(position)
        else { return .null }
        return elements[position]
    }
}
