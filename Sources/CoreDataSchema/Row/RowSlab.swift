// Rows as a store delivers them: up to 256 of one table in one allocation, shared by the fetch and the objects.

/// A block of rows with their keys and an arena for text and blobs. Filled once by a store, then never changed.
///
/// Unchecked because only the store that makes it writes to it, before anyone else sees it.
package final class RowSlab: @unchecked Sendable {
    package static let capacity = 256
    /// Cells from this size on become boxes, so that the arena needn't move for them.
    package static let largestArenaCell = 1 << 16

    private let stride: Int
    private let nullWordCount: Int
    private let words: UnsafeMutablePointer<UInt64>
    package let primaryKeys: UnsafeMutablePointer<Int64>
    /// Entity index of each row.
    package let entities: UnsafeMutablePointer<Int32>
    package private(set) var arena: UnsafeMutableRawPointer
    /// Starts above 0, so that no reference into the arena is the word 0, which means nil.
    package private(set) var arenaUsed = 8
    private var arenaCapacity: Int
    package var count = 0
    private var boxes: [CellBox] = []

    /// A slab for rows of these layouts: the entities that share the table.
    package init(layouts: [RowLayout], capacity: Int = RowSlab.capacity, arenaCapacity: Int = 0) {
        nullWordCount = layouts.map(\.nullWordCount).max() ?? 1
        stride = nullWordCount + (layouts.map(\.wordCount).max() ?? 1)
        words = .allocate(capacity: stride * capacity)
        primaryKeys = .allocate(capacity: capacity)
        entities = .allocate(capacity: capacity)
        self.arenaCapacity = max(arenaCapacity, 64)
        arena = .allocate(byteCount: self.arenaCapacity, alignment: 8)
    }

    deinit {
        words.deallocate()
        primaryKeys.deallocate()
        entities.deallocate()
        arena.deallocate()
    }

    /// The words of a row.
    package func row(_ number: Int) -> UnsafeMutablePointer<UInt64> {
        words + nullWordCount + number * stride
    }

    /// Stores bytes and returns the word that refers to them.
    package func store(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let needed = arenaUsed + bytes.count
        if needed > arenaCapacity { grow(to: needed) }
        if let source = bytes.baseAddress {
            (arena + arenaUsed).copyMemory(from: source, byteCount: bytes.count)
        }
        defer { arenaUsed = needed }
        return CellReference(offset: arenaUsed, length: bytes.count).word
    }

    /// Keeps a box for as long as the slab lives and returns the word that refers to it.
    package func store(_ box: CellBox) -> UInt64 {
        boxes.append(box)
        return UInt64(UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())) | 1 << 63
    }

    private func grow(to needed: Int) {
        arenaCapacity = max(needed, arenaCapacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: arenaCapacity, alignment: 8)
        larger.copyMemory(from: arena, byteCount: arenaUsed)
        arena.deallocate()
        arena = larger
    }

    package func bytes(_ reference: CellReference) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: arena + reference.offset, count: reference.length)
    }
}
