import CoreDataStores
import CoreDataTestSupport
import Testing

@Suite struct StoreFetchTests {
    @Test func keysOfOneEntityAreSorted() {
        var keys = StoreKeys(primaryKeys: [3, 1, 2], entity: 4)
        keys.sort()
        expect(keys.primaryKeys, equals: [1, 2, 3])
        #expect(keys.entities == nil && keys.entity == 4)
    }

    @Test func sortedKeysKeepTheirEntities() {
        var keys = StoreKeys(primaryKeys: [9, 2, 5, 1], entities: [7, 8, 7, 9], entity: 7)
        keys.sort()
        expect(keys.primaryKeys, equals: [1, 2, 5, 9])
        expect(keys.entities, equals: [9, 8, 7, 7])
    }

    @Test func keysInOrderStayAsTheyAre() {
        for list in [[], [5], [1, 2, 9]] as [ContiguousArray<Int64>] {
            var keys = StoreKeys(
                primaryKeys: list, entities: ContiguousArray(list.map { Int32($0) + 1 }), entity: 0)
            keys.sort()
            expect(keys.primaryKeys, equals: list)
            expect(keys.entities, equals: ContiguousArray(list.map { Int32($0) + 1 }))
        }
    }
}
