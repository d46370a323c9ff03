// Values of slots as texts, for stores whose files are texts.

package import CoreDataSchema
package import CoreDataSupport
import Foundation

/// One spelling of each value. Dates are seconds since 2001, bytes base 64.
package enum SlotText {
    /// `nil` for a value that has no spelling, or that stands for none.
    package static func text(_ value: Value) -> String? {
        switch value {
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let flag): flag ? "1" : "0"
        case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
        case .string(let text): text
        case .data(let data): data.base64EncodedString()
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .decimal(let number): number.isFinite ? number.description : nil
        case .null, .array, .set, .dictionary, .object: nil
        }
    }

    /// `nil` for a text that doesn't spell a value of the kind.
    package static func value(_ text: String, kind: SlotKind) -> Value? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch kind {
        case .integer16, .integer32, .integer64: return Int64(trimmed).map(Value.integer)
        case .boolean:
            switch trimmed.lowercased() {
            case "1", "true", "yes": return .bool(true)
            case "0", "false", "no": return .bool(false)
            default: return nil
            }
        case .double, .float: return Double(trimmed).map(Value.double)
        case .date: return Double(trimmed).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .decimal: return Double(trimmed) == nil ? nil : Decimal(string: trimmed).map(Value.decimal)
        case .string: return .string(text)
        case .uri: return URL(string: trimmed).map(Value.url)
        case .uuid: return UUID(uuidString: trimmed).map(Value.uuid)
        case .data, .externalData, .transformable:
            return Data(base64Encoded: trimmed, options: .ignoreUnknownCharacters).map(Value.data)
        case .object, .toOne, .toOneOfSeveral: return nil
        }
    }
}

extension StoredRow {
    /// The error of a value that no file can hold.
    func hasNoForm(_ slot: Slot, rows: MemoryRows) -> NSError {
        CoreDataError.make(
            ErrorCode.save, description: "The persistent store could not be saved.", file: rows.host.url,
            entity: entity.name, property: slot.name, reason: "A value has no stored form.")
    }

    /// The text of a slot's value; `nil` for none. Throws for a value that no file can hold.
    package func text(_ slot: Slot, of rows: MemoryRows) throws -> String? {
        let value = pointer.value(slot)
        switch value {
        case .array, .set, .dictionary, .object: throw hasNoForm(slot, rows: rows)
        default: return SlotText.text(value)
        }
    }
}
