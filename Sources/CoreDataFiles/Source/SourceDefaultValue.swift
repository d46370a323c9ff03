// Default values as text, the form of both kinds of source models.

import CoreDataSchema
import CoreDataSupport
import Foundation

enum SourceDefaultValue {
    /// The value that a text is taken for, and the remark that this needs.
    struct Reading {
        var value: Value?
        /// Continues a sentence about the text.
        var remark: String?
    }

    /// The value that a text plainly means for an attribute of a type; none for an empty text, which only a string
    /// attribute has as its value.
    static func reading(_ text: String, type: AttributeType) -> Reading {
        if type == .string { return Reading(value: .string(text)) }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty { return Reading() }
        switch type {
        case .boolean: return boolean(trimmed)
        case .integer16: return integer(text, in: Int64(Int16.min)...Int64(Int16.max), type: type)
        case .integer32: return integer(text, in: Int64(Int32.min)...Int64(Int32.max), type: type)
        case .integer64: return integer(text, in: .min ... .max, type: type)
        case .double: return floating(trimmed, limit: .greatestFiniteMagnitude, type: type)
        case .float: return floating(trimmed, limit: Double(Float.greatestFiniteMagnitude), type: type)
        case .decimal: return decimal(trimmed)
        case .date:
            guard let date = SourceText.date(trimmed) else { return none(type) }
            return Reading(
                value: .date(date.date),
                remark: date.isPlain
                    ? nil : "which is taken for \(date.date.timeIntervalSinceReferenceDate) s after 2001")
        case .uuid: return uuid(trimmed)
        case .uri: return URL(string: trimmed).map { Reading(value: .url($0)) } ?? none(type)
        case .undefined, .binaryData, .transformable, .objectID, .composite, .string: return none(type)
        }
    }

    /// The text of a value; `nil` for none. Throws `ArchiveFailure` for what source models can't state.
    static func text(_ value: Value, type: AttributeType) throws -> String? {
        switch (type, value) {
        case (_, .null): return nil
        case (.string, .string(let text)): return text
        case (.boolean, .bool(let flag)): return flag ? "YES" : "NO"
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
            (.integer64, .integer(let number)):
            return "\(number)"
        case (.double, .double(let number)), (.float, .double(let number)): return "\(number)"
        case (.date, .date(let date)): return "\(date.timeIntervalSinceReferenceDate)"
        case (.decimal, .decimal(let number)): return number.description
        case (.uuid, .uuid(let uuid)): return uuid.uuidString
        case (.uri, .url(let url)): return url.absoluteString
        default:
            throw ArchiveFailure("a source model can't state this default value of type \(type.sourceName)")
        }
    }

    private static func none(_ type: AttributeType) -> Reading {
        Reading(remark: "which is no value of type \(type.sourceName): it is left out")
    }

    private static func boolean(_ text: String) -> Reading {
        if let flag = SourceText.bool(text) { return Reading(value: .bool(flag)) }
        guard let number = SourceText.number(text)?.value else { return none(.boolean) }
        let flag = number != .integer(0)
        return Reading(value: .bool(flag), remark: "which is taken for \(flag ? "YES" : "NO")")
    }

    private static func integer(
        _ text: String, in range: ClosedRange<Int64>, type: AttributeType
    ) -> Reading {
        guard let number = SourceText.number(text), case .integer(let whole) = number.value,
            range.contains(whole)
        else { return none(type) }
        return Reading(
            value: .integer(whole), remark: number.isPlain ? nil : "which is taken for \(whole)")
    }

    private static func floating(_ text: String, limit: Double, type: AttributeType) -> Reading {
        if let number = Double(text) {
            return number.magnitude <= limit ? Reading(value: .double(number)) : none(type)
        }
        switch SourceText.number(text)?.value {
        case .integer(let whole)?:
            return Reading(value: .double(Double(whole)), remark: "which is taken for \(whole)")
        case .decimal(let decimal)?:
            guard let number = Double("\(decimal)"), number.magnitude <= limit else { return none(type) }
            return Reading(value: .double(number), remark: "which is taken for \(number)")
        default: return none(type)
        }
    }

    private static func decimal(_ text: String) -> Reading {
        if let decimal = SourceText.decimal(text) { return Reading(value: .decimal(decimal)) }
        switch SourceText.number(text)?.value {
        case .integer(let whole)?:
            return Reading(value: .decimal(Decimal(whole)), remark: "which is taken for \(whole)")
        case .decimal(let decimal)?:
            return Reading(value: .decimal(decimal), remark: "which is taken for \(decimal)")
        default: return none(.decimal)
        }
    }

    private static func uuid(_ text: String) -> Reading {
        if let uuid = UUID(uuidString: text) { return Reading(value: .uuid(uuid)) }
        let digits = text.filter { !"{}-".contains($0) }
        guard digits.count == 32, digits.allSatisfy(\.isHexDigit) else { return none(.uuid) }
        var dashed = digits
        for place in [20, 16, 12, 8] {
            dashed.insert("-", at: dashed.index(dashed.startIndex, offsetBy: place))
        }
        guard let uuid = UUID(uuidString: dashed) else { return none(.uuid) }
        return Reading(value: .uuid(uuid), remark: "which is taken for \(uuid)")
    }
}
