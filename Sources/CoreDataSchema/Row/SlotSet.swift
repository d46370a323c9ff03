// A set of slots of one row: what an object changed, what a statement writes.

/// Slot numbers as bits. Rows of up to 64 slots need no allocation.
package struct SlotSet: Sendable, Hashable {
    private var first: UInt64 = 0
    private var rest: [UInt64] = []

    package init() {}

    package init(_ slots: some Sequence<Int>) {
        for slot in slots { insert(slot) }
    }

    package var isEmpty: Bool { first == 0 && rest.allSatisfy { $0 == 0 } }

    package func contains(_ slot: Int) -> Bool {
        if slot < 64 { return first & 1 << UInt64(slot) != 0 }
        let word = slot / 64 - 1
        return word < rest.count && rest[word] & 1 << UInt64(slot % 64) != 0
    }

    package mutating func insert(_ slot: Int) {
        if slot < 64 { return first |= 1 << UInt64(slot) }
        let word = slot / 64 - 1
        while rest.count <= word { rest.append(0) }
        rest[word] |= 1 << UInt64(slot % 64)
    }

    package mutating func formUnion(_ other: SlotSet) {
        first |= other.first
        while rest.count < other.rest.count { rest.append(0) }
        for (index, word) in other.rest.enumerated() { rest[index] |= word }
    }
}
