// Reading dictionaries in place finds what going through them finds.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct DictionaryTableTests {
    private func inPlace(_ dictionary: [String: Any]) -> [(String, String)] {
        var found: [(String, String)] = []
        DictionaryTable.forEach(dictionary) { key, value in
            found.append((key.load(as: String.self), "\(value.load(as: Any.self))"))
        }
        return found
    }

    private func agrees(_ dictionary: [String: Any]) -> Bool {
        inPlace(dictionary).elementsEqual(dictionary) { $0.0 == $1.key && $0.1 == "\($1.value)" }
    }

    /// If this fails, batch inserts are right but slow: the offsets are those of another toolchain.
    @Test func theLayoutIsThatOfThisToolchain() {
        #expect(DictionaryTable.isKnown)
    }

    @Test(arguments: [0, 1, 2, 3, 5, 6, 11, 12, 13, 24, 25, 48, 49, 96, 97, 400, 5_000])
    func dictionariesOfAllSizes(_ size: Int) {
        var dictionary: [String: Any] = [:]
        for number in 0..<size {
            // Short strings stand in the table, long ones in memory of their own; so do values.
            let key = number % 2 == 0 ? "\(number)" : "a key that is longer than a word, number \(number)"
            dictionary[key] = number % 3 == 0 ? number : ["a", number] as [Any]
        }
        #expect(inPlace(dictionary).count == size && agrees(dictionary))
        for number in stride(from: 0, to: size, by: 4) { dictionary["\(number)"] = nil }
        #expect(agrees(dictionary))
        dictionary.reserveCapacity(4 * size + 100)
        #expect(agrees(dictionary))
        dictionary.removeAll(keepingCapacity: true)
        #expect(inPlace(dictionary).isEmpty)
    }

    @Test func dictionariesMadeInOtherWays() {
        #expect(inPlace([:]).isEmpty)
        let bridged = NSDictionary(dictionary: ["a": 1, "b": "x"]) as? [String: Any] ?? [:]
        #expect(bridged.count == 2 && agrees(bridged))
        let numbers = ["a": 1, "b": 2]
        #expect(agrees(numbers as [String: Any]))
        #expect(agrees(numbers.mapValues { $0 as Any }))
        #expect(agrees(Dictionary(grouping: ["x", "yy"], by: { $0 }).mapValues { $0 as Any }))
    }

    @Test func aBlockMayThrow() {
        var calls = 0
        #expect(throws: CocoaError.self) {
            try DictionaryTable.forEach(["a": 1, "b": 2]) { _, _ in
                calls += 1
                throw CocoaError(.userCancelled)
            }
        }
        expect(calls, equals: 1)
    }
}
