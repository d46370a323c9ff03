// The methods of `FunctionTable.methods`, on the kinds of value that have them. Sent to nil, they give nil.

import CoreDataSupport
import Foundation

enum Methods {
    static func call(_ name: String, on value: Value, arguments: [Value]) throws -> Value {
        guard value != .null else { return .null }
        if case .object(let reference) = value, let object = reference.object as? any FunctionCallable {
            return try object.predicateCall(name, arguments: arguments)
        }
        // A method without arguments is a getter. A format reaches one on a variable only, whose keys it reads anyway.
        if arguments.isEmpty, !FunctionTable.methods.contains(name), case .object(let reference) = value,
            let object = reference.object as? any KeyValueReadable
        {
            return try object.predicateValue(forKey: name)
        }
        guard FunctionTable.methods.contains(name), arguments.count == FunctionTable.arguments(of: name)
        else {
            throw EvaluationFailure(reason: "\(value.kindName) has no key or function “\(name)”")
        }
        let result: Value?
        switch value {
        case .string(let text): result = try string(name, text: text, arguments: arguments)
        case .date(let date): result = try self.date(name, date: date, arguments: arguments)
        case .url(let url): result = self.url(name, url: url)
        case .uuid(let uuid) where name == "UUIDString": result = .string(uuid.uuidString)
        case .data(let data) where name == "length": result = .integer(Int64(data.count))
        case .array, .set: result = try collection(name, value: value, arguments: arguments)
        case .dictionary(let pairs): result = dictionary(name, pairs: pairs)
        default:
            result = try value.number.flatMap {
                try number(name, number: $0, value: value, arguments: arguments)
            }
        }
        if let result { return result }
        return try any(name, value: value, arguments: arguments)
    }

    /// Calls a method that every value has.
    private static func any(_ name: String, value: Value, arguments: [Value]) throws -> Value {
        switch (name, arguments.first) {
        case ("description", _): return .string(Casting.text(value))
        case ("self", _): return value
        case ("isEqual:", let other?): return .bool(try value.isEqual(to: other))
        case ("valueForKey:", .string(let key)?), ("valueForKeyPath:", .string(let key)?),
            ("objectForKey:", .string(let key)?):
            return try KeyPathReading.read(key, from: value)
        default: throw EvaluationFailure(reason: "\(value.kindName) has no key or function “\(name)”")
        }
    }

    private static func string(_ name: String, text: String, arguments: [Value]) throws -> Value? {
        switch (name, arguments.first) {
        case ("length", _): return .integer(Int64(text.utf16.count))
        case ("uppercaseString", _): return .string(text.uppercased())
        case ("lowercaseString", _): return .string(text.lowercased())
        case ("capitalizedString", _): return .string(text.capitalized)
        case ("stringByAppendingString:", .string(let other)?): return .string(text + other)
        case ("hasPrefix:", .string(let other)?): return .bool(text.hasPrefix(other))
        case ("hasSuffix:", .string(let other)?): return .bool(text.hasSuffix(other))
        case ("containsString:", .string(let other)?):
            return .bool(try StringComparison.matches(text, op: .contains, pattern: other, options: []))
        case ("substringFromIndex:", let index?):
            return try substring(text, index: index) { $0..<text.utf16.endIndex }
        case ("substringToIndex:", let index?):
            return try substring(text, index: index) { text.utf16.startIndex..<$0 }
        case ("boolValue", _): return .bool(truth(of: text))
        default:
            if let result = try comparison(name, value: .string(text), arguments: arguments) { return result }
            if let result = path(name, text: text, arguments: arguments) { return result }
            return number(name, number: .double(Casting.leadingNumber(text)))
        }
    }

    /// `Y`, `y`, `T`, `t` and a number other than 0 are true, whatever follows.
    private static func truth(of text: String) -> Bool {
        let rest = text.drop { $0.isWhitespace }
        let digits = rest.drop { $0 == "+" || $0 == "-" }.drop { $0 == "0" }
        return "YyTt".contains(rest.first ?? " ") || "123456789".contains(digits.first ?? " ")
    }

    /// Parts of a text, and of one that is a path.
    private static func path(_ name: String, text: String, arguments: [Value]) -> Value? {
        let path = text as NSString
        switch (name, arguments.first) {
        case ("lastPathComponent", _): return .string(path.lastPathComponent)
        case ("pathExtension", _): return .string(path.pathExtension)
        case ("stringByDeletingPathExtension", _): return .string(path.deletingPathExtension)
        case ("stringByDeletingLastPathComponent", _): return .string(path.deletingLastPathComponent)
        case ("stringByAppendingPathComponent:", .string(let other)?):
            return .string(path.appendingPathComponent(other))
        case ("componentsSeparatedByString:", .string(let separator)?):
            return .array(text.components(separatedBy: separator).map(Value.string))
        case ("stringByReplacingOccurrencesOfString:withString:", .string(let old)?):
            guard case .string(let new)? = arguments.last else { return nil }
            return .string(text.replacingOccurrences(of: old, with: new))
        default: return nil
        }
    }

    private static func url(_ name: String, url: URL) -> Value? {
        func text(_ part: String?) -> Value { part.map(Value.string) ?? .null }
        switch name {
        case "absoluteString": return .string(url.absoluteString)
        case "path": return .string(url.path)
        case "lastPathComponent": return .string(url.lastPathComponent)
        case "pathExtension": return .string(url.pathExtension)
        case "host": return text(url.host)
        case "scheme": return text(url.scheme)
        default: return nil
        }
    }

