// The results of history requests, and their deletions.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSPersistentHistoryChangeRequestTests {
    /// Three transactions by alternating authors.
    private func fixture() throws -> HistoryFixture {
        let fixture = try HistoryFixture()
        for (number, author) in ["a", "b", "a"].enumerated() {
            try fixture.saveNote("n\(number)", by: author)
        }
        return fixture
    }

    @Test func eachResultTypeHasItsForm() throws {
        let fixture = try fixture()
        func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            request.resultType = type
            return try fixture.result(request)
        }
        try expect(result(.statusOnly) as? Bool, equals: true)
        try expect(result(.count) as? Int, equals: 3)
        let ids = try #require(try result(.objectIDs) as? [NSManagedObjectID])
        expect(ids.map { $0.uriRepresentation().lastPathComponent }, equals: ["p1", "p2", "p3"])
        let changes = try #require(try result(.changesOnly) as? [NSPersistentHistoryChange])
        #expect(changes.map(\.changedObjectID) == ids && changes.map(\.changeID) == [1, 2, 3])
        expect(changes.map { $0.transaction?.transactionNumber }, equals: [1, 2, 3])
        let bare = try #require(try result(.transactionsOnly) as? [NSPersistentHistoryTransaction])
        #expect(bare.map(\.author) == ["a", "b", "a"] && bare.allSatisfy { $0.changes == nil })
        let whole = try #require(try result(.transactionsAndChanges) as? [NSPersistentHistoryTransaction])
        expect(whole.map { $0.changes?.map(\.changedObjectID) }, equals: ids.map { [$0] })
        #expect(whole[0].changes?.first?.transaction === whole[0])
    }

    @Test func fetchesBeginAfterATimeATokenOrATransaction() throws {
        let fixture = try fixture()
        let all = try fixture.transactions()
        try expect(fixture.transactions(.fetchHistory(after: all[1])).map(\.transactionNumber), equals: [3])
        try expect(
            fixture.transactions(.fetchHistory(after: all[0].token)).map(\.transactionNumber), equals: [2, 3])
        try expect(
            fixture.transactions(.fetchHistory(after: all[0].timestamp)).map(\.transactionNumber),
            equals: [
                2, 3,
            ])
        #expect(try fixture.transactions(.fetchHistory(after: Date.distantFuture)).isEmpty)
        let none: NSPersistentHistoryTransaction? = nil
        try expect(fixture.transactions(.fetchHistory(after: none)).count, equals: 3)
    }

    @Test func limitOffsetAndOrderCount() throws {
        let fixture = try fixture()
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        (fetch.fetchLimit, fetch.fetchOffset) = (1, 1)
        try expect(fixture.transactions(request).map(\.transactionNumber), equals: [2])
        fetch.sortDescriptors = [
            NSSortDescriptor(key: "author", ascending: false),
            NSSortDescriptor(key: "timestamp", ascending: false),
        ]
        try expect(fixture.transactions(request).map(\.transactionNumber), equals: [3])
        (fetch.fetchLimit, fetch.fetchOffset) = (0, 0)
        try expect(fixture.transactions(request).map(\.transactionNumber), equals: [2, 3, 1])
    }

    /// A long history is read piece by piece: a token, and a limit.
    @Test func tokenAndLimitMakeBatches() throws {
        let fixture = try fixture()
        var seen: [Int64] = []
        var token: NSPersistentHistoryToken?
        while true {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
            request.fetchRequest?.fetchLimit = 2
            let batch = try fixture.transactions(request)
            if batch.isEmpty { break }
            #expect(batch.count <= 2)
            seen += batch.map(\.transactionNumber)
            token = batch.last?.token
        }
        expect(seen, equals: [1, 2, 3])
    }

    @Test func changesOfOneTransactionCanBeReadInPieces() throws {
        let fixture = try HistoryFixture()
        try fixture.context.run { () throws in
            for number in 0..<10 { _ = fixture.context.make("Note", ["text": "\(number)"]) }
            try fixture.context.save()
        }
        var seen: [Int64] = []
        for offset in stride(from: 0, to: 12, by: 4) {
            let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
            (fetch.fetchLimit, fetch.fetchOffset) = (4, offset)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            request.resultType = .changesOnly
            seen += try #require(try fixture.result(request) as? [NSPersistentHistoryChange]).map(\.changeID)
            request.resultType = .count
            try expect(fixture.result(request) as? Int, equals: min(4, 10 - offset))
        }
        expect(seen, equals: Array(1...10))
    }

    @Test func unknownKeysAndEntitiesAreErrors() throws {
        let fixture = try fixture()
        #expect(throws: NSError.self) { try fixture.transactions("nothing == 1") }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            withFetch: NSFetchRequest<any NSFetchRequestResult>(entityName: "Note"))
        let error = #expect(throws: NSError.self) { try fixture.result(request) }
        expect((error?.userInfo["reason"] as? String)?.contains("Note"), equals: true)
    }

    @Test func deletingSaysHowMany() throws {
        let fixture = try fixture()
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: try fixture.transactions()[2])
        request.resultType = .count
        try expect(fixture.result(request) as? Int, equals: 2)
        try expect(fixture.plain().rows("SELECT ZTRANSACTIONID FROM ACHANGE"), equals: [[.integer(3)]])
        let nothing: NSPersistentHistoryToken? = nil
        try expect(fixture.result(.deleteHistory(before: nothing)) as? Bool, equals: true)
        try expect(fixture.transactions().count, equals: 1)
    }

    @Test func numbersGoOnAfterADeletion() throws {
        let fixture = try fixture()
        let token = try fixture.token()
        _ = try fixture.result(.deleteHistory(before: Date.distantFuture))
        try expect(fixture.token(), equals: token)
        #expect(try fixture.transactions(.fetchHistory(after: token)).isEmpty)
        try fixture.saveNote("again")
        try expect(fixture.transactions(.fetchHistory(after: token)).map(\.transactionNumber), equals: [4])
    }

    @Test func aTokenWhoseTransactionsAreGoneHasExpired() throws {
        let fixture = try fixture()
        let all = try fixture.transactions()
        _ = try fixture.result(.deleteHistory(before: all[2]))
        try expect(
            fixture.transactions(.fetchHistory(after: all[1].token)).map(\.transactionNumber), equals: [3])
        let error = #expect(throws: NSError.self) {
            try fixture.transactions(.fetchHistory(after: all[0].token))
        }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentHistoryTokenExpiredError)
    }

    @Test func severalStoresMakeOneHistory() throws {
        let fixture = try HistoryFixture()
        let second = try fixture.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: fixture.folder.file("Second.sqlite"),
            options: HistoryFixture.tracking)
        try fixture.context.run { () throws in
            for number in 0..<4 {
                let note = fixture.context.make("Note", ["text": "\(number)"])
                fixture.context.assign(note, to: number % 2 == 0 ? fixture.store : second)
                try fixture.context.save()
            }
        }
        let all = try fixture.transactions()
        let stores: [String] = [fixture.store.identifier, second.identifier]
        let token = try fixture.token()
        expect(all.map(\.storeID), equals: [stores[0], stores[1], stores[0], stores[1]])
        try expect(fixture.transactions(.fetchHistory(after: all[1])).map(\.storeID), equals: stores)
        expect(all[3].token, equals: token)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.affectedStores = [second]
        try expect(fixture.transactions(request).map(\.transactionNumber), equals: [1, 2])
        #expect(
            fixture.coordinator.currentPersistentHistoryToken(fromStores: [second]) != token)
    }

    @Test func aStoreInMemoryHasNoHistory() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        let error = #expect(throws: NSError.self) {
            try stack.context.run { () throws in
                _ = try stack.context.execute(
                    NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
            }
        }
        expect(error?.code, equals: NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test func theCoordinatorExecutesRequestsToo() throws {
        let fixture = try fixture()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.resultType = .count
        let answer = try fixture.coordinator.execute(request, with: fixture.context)
        expect((answer as? NSPersistentHistoryResult)?.result as? Int, equals: 3)
        expect((answer as? NSPersistentHistoryResult)?.resultType, equals: .count)
    }

    @Test func aCopySaysTheSame() throws {
        let fixture = try fixture()
        let token = try fixture.token()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .count
        let copy = try #require(request.copy(with: nil) as? NSPersistentHistoryChangeRequest)
        #expect(copy.resultType == .count && copy.token == token && copy.requestType == .fetchRequestType)
        try expect(fixture.result(copy) as? Int, equals: 0)
        try expect(fixture.transactions(NSPersistentHistoryChangeRequest()).count, equals: 3)
        let all = try fixture.transactions()
        #expect(all[0].copy(with: nil) as? NSPersistentHistoryTransaction === all[0])
        let change = try #require(all[0].changes?.first)
        #expect(change.copy(with: nil) as? NSPersistentHistoryChange === change)
    }

    @Test func theEntitiesNameWhatPredicatesCan() throws {
        let fixture = try HistoryFixture()
        let transaction = try #require(NSPersistentHistoryTransaction.entityDescription)
        let change = try #require(NSPersistentHistoryChange.entityDescription)
        #expect(transaction.attributesByName.keys.contains("transactionNumber"))
        #expect(change.attributesByName.keys.contains("changedObjectID"))
        #expect(NSPersistentHistoryTransaction.entityDescription(with: fixture.context) === transaction)
        #expect(NSPersistentHistoryChange.entityDescription(with: fixture.context) === change)
        #expect(NSPersistentHistoryChange.fetchRequest?.entity === change)
    }

    @Test func childContextsSaveUnderTheRootsAuthor() throws {
        let fixture = try HistoryFixture()
        fixture.context.transactionAuthor = "root"
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = fixture.context
        child.transactionAuthor = "child"
        try child.run { () throws in
            _ = child.make("Note", ["text": "a"])
            try child.save()
        }
        #expect(try fixture.transactions().isEmpty)
        try fixture.context.run { () throws in try fixture.context.save() }
        try expect(fixture.transactions().map(\.author), equals: ["root"])
    }
}
