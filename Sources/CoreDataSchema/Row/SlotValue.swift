// Values into the words of a row, and whether two rows hold the same.

import CoreDataPredicate
package import CoreDataSupport
package import Foundation

/// Between the words of a row and the values that clients set.
package enum SlotValue {
    // MARK: In

    /// Stores what a client set. `false` if the value's type doesn't fit the slot.
    package static func store(any: Any?, _ slot: Slot, in row: UnsafeMutablePointer<UInt64>) -> Bool {
        guard let any else {
            clear(slot, in: row)
            return true
        }
        switch slot.kind {
        case .integer16, .integer32, .integer64:
            guard let number = WholeNumber(any)?.word(slot.kind) else { return false }
            setWord(UInt64(bitPattern: number), slot: slot, in: row)
        case .boolean:
            if let flag = any as? Bool {
                setWord(flag ? 1 : 0, slot: slot, in: row)
            } else if let number = WholeNumber(any) {
                setWord(number != .inRange(0) ? 1 : 0, slot: slot, in: row)
            } else {
                return false
            }
        case .double, .float:
            guard let number = double(any) else { return false }
            setWord((slot.kind == .float ? Double(Float(number)) : number).bitPattern, slot: slot, in: row)
        case .date:
            guard let date = any as? Date else { return false }
            setWord(date.timeIntervalSinceReferenceDate.bitPattern, slot: slot, in: row)
        case .object, .transformable:
            OwnedRow.set(CellBox(object: any), slot: slot, in: row)
        case .string, .uri, .uuid, .data, .externalData, .decimal:
            guard let value = reference(any, kind: slot.kind) else { return false }
            OwnedRow.set(CellBox(value), slot: slot, in: row)
        case .toOne, .toOneOfSeveral: return false
        }
        return true
    }

    /// Stores a model's default or another value from the lower layers.
    package static func store(_ value: Value, slot: Slot, in row: UnsafeMutablePointer<UInt64>) {
        if slot.kind == .transformable, case .data = value {
            OwnedRow.set(CellBox(value), slot: slot, in: row)
        } else {
            _ = store(any: value.any, slot, in: row)
        }
    }

    package static func clear(_ slot: Slot, in row: UnsafeMutablePointer<UInt64>) {
        if slot.kind.isReference {
            OwnedRow.set(nil, slot: slot, in: row)
        } else {
            row[slot.word] = 0
            if slot.kind == .toOneOfSeveral { row[slot.word + 1] = 0 }
            RowPointer(row, slab: nil).setNull(slot.index, isNull: true)
        }
    }

    package static func setWord(_ word: UInt64, slot: Slot, in row: UnsafeMutablePointer<UInt64>) {
        row[slot.word] = word
        RowPointer(row, slab: nil).setNull(slot.index, isNull: false)
    }

    /// Returns the contents of a box whose type is known to be exactly this one, of at most three words:
    /// those stand in the box itself, and taking them out is a small part of what a cast costs.
    @inline(__always)
    package static func content<Content>(_ any: Any, as type: Content.Type) -> Content {
        withUnsafePointer(to: any) { UnsafeRawPointer($0).load(as: type) }
    }

    /// Returns the value as Foundation's number, which most clients give; known by its class, for a cast asks
    /// each number type whether it can be made of it.
    package static func foundationNumber(_ any: Any) -> NSNumber? {
        type(of: any) == NSNumber.self ? content(any, as: NSNumber.self) : nil
    }

    private static func double(_ any: Any) -> Double? {
        if let number = foundationNumber(any) { return number.doubleValue }
        return switch any {
        case let value as Double: value
        case let value as NSNumber: value.doubleValue
        case let value as Float: Double(value)
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as Decimal: NSDecimalNumber(decimal: value).doubleValue
        case let value as Bool: value ? 1 : 0
        default: nil
        }
    }

    private static func reference(_ any: Any, kind: SlotKind) -> Value? {
        switch kind {
        case .string: (any as? String).map(Value.string)
        case .uri: (any as? URL).map(Value.url)
        case .uuid: (any as? UUID).map(Value.uuid)
        case .data, .externalData: (any as? Data).map(Value.data)
        case .decimal: decimal(any).map(Value.decimal)
        default: nil
        }
    }

    private static func decimal(_ any: Any) -> Decimal? {
        switch any {
        case let value as Decimal: value
        case let value as NSNumber: Decimal(exactly: value)
        case let value as any BinaryInteger: Decimal(string: String(value))
        case let value as Float: Decimal(shortest: value)
        case let value as any BinaryFloatingPoint: Decimal(shortest: Double(value))
        default: nil
        }
    }

    // MARK: Comparison

    /// Returns whether two rows hold the same value in a slot.
    package static func areEqual(_ slot: Slot, left: RowPointer, right: RowPointer) -> Bool {
        if left.words[slot.word] == right.words[slot.word], !slot.kind.isReference,
            slot.kind != .toOneOfSeveral, left.isNull(slot.index) == right.isNull(slot.index)
        {
            return true
        }
        let leftNull = left.isNull(slot.index)
        if leftNull || right.isNull(slot.index) { return leftNull == right.isNull(slot.index) }
        let (a, b) = (left.words[slot.word], right.words[slot.word])
        if a == b, !slot.kind.isReference {
            return slot.kind != .toOneOfSeveral || left.words[slot.word + 1] == right.words[slot.word + 1]
        }
        if a == b, left.slab === right.slab { return true }
        guard slot.kind.isReference else { return false }
        if let first = boxed(a), let second = boxed(b) {
            return ObjectReference(first as AnyObject) == ObjectReference(second as AnyObject)
        }
        if boxed(a) != nil || boxed(b) != nil { return false }
        return left.value(slot) == right.value(slot)
    }

    private static func boxed(_ word: UInt64) -> Any? {
        let reference = CellReference(word: word)
        return reference.isBox ? reference.box.object : nil
    }
}

extension Slot {
    /// Copies the slot's value into an owned row: into the same slot, or into another one of its kind. A box takes the place of a
    /// reference into an arena.
    package func copy(
        from source: RowPointer, to target: UnsafeMutablePointer<UInt64>, as other: Slot? = nil
    ) {
        let slot = other ?? self
        if source.isNull(index) { return SlotValue.clear(slot, in: target) }
        if kind.isReference {
            let reference = CellReference(word: source.words[word])
            OwnedRow.set(
                reference.isBox ? reference.box : CellBox(source.value(self)), slot: slot, in: target)
        } else {
            SlotValue.setWord(source.words[word], slot: slot, in: target)
            if kind == .toOneOfSeveral { target[slot.word + 1] = source.words[word + 1] }
        }
    }
}
