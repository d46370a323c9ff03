// Numbers and dates in boxes of type `Any`, as words.

import CoreDataSchema
import Foundation

extension WordForm {
    /// The number or date in a box of one of the types that clients mostly give; `nil` for all others.
    ///
    /// A box keeps content of three words and less in itself, and its type behind them. `type(of:)` would take fifty
    /// instructions to give the same, because it looks what class an object is of.
    @inline(__always)
    static func plain(at box: UnsafeRawPointer) -> (form: WordForm, word: UInt64)? {
        guard let type = box.load(fromByteOffset: 3 * MemoryLayout<UInt>.stride, as: Any.Type?.self) else {
            return nil
        }
        if type == Int.self { return (.integer, UInt64(bitPattern: Int64(box.load(as: Int.self)))) }
        if type == Int64.self { return (.integer, box.load(as: UInt64.self)) }
        if type == Double.self { return (.double, box.load(as: UInt64.self)) }
        if type == Bool.self { return (.boolean, box.load(as: Bool.self) ? 1 : 0) }
        if type == Date.self {
            return (.date, box.load(as: Date.self).timeIntervalSinceReferenceDate.bitPattern)
        }
        if type == Int32.self { return (.integer, UInt64(bitPattern: Int64(box.load(as: Int32.self)))) }
        if type == Int16.self { return (.integer, UInt64(bitPattern: Int64(box.load(as: Int16.self)))) }
        return nil
    }

    /// The type of what is in a box, as a number to compare; 0 for a box that is nil.
    @inline(__always)
    static func type(at box: UnsafeRawPointer) -> UInt {
        box.load(fromByteOffset: 3 * MemoryLayout<UInt>.stride, as: UInt.self)
    }

    /// Returns whether values of a type stand in their boxes as a slot of the kind keeps them.
    static func isWord(_ type: UInt, of kind: SlotKind) -> Bool {
        func isType(_ other: Any.Type) -> Bool { type == unsafeBitCast(other, to: UInt.self) }
        return switch kind {
        case .integer16, .integer32, .integer64: isType(Int.self) || isType(Int64.self)
        case .double: isType(Double.self)
        case .date: isType(Date.self)
        default: false
        }
    }

    @inline(__always)
    static func plain(_ any: Any) -> (form: WordForm, word: UInt64)? {
        withUnsafePointer(to: any) { plain(at: UnsafeRawPointer($0)) }
    }

    /// The word as a slot of the kind keeps it, converted if need be; `nil` where more is to be asked.
    @inline(__always)
    func converted(_ word: UInt64, to kind: SlotKind) -> UInt64? {
        fitted(word, to: kind) ?? otherwise(word, to: kind)
    }

    @inline(never)
    private func otherwise(_ word: UInt64, to kind: SlotKind) -> UInt64? {
        switch (self, kind) {
        case (.integer, .boolean): word != 0 ? 1 : 0
        case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64): word
        case (.integer, .double): Double(Int64(bitPattern: word)).bitPattern
        default: nil
        }
    }
}
