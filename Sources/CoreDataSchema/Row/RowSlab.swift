// Rows as a store delivers them: up to 256 of one table in one allocation, shared by the fetch and the objects.

/// The room that a row needs: fits the rows of all entities that share a table.
package struct RowShape: Sendable, Hashable {
    /// Words before a row's pointer.
    package let nullWordCount: Int
    /// Words from one row to the next.
    package let stride: Int

    package init(_ layouts: [RowLayout]) {
        nullWordCount = layouts.map(\.nullWordCount).max() ?? 1
        stride = nullWordCount + (layouts.map(\.wordCount).max() ?? 1)
    }
}

/// A block of rows with their keys and an arena for text and blobs. Filled once by a store, then never changed.
///
/// Unchecked because only the store that makes it writes to it, before anyone else sees it.
public final class RowSlab: @unchecked Sendable {
    package static let capacity = 256
    /// Cells from this size on become boxes, so that the arena needn't move for them.
    package static let largestArenaCell = 1 << 16

    @usableFromInline let stride: Int
    /// The pointer of row 0. The keys, the entities and the first arena lie behind the last row in the same allocation.
    @usableFromInline let firstRow: UnsafeMutablePointer<UInt64>
    private let allocation: UnsafeMutablePointer<UInt64>
    package let primaryKeys: UnsafeMutablePointer<Int64>
    /// Entity index of each row.
    package let entities: UnsafeMutablePointer<Int32>
    /// The number of rows that fit.
    package let capacity: Int
    // Unchecked. Sound because only the maker fills a slab, before it hands it out, and nobody changes it afterwards, which
    // the thread sanitizer watches where contexts share slabs (Scripts/test --long).
    @exclusivity(unchecked)
    @usableFromInline private(set) var arena: UnsafeMutableRawPointer
    /// Starts above 0, so that no reference into the arena is the word 0, which means nil.
    @exclusivity(unchecked)
    package private(set) var arenaUsed = 8
    @exclusivity(unchecked)
    private var arenaCapacity: Int
    @exclusivity(unchecked)
    package var count = 0
    @exclusivity(unchecked)
    private var boxes: [CellBox] = []

    /// A slab for rows of these layouts: the entities that share the table.
    package convenience init(
        layouts: [RowLayout], capacity: Int = RowSlab.capacity, arenaCapacity: Int = 0
    ) {
        self.init(RowShape(layouts), capacity: capacity, arenaCapacity: arenaCapacity)
    }

    package init(_ shape: RowShape, capacity: Int = RowSlab.capacity, arenaCapacity: Int = 0) {
        let words = shape.stride * capacity
        let arenaWords = (max(arenaCapacity, 8) + 7) / 8
        stride = shape.stride
        self.capacity = capacity
        allocation = .allocate(capacity: words + capacity + (capacity + 1) / 2 + arenaWords)
        firstRow = allocation + shape.nullWordCount
        let behind = UnsafeMutableRawPointer(allocation + words)
        primaryKeys = behind.bindMemory(to: Int64.self, capacity: capacity)
        entities = (behind + 8 * capacity).bindMemory(to: Int32.self, capacity: capacity)
        self.arenaCapacity = arenaWords * 8
        arena = behind + 8 * (capacity + (capacity + 1) / 2)
    }

    deinit {
        if !isArenaInside { arena.deallocate() }
        allocation.deallocate()
    }

    /// Indicates whether the arena is still the one behind the entities, which is part of the allocation.
    private var isArenaInside: Bool {
        arena == UnsafeMutableRawPointer(primaryKeys) + 8 * (capacity + (capacity + 1) / 2)
    }

    /// The words of a row.
    @inlinable
    public func row(_ number: Int) -> UnsafeMutablePointer<UInt64> {
        firstRow + number * stride
    }

    /// Forgets all rows, so that the slab can be filled again by its maker.
    package func removeAll() {
        count = 0
        arenaUsed = 8
        boxes.removeAll()
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
        arenaCapacity = max(needed, arenaCapacity * 2, 64)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: arenaCapacity, alignment: 8)
        larger.copyMemory(from: arena, byteCount: arenaUsed)
        if !isArenaInside { arena.deallocate() }
        arena = larger
    }

    @inlinable
    public func bytes(_ reference: CellReference) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: arena + reference.offset, count: reference.length)
    }

    /// The text that a reference into the arena stands for.
    @inlinable
    public func text(_ reference: CellReference) -> String {
        String(decoding: bytes(reference), as: UTF8.self)
    }
}
