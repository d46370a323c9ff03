// From primary key to object address: the identity map of one table's rows, and quick enough to ask once for every
// fetched row.

/// Maps non-zero keys to addresses.
///
/// Addresses stand in pages of 16 neighbouring keys, and a small open-addressing table finds the pages. Keys of a table
/// mostly follow each other: then an object takes nine bytes, and the next one's place is beside it. An object without
/// neighbours takes a page.
///
///     word 0        the page's first key, its low four bits the number of addresses less one
///     word 1 … 16   addresses, 0 where there is none
public struct KeyPages: ~Copyable {
    @usableFromInline typealias Page = UnsafeMutablePointer<Int64>

    @usableFromInline var pages: UnsafeMutablePointer<Page?>
    @usableFromInline var mask: Int
    private var pageCount = 0
    @usableFromInline package internal(set) var count = 0
    /// An empty page, for a table that has one object now and then.
    private var spare: Page?

    package init() {
        pages = Self.directory(16)
        mask = 15
    }

    deinit {
        for place in 0...mask { pages[place]?.deallocate() }
        pages.deallocate()
        spare?.deallocate()
    }

    private static func directory(_ capacity: Int) -> UnsafeMutablePointer<Page?> {
        let pages = UnsafeMutablePointer<Page?>.allocate(capacity: capacity)
        pages.initialize(repeating: nil, count: capacity)
        return pages
    }

    @inlinable @inline(__always)
    func start(_ key: Int64) -> Int {
        // Fibonacci hashing: neighbouring pages spread over the table.
        Int(truncatingIfNeeded: (UInt64(bitPattern: key >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 24) & mask
    }

    /// Returns the index at which the page of a key is, or would be.
    @inlinable @inline(__always)
    func place(_ key: Int64) -> Int {
        var place = start(key)
        while let page = pages[place], (page[0] ^ key) & ~15 != 0 { place = (place + 1) & mask }
        return place
    }

    @inlinable @inline(__always)
    static func slot(_ key: Int64) -> Int { 1 + Int(truncatingIfNeeded: key & 15) }

    /// The address stored for a key.
    @inlinable
    public func find(_ key: Int64) -> UnsafeMutableRawPointer? {
        guard let page = pages[place(key)] else { return nil }
        return UnsafeMutableRawPointer(bitPattern: Int(page[Self.slot(key)]))
    }

    /// Stores an address for a key, in place of the one that may be there.
    @inlinable
    public mutating func insert(_ key: Int64, address: UnsafeMutableRawPointer) {
        let word = Int64(Int(bitPattern: address))
        guard let page = pages[place(key)] else { return begin(key, word: word) }
        if page[Self.slot(key)] == 0 {
            page[0] += 1
            count += 1
        }
        page[Self.slot(key)] = word
    }

    /// Makes the page of a key that is the first in it.
    @usableFromInline
    mutating func begin(_ key: Int64, word: Int64) {
        if pageCount * 2 > mask { grow() }
        let page = spare ?? Page.allocate(capacity: 17)
        spare = nil
        page.initialize(repeating: 0, count: 17)
        page[0] = key & ~15
        page[Self.slot(key)] = word
        pages[place(key)] = page
        pageCount += 1
        count += 1
    }

    /// Removes a key if it maps to this address.
    @inlinable
    public mutating func remove(_ key: Int64, address: UnsafeMutableRawPointer) {
        let place = place(key)
        guard let page = pages[place], page[Self.slot(key)] == Int64(Int(bitPattern: address)) else { return }
        page[Self.slot(key)] = 0
        count -= 1
        if page[0] & 15 == 0 { end(place) } else { page[0] -= 1 }
    }

    /// Takes an empty page out. The pages after it move back, so there are no tombstones.
    @usableFromInline
    mutating func end(_ emptied: Int) {
        if spare == nil { spare = pages[emptied] } else { pages[emptied]?.deallocate() }
        var hole = emptied
        var next = (hole + 1) & mask
        while let page = pages[next] {
            let home = start(page[0])
            if (next &- home) & mask >= (next &- hole) & mask {
                pages[hole] = page
                hole = next
            }
            next = (next + 1) & mask
        }
        pages[hole] = nil
        pageCount -= 1
    }

    /// Gives the room of many keys back, so that what follows doesn't pay for their having been there.
    package mutating func removeAll() { self = KeyPages() }

    /// Calls the closure with every address.
    package func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
        for place in 0...mask {
            guard let page = pages[place] else { continue }
            for slot in 1...16 {
                if let address = UnsafeMutableRawPointer(bitPattern: Int(page[slot])) { body(address) }
            }
        }
    }

    private mutating func grow() {
        let (old, oldCount) = (pages, mask + 1)
        pages = Self.directory(oldCount * 2)
        mask = oldCount * 2 - 1
        for place in 0..<oldCount {
            if let page = old[place] { pages[self.place(page[0])] = page }
        }
        old.deallocate()
    }
}
