import CoreDataSQL
import CoreDataTestSupport
import Testing

struct OrderKeysTests {
    @Test func aNewListStartsAt2048InStepsOf1024() {
        expect(OrderKeys.keys(for: [nil, nil, nil]), equals: [2048, 3072, 4096])
        expect(OrderKeys.keys(for: []), equals: [])
    }

    @Test func membersAtTheEndContinue() {
        expect(OrderKeys.keys(for: [2048, 3072, nil, nil]), equals: [2048, 3072, 4096, 5120])
    }

    @Test func membersInBetweenTakeTheGap() {
        expect(OrderKeys.keys(for: [2048, nil, 3072]), equals: [2048, 2560, 3072])
        expect(OrderKeys.keys(for: [nil, nil, 3072]), equals: [1024, 2048, 3072])
    }

    @Test func aMovedMemberAloneChanges() {
        let changes = OrderKeys.changes(for: [2048, 3072, 5120, 6144, 4096])
        #expect(changes.map(\.position) == [4] && changes.map(\.key) == [7168])
    }

    @Test func withoutAGapOnlyTheNeighboursChange() {
        expect(OrderKeys.changes(for: [10, nil, 11, 1035]).count, equals: 2)
        expect(OrderKeys.keys(for: [1, 2, nil, 3, 2048]), equals: [1, 2, 684, 1366, 2048])
    }

    @Test func noRoomAtAllNumbersAnew() {
        expect(OrderKeys.keys(for: [nil, nil, nil, 1]), equals: [2048, 3072, 4096, 5120])
        expect(OrderKeys.keys(for: [nil, 1, 0, -5]), equals: [2048, 3072, 4096, 5120])
    }

    @Test func brokenKeysNeverTrap() {
        let keys: [Int64?] = [.max, .min, nil, .max - 1, 0, .max, 1 << 62, nil]
        expectAscending(OrderKeys.keys(for: keys))
    }

    @Test func equalKeysAreMadeToDiffer() {
        expectAscending(OrderKeys.keys(for: [2048, 2048, 2048]))
    }

    @Test func anyOrderAscendsAndKeepsTheLongestRun() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<300 {
            let count = Int.random(in: 1...12, using: &generator)
            let current: [Int64?] = (0..<count).map { _ in
                Bool.random(using: &generator) ? Int64.random(in: 1...40, using: &generator) : nil
            }
            let keys = OrderKeys.keys(for: current)
            expectAscending(keys)
            let kept = zip(current, keys).filter { $0 == $1 }.count
            #expect(kept >= longestRun(current))
        }
    }

    private func expectAscending(_ keys: [Int64]) {
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } && keys.allSatisfy { $0 > 0 })
    }

    /// By trying every subset: members that may keep their keys with room for the others.
    private func longestRun(_ current: [Int64?]) -> Int {
        var best = 0
        for mask in 0..<(1 << current.count) {
            var previous: (position: Int, key: Int64) = (-1, 0)
            var count = 0
            var fits = true
            for position in current.indices where mask & (1 << position) != 0 {
                guard let key = current[position], key - previous.key >= Int64(position - previous.position)
                else {
                    fits = false
                    break
                }
                previous = (position, key)
                count += 1
            }
            if fits { best = max(best, count) }
        }
        return best
    }
}
