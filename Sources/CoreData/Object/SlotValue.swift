// Between the words of a row and the values that clients see.
//
// Integers, booleans and floating-point numbers leave as `NSNumber` and decimals as `NSDecimalNumber`, because only
// those satisfy every cast that works on Apple's systems (Docs/Decisions/0001-values.md).

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

extension SlotValue {
    // MARK: Out

    /// The value of an attribute slot as `value(forKey:)` gives it. Not for transformable bytes, which need their
    /// transformer.
    static func any(_ slot: Slot, in row: RowPointer) -> Any? {
        if row.isNull(slot.index) { return nil }
        let word = row.words[slot.word]
        switch slot.kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date:
            return plain(word, kind: slot.kind)
        case .toOne, .toOneOfSeveral: return NSNumber(value: Int64(bitPattern: word))
        case .string: return row.string(slot)
        case .data: return row.data(slot)
        case .externalData: return row.externalData(slot)
        case .uri, .uuid, .decimal, .object, .transformable:
            let reference = CellReference(word: word)
            if reference.isBox, let object = reference.box.object { return object }
            return row.value(slot).any
        }
    }

    /// The number or date that a word stands for; `nil` for words of other kinds.
    @inline(__always)
    static func plain(_ word: UInt64, kind: SlotKind) -> Any? {
        switch kind {
        case .integer16, .integer32, .integer64:
            return KnownNumbers.integer(Int64(bitPattern: word), kind: kind)
        case .boolean: return word != 0 ? KnownNumbers.yes : KnownNumbers.no
        case .double: return NSNumber(value: Double(bitPattern: word))
        case .float: return NSNumber(value: Float(Double(bitPattern: word)))
        case .date: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: word))
        default: return nil
        }
    }

    // MARK: In

    /// The word for a number or date of the types that clients mostly give; `nil` where more is to be asked.
    @inline(__always)
    static func word(ofPlain any: Any, _ kind: SlotKind) -> UInt64? {
        if kind == .string { return nil }
        if let (form, word) = WordForm.plain(any) { return form.converted(word, to: kind) }
        return type(of: any) == NSNumber.self ? word(of: content(any, as: NSNumber.self), kind) : nil
    }

    private static func word(of number: NSNumber, _ kind: SlotKind) -> UInt64? {
        switch kind {
        case .integer16, .integer32, .integer64: WholeNumber(number).word(kind).map { UInt64(bitPattern: $0) }
        case .boolean: WholeNumber(number) != .inRange(0) ? 1 : 0
        case .double: number.doubleValue.bitPattern
        case .float: Double(Float(number.doubleValue)).bitPattern
        default: nil
        }
    }

    /// Returns whether this is the object that stands for nil.
    @inline(__always)
    static func isNull(_ any: Any) -> Bool { type(of: any) == NSNull.self }
}
