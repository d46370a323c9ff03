// Default values as text, the form of both kinds of source models.

import CoreDataSchema
import CoreDataSupport
import Foundation

enum SourceDefaultValue {
    /// The value that a text stands for. Throws `ArchiveFailure` when it is none of the attribute's type.
    static func value(_ text: String, type: AttributeType) throws -> Value {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let value: Value? =
            switch type {
            case .string: .string(text)
            case .boolean: bool(trimmed).map { .bool($0) }
            case .integer16, .integer32, .integer64: integer(trimmed)
            case .double, .float: Double(trimmed).map { .double($0) }
            case .decimal: decimal(trimmed).map { .decimal($0) }
            case .date: Double(trimmed).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            case .uuid: UUID(uuidString: trimmed).map { .uuid($0) }
            case .uri: URL(string: trimmed).map { .url($0) }
            case .undefined, .binaryData, .transformable, .objectID, .composite: nil
            }
        guard let value else {
            throw ArchiveFailure(
                "\"\(text)\" is no default value for an attribute of type \(type.sourceName)")
        }
        return value
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

    static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0", "": false
        default: nil
        }
    }

    private static func integer(_ text: String) -> Value? {
        if let number = Int64(text) { return .integer(number) }
        return Double(text).flatMap { Int64(exactly: $0) }.map { .integer($0) }
    }

    /// Foundation's initialiser takes a number's beginning for the whole, so the characters are looked at first.
    static func decimal(_ text: String) -> Decimal? {
        guard !text.isEmpty, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
            Double(text) != nil
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
