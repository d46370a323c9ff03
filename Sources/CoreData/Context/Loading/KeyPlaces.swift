// The places of keys in a long list.

import Foundation

/// Finds where a key stands in a list, with no memory of its own if the list is in order, else 4 bytes a key.
struct KeyPlaces {
    private let keys: ContiguousArray<Int64>
    /// The places in the order of the keys that stand there; `nil` where the keys rise.
    private let order: ContiguousArray<UInt32>?

    init(_ keys: ContiguousArray<Int64>) {
        self.keys = keys
        let isRising = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
        order = isRising ? nil : Self.order(keys)
    }

    private static func order(_ keys: ContiguousArray<Int64>) -> ContiguousArray<UInt32> {
        var places = ContiguousArray(0..<UInt32(keys.count))
        // Of a key that is there twice the first place comes first.
        places.sort { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
        return places
    }

    /// The first place of a key; `nil` for one that isn't there.
    func place(of key: Int64) -> Int? {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[place(middle)] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[place(low)] == key ? place(low) : nil
    }

    /// The place of the key that has so many below it.
    private func place(_ rank: Int) -> Int { order.map { Int($0[rank]) } ?? rank }
}
