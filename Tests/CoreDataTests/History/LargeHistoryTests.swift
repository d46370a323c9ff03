// A long history is read page by page in flat memory. In a process of its own, whose memory nobody else uses.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct LargeHistoryTests {
    /// Returns the memory that the process holds, in megabytes.
    private static func residentMegabytes() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropLast().last.flatMap { Double($0) }) / 1024
    }

    private static func page(_ fixture: HistoryFixture, offset: Int, limit: Int) throws
        -> [NSPersistentHistoryChange]
    {
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        (fetch.fetchOffset, fetch.fetchLimit) = (offset, limit)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = .changesOnly
        return try #require(try fixture.result(request) as? [NSPersistentHistoryChange])
    }

    private static func insert(_ count: Int, _ fixture: HistoryFixture) throws {
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Note") { (row: NSMutableDictionary) -> Bool in
            row["text"] = "note \(number)"
            number += 1
            return number > count
        }
        request.resultType = .count
        try fixture.context.run { () throws in
            let result = try fixture.context.execute(request) as? NSBatchInsertResult
            expect(result?.result as? Int, equals: count)
        }
    }

    @Test func pagesOfAMillionChangesAreReadInFlatMemory() async {
        await #expect(processExitsWith: .success) {
            let count = rounds(20_000, long: 1_000_000)
            let size = count / 50
            let fixture = try HistoryFixture()
            try LargeHistoryTests.insert(10, fixture)
            let start = try LargeHistoryTests.residentMegabytes()
            try LargeHistoryTests.insert(count, fixture)
            try LargeHistoryTests.insert(10, fixture)
            var peak = try LargeHistoryTests.residentMegabytes()
            var (seen, last): (Int, Int64) = (0, 0)
            while true {
                let changes = try LargeHistoryTests.page(fixture, offset: seen, limit: size)
                if changes.isEmpty { break }
                expect(changes.first?.changeID, equals: last + 1)
                last = changes.last?.changeID ?? -1
                seen += changes.count
                expect(last, equals: Int64(seen))
                peak = max(peak, try LargeHistoryTests.residentMegabytes())
            }
            expect(seen, equals: count + 20)
            // An array of a million changes takes several hundred megabytes. The address sanitizer keeps memory that was freed.
            if ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil {
                #expect(peak - start < 96, "grew by \(peak - start) MB")
            }
            let bare = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            bare.resultType = .transactionsOnly
            let all = try fixture.transactions(bare)
            try #require(all.count == 3)
            _ = try fixture.result(.deleteHistory(before: all[2]))
            try expect(fixture.transactions().map(\.transactionNumber), equals: [3])
            try expect(fixture.plain().rows("SELECT COUNT(*) FROM ACHANGE"), equals: [[.integer(10)]])
        }
    }

    /// Pages are those of the whole, whichever transactions they begin and end in, and whatever the model lacks.
    @Test func pagesAreThoseOfTheWhole() throws {
        let fixture = try HistoryFixture()
        for size in [1, 7, 3, 0, 12] where size > 0 { try Self.insert(size, fixture) }
        let whole = try Self.page(fixture, offset: 0, limit: 0).map(\.changeID)
        expect(whole.count, equals: 23)
        for offset in 0...24 {
            for limit in [0, 1, 5, 30] {
                let rest = whole.dropFirst(offset)
                let expected = limit == 0 ? Array(rest) : Array(rest.prefix(limit))
                try expect(Self.page(fixture, offset: offset, limit: limit).map(\.changeID), equals: expected)
            }
        }
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        (fetch.fetchOffset, fetch.fetchLimit) = (6, 5)
        fetch.predicate = NSPredicate(format: "changeID > 3")
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = .changesOnly
        let found = try #require(try fixture.result(request) as? [NSPersistentHistoryChange])
        expect(found.map(\.changeID), equals: [10, 11, 12, 13, 14])
    }
}
