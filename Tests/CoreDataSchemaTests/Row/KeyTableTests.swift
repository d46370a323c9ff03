// The table finds what was put into it, whatever its size was before.

import CoreDataTestSupport
import Testing

@testable import CoreDataSchema

@Suite struct KeyTableTests {
    private func address(_ key: Int64) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: Int(abs(key)) * 16)
    }

    private func fill(_ table: inout KeyTable, _ keys: some Sequence<Int64>) {
        for key in keys { table.reserve(key).pointee = address(key) }
    }

    @Test(arguments: [5, 5_000]) func everythingIsFoundUntilAllIsRemoved(_ count: Int64) throws {
        var table = KeyTable()
        fill(&table, (1...count).map { -$0 })
        expect(table.count, equals: Int(count))
        for key in 1...count {
            let found = table.find(-key)
            expect(found, equals: address(key))
        }
        table.removeAll()
        expect(table.count, equals: 0)
        for key in 1...count {
            let found = table.find(-key)
            #expect(found == nil)
        }
        fill(&table, 1...3)
        let found = table.find(3)
        #expect(found == address(3) && table.count == 3)
    }

    @Test func removingAKeyLeavesTheOthers() throws {
        var table = KeyTable()
        fill(&table, 1...100)
        for key in stride(from: Int64(1), through: 100, by: 3) {
            let place = try #require(address(key))
            table.remove(key, address: place)
        }
        for key in Int64(1)...100 {
            let found = table.find(key)
            expect(found, equals: ((key - 1) % 3 == 0 ? nil : address(key)))
        }
    }
}
