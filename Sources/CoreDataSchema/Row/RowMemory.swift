// Reading and writing cells of rows, and rows that an object or a store owns alone.

package import CoreDataSupport
package import Foundation

/// A row: its words and, if they refer to an arena, the slab.
public struct RowPointer {
    public let words: UnsafeMutablePointer<UInt64>
    public let slab: RowSlab?

    @inlinable
    public init(_ words: UnsafeMutablePointer<UInt64>, slab: RowSlab?) {
        self.words = words
        self.slab = slab
    }

    /// Z_OPT of the row.
    @inlinable
    public var version: Int64 {
        get { Int64(bitPattern: words[0]) }
        nonmutating set { words[0] = UInt64(bitPattern: newValue) }
    }

    @inlinable
    public func isNull(_ index: Int) -> Bool {
        words[-1 - index >> 6] & (1 << UInt64(index & 63)) != 0
    }

    // Called for each value that is written; the compiler would make a call of it.
    @inlinable @inline(__always)
    public func setNull(_ index: Int, isNull: Bool) {
        let bit: UInt64 = 1 << UInt64(index & 63)
        if isNull { words[-1 - index >> 6] |= bit } else { words[-1 - index >> 6] &= ~bit }
    }
}

extension RowPointer {
    /// The text of a string slot that is not nil.
    package func string(_ slot: Slot) -> String { string(at: slot.word) }

    /// The text of a string slot, by the slot's word; empty if the slot is nil.
    package func string(at word: Int) -> String {
        let reference = CellReference(word: words[word])
        if reference.word == 0 { return "" }
        if reference.isBox {
            if let text = reference.box.text { return text }
            if case .url(let url) = reference.box.value { return url.absoluteString }
            return ""
        }
        return slab?.text(reference) ?? ""
    }

    /// The bytes of a slot that is not nil and whose kind refers to bytes.
    package func data(_ slot: Slot) -> Data { data(at: slot.word) }

    /// The bytes of a slot, by the slot's word; empty if the slot is nil.
    package func data(at word: Int) -> Data {
        let reference = CellReference(word: words[word])
        if reference.word == 0 { return Data() }
        if reference.isBox {
            if case .data(let data) = reference.box.value { return data }
            return Data()
        }
        guard let slab else { return Data() }
        return Data(slab.bytes(reference))
    }

    /// The bytes of a slot with external storage that is not nil; `nil` if they can't be loaded (`CellBox.load()`).
    package func externalData(_ slot: Slot) -> Data? {
        let reference = CellReference(word: words[slot.word])
        if reference.isBox, case .null = reference.box.value { return nil }
        return data(slot)
    }

    /// The value of a slot. To-one slots give `.integer` (the primary key); transformable slots `.data`, or
    /// `.object` for a box that holds the object itself.
    package func value(_ slot: Slot) -> Value {
        if isNull(slot.index) { return .null }
        let word = words[slot.word]
        switch slot.kind {
        case .integer16, .integer32, .integer64, .toOne, .toOneOfSeveral:
            return .integer(Int64(bitPattern: word))
        case .boolean: return .bool(word != 0)
        case .double, .float: return .double(Double(bitPattern: word))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)))
        case .string, .uri, .uuid, .data, .externalData, .transformable, .decimal, .object:
            return referenced(slot)
        }
    }

    private func referenced(_ slot: Slot) -> Value {
        let reference = CellReference(word: words[slot.word])
        if reference.isBox {
            if let object = reference.box.object { return Value(any: object) }
            return reference.box.value
        }
        guard let slab else { return .null }
        let bytes = slab.bytes(reference)
        switch slot.kind {
        case .string: return .string(String(decoding: bytes, as: UTF8.self))
        case .uri: return URL(string: String(decoding: bytes, as: UTF8.self)).map(Value.url) ?? .null
        case .uuid:
            guard bytes.count == 16 else { return .null }
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .decimal:
            guard bytes.count == MemoryLayout<Decimal>.size else { return .null }
            return .decimal(bytes.loadUnaligned(as: Decimal.self))
        default: return .data(Data(bytes))
        }
    }
}

extension Value {
    /// An object of a client's own, kept by reference.
    init(any object: Any) {
        self = .object(ObjectReference(object as AnyObject))
    }
}

/// Rows outside a slab: owned by one object or one in-memory store. Boxes in them are retained.
package enum OwnedRow {
    /// A row in which every slot is nil and the version 0.
    package static func empty(_ layout: RowLayout) -> UnsafeMutablePointer<UInt64> {
        let words = allocate(layout)
        for index in 0..<layout.nullWordCount { words[-1 - index] = .max }
        words.initialize(repeating: 0, count: layout.wordCount)
        return words
    }

    /// A copy; references into an arena stay references into the same slab.
    package static func copy(
        _ row: UnsafeMutablePointer<UInt64>, layout: RowLayout
    ) -> UnsafeMutablePointer<UInt64> {
        let words = allocate(layout)
        (words - layout.nullWordCount).initialize(
            from: row - layout.nullWordCount, count: layout.nullWordCount + layout.wordCount)
        forEachReference(words, layout: layout) { CellReference(word: $0).retain() }
        return words
    }

    /// Releases the boxes and the memory.
    package static func destroy(_ row: UnsafeMutablePointer<UInt64>, layout: RowLayout) {
        forEachReference(row, layout: layout) { CellReference(word: $0).release() }
        (row - layout.nullWordCount).deallocate()
    }

    private static func allocate(_ layout: RowLayout) -> UnsafeMutablePointer<UInt64> {
        .allocate(capacity: layout.nullWordCount + layout.wordCount) + layout.nullWordCount
    }

    /// Puts a box into a reference slot of an owned row, releasing what was there; `nil` makes the slot null.
    package static func set(_ box: CellBox?, slot: Slot, in row: UnsafeMutablePointer<UInt64>) {
        let pointer = RowPointer(row, slab: nil)
        if !pointer.isNull(slot.index) { CellReference(word: row[slot.word]).release() }
        row[slot.word] = box.map { CellReference(retaining: $0).word } ?? 0
        pointer.setNull(slot.index, isNull: box == nil)
    }

    private static func forEachReference(
        _ row: UnsafeMutablePointer<UInt64>, layout: RowLayout, body: (UInt64) -> Void
    ) {
        guard layout.hasReferences else { return }
        let pointer = RowPointer(row, slab: nil)
        for slot in layout.referenceSlots where !pointer.isNull(slot.index) {
            body(row[slot.word])
        }
    }
}
