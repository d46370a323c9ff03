// Numbers that values are most often, made once: making one takes an allocation and several calls.

import CoreDataSchema
import Foundation

/// The numbers that `value(forKey:)` gives. No caller depends on the object that stands for a number: Apple's
/// systems have none at all for most.
enum KnownNumbers {
    static let yes = NSNumber(value: true)
    static let no = NSNumber(value: false)

    private static let range: Range<Int64> = -16..<256
    private static let integers16 = range.map { NSNumber(value: Int16($0)) }
    private static let integers32 = range.map { NSNumber(value: Int32($0)) }
    private static let integers64 = range.map { NSNumber(value: $0) }

    /// An integer of a slot of 16, 32 or 64 bits. One beyond the declared width stays whole, until validation refuses it.
    static func integer(_ value: Int64, kind: SlotKind) -> NSNumber {
        let place = range.contains(value) ? Int(value - range.lowerBound) : nil
        switch kind {
        case .integer16:
            if let place { return integers16[place] }
            return Int16(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: value)
        case .integer32:
            if let place { return integers32[place] }
            return Int32(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: value)
        default:
            if let place { return integers64[place] }
            return NSNumber(value: value)
        }
    }
}
