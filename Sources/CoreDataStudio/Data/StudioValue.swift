// The values that the studio's pages and routes exchange: JSON as a value, and how values
// of attributes look in it.
//
//     null, true, "text"           nil, a boolean, a text
//     12, 1.5                      a number that a double holds exactly
//     {"$": "integer", "text"}     an integer beyond 2^53
//     {"$": "number", "text"}      a double that JSON doesn't know: nan, inf
//     {"$": "decimal" | "date" | "uuid" | "url", "text"}
//     {"$": "text", "text", "length"}           a text that is cut, with its whole length in characters
//     {"$": "data", "bytes", "type"}            bytes: how many, and what they look like; fetched by a route of their own
//     {"$": "color", "red", "green", "blue", "alpha"}
//     {"$": "composite", "fields": [{"key", "label", "value"}]}
//     {"$": "tree", "text"}                     a decoded archive, as indented JSON
//     {"$": "object", "id", "title", "entity"}  a related object; "hidden" instead where it may not be read
//     {"$": "fault"}                            what wasn't read yet

import CoreData

/// JSON as a value.
package indirect enum StudioValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case text(String)
    case list([StudioValue])
    case record([String: StudioValue])

    /// The largest whole number up to which a double holds all.
    static let exact: Int64 = 1 << 53
}

extension StudioValue {
    subscript(key: String) -> StudioValue? {
        if case .record(let fields) = self { return fields[key] }
        return nil
    }

    var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    var list: [StudioValue]? {
        if case .list(let values) = self { return values }
        return nil
    }

    var flag: Bool? {
        if case .bool(let flag) = self { return flag }
        return nil
    }

    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// A value of a kind that JSON lacks.
    static func tagged(_ kind: String, text: String) -> StudioValue {
        .record(["$": .text(kind), "text": .text(text)])
    }

    static func texts(_ texts: some Sequence<String>) -> StudioValue { .list(texts.map { .text($0) }) }

    static func optional(_ text: String?) -> StudioValue { text.map { .text($0) } ?? .null }

    static func integer(_ number: Int) -> StudioValue { .integer(Int64(number)) }

    /// The record with a field more.
    func with(_ key: String, value: StudioValue) -> StudioValue {
        guard case .record(var fields) = self else { return self }
        fields[key] = value
        return .record(fields)
    }
}

extension StudioValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral
{
    package init(dictionaryLiteral elements: (String, StudioValue)...) {
        self = .record(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
    }

    package init(stringLiteral value: String) { self = .text(value) }

    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension StudioValue: Codable {
    private struct FieldName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .record(let fields):
            var container = encoder.container(keyedBy: FieldName.self)
            for (key, value) in fields { try container.encode(value, forKey: FieldName(stringValue: key)) }
        case .list(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let flag): try container.encode(flag)
            case .integer(let number): try container.encode(number)
            case .double(let number): try container.encode(number.isFinite ? number : 0)
            case .text(let text): try container.encode(text)
            default: try container.encodeNil()
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: FieldName.self) {
            var fields: [String: StudioValue] = [:]
            for key in container.allKeys {
                fields[key.stringValue] = try container.decode(StudioValue.self, forKey: key)
            }
            self = .record(fields)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [StudioValue] = []
            while !container.isAtEnd { values.append(try container.decode(StudioValue.self)) }
            self = .list(values)
        } else {
            self = try Self.single(decoder.singleValueContainer())
        }
    }

    private static func single(_ container: any SingleValueDecodingContainer) throws -> StudioValue {
        if container.decodeNil() { return .null }
        if let flag = try? container.decode(Bool.self) { return .bool(flag) }
        if let number = try? container.decode(Int64.self) { return .integer(number) }
        if let number = try? container.decode(Double.self) { return .double(number) }
        return .text(try container.decode(String.self))
    }
}