    /// Calls a method that compares a text, number or date with another one. The order is that of
    /// `NSComparisonResult`: -1, 0, 1.
    private static func comparison(_ name: String, value: Value, arguments: [Value]) throws -> Value? {
        guard let other = arguments.first, arguments.count == 1 else { return nil }
        switch name {
        case "isEqualToString:", "isEqualToNumber:", "isEqualToDate:":
            return .bool(try value.isEqual(to: other))
        case "compare:", "caseInsensitiveCompare:":
            let options: ComparisonOptions = name == "compare:" ? [] : .caseInsensitive
            return try value.order(other, options: options).map { .integer(Int64($0.rawValue)) } ?? .null
        default: return nil
        }
    }

    private static func number(
        _ name: String, number: Number, value: Value, arguments: [Value]
    ) throws -> Value? {
        if let result = try comparison(name, value: value, arguments: arguments) { return result }
        if name == "stringValue" { return .string(Casting.text(value)) }
        return self.number(name, number: number)
    }

    private static func dictionary(_ name: String, pairs: [Value: Value]) -> Value? {
        switch name {
        case "count": .integer(Int64(pairs.count))
        case "allKeys": .array(Array(pairs.keys))
        case "allValues": .array(Array(pairs.values))
        default: nil
        }
    }

    private static func substring(
        _ text: String, index: Value, range: (String.Index) -> Range<String.Index>
    ) throws -> Value {
        guard let offset = try Arithmetic.number(index).exactInteger.flatMap({ Int(exactly: $0) }),
            offset >= 0,
            let position = text.utf16.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex)
        else { return .null }
        return .string(String(decoding: text.utf16[range(position)], as: UTF16.self))
    }

    private static func date(_ name: String, date: Date, arguments: [Value]) throws -> Value? {
        switch (name, arguments.first) {
        case ("timeIntervalSinceReferenceDate", _): .double(date.timeIntervalSinceReferenceDate)
        case ("timeIntervalSince1970", _): .double(date.timeIntervalSince1970)
        case ("timeIntervalSinceDate:", .date(let other)?): .double(date.timeIntervalSince(other))
        case ("timeIntervalSinceDate:", .null?), ("dateByAddingTimeInterval:", .null?): .null
        case ("dateByAddingTimeInterval:", let seconds?):
            .date(date + (try Arithmetic.number(seconds)).double)
        case ("timeIntervalSinceNow", _): .double(date.timeIntervalSinceNow)
        case ("earlierDate:", .date(let other)?): .date(min(date, other))
        case ("laterDate:", .date(let other)?): .date(max(date, other))
        default: try comparison(name, value: .date(date), arguments: arguments)
        }
    }

    private static func number(_ name: String, number: Number) -> Value? {
        switch name {
        case "intValue", "integerValue", "longLongValue", "charValue", "shortValue", "longValue",
            "unsignedIntValue",
            "unsignedIntegerValue", "unsignedLongLongValue":
            number.truncatedInteger.map(Value.integer) ?? .null
        case "floatValue", "doubleValue": number.value == .null ? .null : .double(number.double)
        case "decimalValue": number.decimal.map(Value.decimal) ?? .null
        case "boolValue": .bool(number.double != 0)
        default: nil
        }
    }

    private static func collection(_ name: String, value: Value, arguments: [Value]) throws -> Value? {
        let elements = value.elements ?? []
        switch (name, arguments.first) {
        case ("count", _): return .integer(Int64(elements.count))
        case ("firstObject", _), ("anyObject", _): return elements.first ?? .null
        case ("lastObject", _): return elements.last ?? .null
        case ("allObjects", _): return .array(elements)
        case ("objectAtIndex:", let index?): return try element(at: index, in: elements)
        case ("arrayByAddingObject:", let other?): return .array(elements + [other])
        case ("componentsJoinedByString:", .string(let separator)?):
            return .string(elements.map(Casting.text).joined(separator: separator))
        case ("containsObject:", let other?):
            return .bool(try elements.contains { try $0.isEqual(to: other) })
        case ("indexOfObject:", let other?):
            let place = try elements.firstIndex { try $0.isEqual(to: other) }
            return .integer(Int64(place ?? Int.max))
        case ("isEqualToArray:", let other?), ("isEqualToSet:", let other?):
            return .bool(try value.isEqual(to: other))
        case (_, let other?): return try set(name, elements: elements, other: other)
        default: return nil
        }
    }

    private static func set(_ name: String, elements: [Value], other: Value) throws -> Value? {
        if name == "setByAddingObject:" { return .set(Set(elements + [other])) }
        guard name == "isSubsetOfSet:" || name == "intersectsSet:" else { return nil }
        let others = Set((other.elements ?? []).map(\.identity))
        let isFound = { (element: Value) in others.contains(element.identity) }
        return .bool(
            name == "isSubsetOfSet:" ? elements.allSatisfy(isFound) : elements.contains(where: isFound))
    }

    /// nil where there is no such element.
    static func element(at index: Value, in elements: [Value]) throws -> Value {
        guard index != .null, let number = try Arithmetic.number(index).exactInteger,
            let position = Int(exactly: number), elements.indices.contains(position)
        else { return .null }
        return elements[position]
    }
}
