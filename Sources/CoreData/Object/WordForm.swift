// The types that numbers and dates have in memory, where a word of a row is all there is.

import CoreDataSchema
import Foundation

/// The type that the word of a number or a date stands for.
@usableFromInline
enum WordForm: UInt8 {
    case integer, boolean, double, date
}

extension WordForm {
    /// Returns whether slots of the kind hold words of this form.
    @inline(__always)
    func isForm(of kind: SlotKind) -> Bool {
        (Self.kinds &>> (UInt64(rawValue) &* 8) & 0xFF) &>> UInt64(kind.rawValue) & 1 != 0
    }

    /// For each form, from the lowest byte on, the kinds of slots as bits: 16, 32 and 64 bit integers; booleans; doubles
    /// and floats; dates. Asked for each value that is set, where a switch is as long as the rest.
    private static var kinds: UInt64 { 0b0100_0000__0011_0000__0000_1000__0000_0111 }

    /// The word as a slot of the kind keeps it; `nil` if the value needs converting.
    @inline(__always)
    func fitted(_ word: UInt64, to kind: SlotKind) -> UInt64? {
        guard isForm(of: kind) else { return nil }
        return kind == .float ? Double(Float(Double(bitPattern: word))).bitPattern : word
    }

    /// The value that a word of this form stands for.
    func value(of word: UInt64) -> Any {
        switch self {
        case .integer: NSNumber(value: Int64(bitPattern: word))
        case .boolean: NSNumber(value: word != 0)
        case .double: NSNumber(value: Double(bitPattern: word))
        case .date: Date(timeIntervalSinceReferenceDate: Double(bitPattern: word))
        }
    }

    /// The same for a property. Xcode declares dates that are scalars as `TimeInterval`.
    func value(of word: UInt64, for property: PropertyRuntime) -> Any {
        if self == .double, case .attribute(let slot) = property.kind, slot.kind == .date {
            return WordForm.date.value(of: word)
        }
        return value(of: word)
    }

    /// The word of this form for the value of an attribute of another type, if it can be converted.
    func word(of value: Any) -> UInt64? {
        switch (self, value) {
        case (.date, let date as Date), (.double, let date as Date):
            date.timeIntervalSinceReferenceDate.bitPattern
        case (.integer, let number as NSNumber): UInt64(bitPattern: number.int64Value)
        case (.boolean, let number as NSNumber): number.boolValue ? 1 : 0
        case (.double, let number as NSNumber): number.doubleValue.bitPattern
        default: nil
        }
    }
}
