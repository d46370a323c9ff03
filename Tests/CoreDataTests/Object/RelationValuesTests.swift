// What an object's relationships lead to, in memory of its own.

import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite struct RelationValuesTests {
    private final class Related {}

    @Test func valuesAreHeldUntilTheyAreReplacedOrTheirOwnerGoes() {
        weak var first: Related?
        weak var second: Related?
        do {
            let values = RelationValues(count: 2)
            expect(values.areEmpty, equals: true)
            values[0] = Related()
            values[1] = Related()
            first = values[0] as? Related
            second = values[1] as? Related
            #expect(first != nil && second != nil)
            expect(values.areEmpty, equals: false)
            values[0] = nil
            #expect(first == nil)
            expect(values.contains { $0 === second }, equals: true)
        }
        #expect(second == nil)
    }

    @Test func allIsACopy() {
        let values = RelationValues(count: 3)
        let related = Related()
        values[2] = related
        let all = values.all
        values[2] = nil
        expect(all.count, equals: 3)
        #expect(all[0] == nil && all[2] === related)
        expect(values.areEmpty, equals: true)
        expect(values.reference(2) == nil, equals: true)
    }

    @Test func anEntityWithoutRelationshipsHasNone() {
        let values = RelationValues(count: 0)
        expect(values.areEmpty, equals: true)
        expect(values.all.isEmpty, equals: true)
    }
}
