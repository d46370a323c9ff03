// Places of keys in long lists.

@testable import CoreData
import CoreDataTestSupport
import Testing

@Suite struct KeyPlacesTests {
    @Test func risingKeysAreFound() {
        let places = KeyPlaces([2, 3, 5, 9])
        expect([2, 3, 5, 9].map(places.place), equals: [0, 1, 2, 3])
        expect([1, 4, 10, -2].map(places.place), equals: [nil, nil, nil, nil])
    }

    @Test func keysInNoOrderAreFound() {
        let keys = ContiguousArray((0..<1000).map { Int64($0 * 7919 % 1009) })
        let places = KeyPlaces(keys)
        for (place, key) in keys.enumerated() { expect(places.place(of: key), equals: place) }
        #expect(places.place(of: 1009) == nil && places.place(of: -1) == nil)
    }

    @Test func ofAKeyThatIsThereTwiceTheFirstPlaceCounts() {
        let places = KeyPlaces([7, 3, 7, 3, 1])
        #expect(places.place(of: 7) == 0 && places.place(of: 3) == 1 && places.place(of: 1) == 4)
    }

    @Test func nothingIsInAnEmptyList() { #expect(KeyPlaces([]).place(of: 1) == nil) }
}
