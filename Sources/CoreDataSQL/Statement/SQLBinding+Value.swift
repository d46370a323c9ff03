// The store's way of writing values.

package import CoreDataSupport
import Foundation

extension SQLBinding {
    /// A constant as the store writes it; nil for one that no column holds.
    package init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .decimal(let number): self = SQLBinding(decimal: number)
        case .string(let text): self = .text(text)
        case .date(let date): self = .double(date.timeIntervalSinceReferenceDate)
        case .data(let bytes): self = .blob(bytes)
        case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .url(let url): self = .text(url.absoluteString)
        case .array, .set, .dictionary, .object: return nil
        }
    }

    /// Whole numbers as integers, others as the nearest double: what the column's NUMERIC affinity makes of
    /// both.
    private init(decimal: Decimal) {
        if let whole = Int64(decimal.description) {
            self = .integer(whole)
        } else {
            self = .double(Double(decimal.description) ?? .nan)
        }
    }
}
