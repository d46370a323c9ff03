// Z_FOK: the keys that keep an ordered relationship in order. They ascend with gaps, so that an object moved or
// put in between needs no other row to change.

/// New keys for a list whose members may have keys already.
package enum OrderKeys {
    /// The key of a list's first member.
    static let first: Int64 = 2048
    /// The distance between members that are added at the end.
    static let step: Int64 = 1024
    /// Keys beyond are given anew; what remains leaves room for members at the end.
    private static let largest: Int64 = 1 << 62

    /// The keys of a list in its new order, ascending. `current` holds each member's key, `nil` for a new member.
    /// As few members as possible get another key.
    package static func keys(for current: [Int64?]) -> [Int64] {
        let kept = keptPositions(current)
        guard !kept.isEmpty else {
            return current.indices.map { first + Int64($0) * step }
        }
        var keys = current.map { $0 ?? 0 }
        var previous = -1
        for position in kept {
            fill(&keys, from: previous, to: position)
            previous = position
        }
        for position in keys.indices.dropFirst(previous + 1) {
            keys[position] = keys[position - 1] + step
        }
        return keys
    }

    /// The members that get another key, with it.
    package static func changes(for current: [Int64?]) -> [(position: Int, key: Int64)] {
        zip(current.indices, keys(for: current)).filter { current[$0.0] != $0.1 }
            .map { (position: $0.0, key: $0.1) }
    }

    /// Spreads the members between two kept ones over the gap. Below the first kept one the gap starts at 0.
    private static func fill(_ keys: inout [Int64], from previous: Int, to next: Int) {
        let low = previous < 0 ? 0 : keys[previous]
        let distance = (keys[next] - low) / Int64(next - previous)
        for position in previous + 1..<next {
            keys[position] = low + distance * Int64(position - previous)
        }
    }

    /// The longest run of members that can keep their keys: between two of them the gap must hold those that
    /// stand in between, which is to say that key minus position never falls.
    private static func keptPositions(_ current: [Int64?]) -> [Int] {
        var tails: [Int] = []
        var previous: [Int?] = Array(repeating: nil, count: current.count)
        func slack(_ position: Int) -> Int64 { (current[position] ?? 0) - Int64(position) }
        for (position, key) in current.enumerated() {
            guard let key, key > Int64(position), key <= largest else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if slack(tails[middle]) <= slack(position) { low = middle + 1 } else { high = middle }
            }
            previous[position] = low > 0 ? tails[low - 1] : nil
            if low == tails.count { tails.append(position) } else { tails[low] = position }
        }
        var kept: [Int] = []
        var next = tails.last
        while let position = next {
            kept.append(position)
            next = previous[position]
        }
        return kept.reversed()
    }
}
