// Histories that Apple's framework wrote: read as plain SQLite reads them, and continued.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct AppleHistoryTests {
    static let stores = AppleStore.all.filter(AppleStore.keepsHistory)

    @Test(arguments: stores, [false, true])
    func everyTransactionAndChangeIsRead(name: String, isTracking: Bool) throws {
        let store = try AppleStore(name)
        let plain = try PlainDatabase(store.url)
        let transactions = try plain.records("SELECT * FROM ATRANSACTION ORDER BY Z_PK")
        let changes = try plain.records("SELECT * FROM ACHANGE ORDER BY ZTRANSACTIONID, Z_PK")
        let names = Dictionary(
            uniqueKeysWithValues: try plain.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY").map {
                ($0[0].integer ?? 0, $0[1].text ?? "")
            })
        let strings = Dictionary(
            uniqueKeysWithValues: try plain.rows("SELECT Z_PK, ZNAME FROM ATRANSACTIONSTRING").map {
                ($0[0].integer ?? 0, $0[1].text ?? "")
            })
        try #require(!changes.isEmpty)

        let opened = try OpenStore(
            store.url, store.model, options: [NSPersistentHistoryTrackingKey: isTracking])
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let answer = try #require(try opened.context.execute(request) as? NSPersistentHistoryResult)
        let read = try #require(answer.result as? [NSPersistentHistoryTransaction])
        try #require(read.count == transactions.count)
        for (read, record) in zip(read, transactions) {
            expect(read.transactionNumber, equals: record["Z_PK"]?.integer)
            expect(read.timestamp.timeIntervalSinceReferenceDate, equals: record["ZTIMESTAMP"]?.number)
            func text(_ column: String) -> String? { record[column]?.integer.flatMap { strings[$0] } }
            #expect(read.author == text("ZAUTHORTS") && read.contextName == text("ZCONTEXTNAMETS"))
            #expect(read.bundleID == text("ZBUNDLEIDTS") && read.processID == text("ZPROCESSIDTS"))
            expect(read.storeID, equals: opened.store.identifier)
        }
        let found = read.flatMap { $0.changes ?? [] }
        expect(found.map(\.changeID), equals: changes.compactMap { $0["Z_PK"]?.integer })
        expect(
            found.map { Int64($0.changeType.rawValue) },
            equals: changes.compactMap { $0["ZCHANGETYPE"]?.integer })
        let keys = changes.map {
            InspectedKey(entity: names[$0["ZENTITY"]?.integer ?? 0] ?? "", key: $0["ZENTITYPK"]?.integer ?? 0)
        }
        expect(found.map { InspectedKey($0.changedObjectID) }, equals: keys)
    }

    @Test(arguments: stores)
    func aSaveContinuesTheHistory(name: String) throws {
        let store = try AppleStore(name)
        let before = try PlainDatabase(store.url).contents()
        let opened = try OpenStore(store.url, store.model, options: HistoryFixture.tracking)
        #expect(!opened.store.isReadOnly)
        let feedback = try opened.context.all("Feedback", sort: "bookID")
        let page = try #require(try opened.context.all("Page").first)
        let books = try opened.context.all("Book")
        let (first, last) = (try #require(feedback.first), try #require(feedback.last))
        try #require(first != last && books.count > 1)
        first.setValue("changed", forKey: "comment")
        opened.context.delete(last)
        let old = try #require(page.value(forKey: "book") as? NSManagedObject)
        let new = try #require(books.first { $0 != old })
        page.setValue(new, forKey: "book")
        let added = opened.context.make(
            "Feedback", ["comment": "new", "rating": 3.5, "authorAlias": "a", "bookID": UUID()])
        opened.context.transactionAuthor = "tests"
        try #require(opened.save() == [])
        let token = try #require(opened.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let answer = try #require(try opened.context.execute(request) as? NSPersistentHistoryResult)
        let written = try #require((answer.result as? [NSPersistentHistoryTransaction])?.last)
        #expect(written.transactionNumber == 2 && written.author == "tests" && written.token == token)
        func changed(_ type: NSPersistentHistoryChangeType) -> [NSManagedObjectID: Set<String>] {
            let changes = (written.changes ?? []).filter { $0.changeType == type }
            return Dictionary(
                uniqueKeysWithValues: changes.map {
                    ($0.changedObjectID, Set(($0.updatedProperties ?? []).map(\.name)))
                })
        }
        expect(changed(.insert), equals: [added.objectID: []])
        expect(changed(.delete), equals: [last.objectID: []])
        expect(
            changed(.update),
            equals: [
                first.objectID: ["comment"], page.objectID: ["book"],
                old.objectID: ["pages", "pagesCount"], new.objectID: ["pages", "pagesCount"],
            ])
        let found = try opened.coordinator.verify(opened.store)
        expect(found, equals: [])
        try opened.close()

        let inspector = try store.inspector()
        try expect(inspector.violations(), equals: [])
        try expect(inspector.database.rows("PRAGMA integrity_check"), equals: [[.text("ok")]])
        let after = try PlainDatabase(store.url).contents()
        for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
            for (key, row) in before[table] ?? [:] { expect(after[table]?[key], equals: row) }
            let number = ["ACHANGE": 16001, "ATRANSACTION": 16002][table] ?? 16003
            let highest = after[table]?.keys.max()
            expect(after["Z_PRIMARYKEY"]?[Int64(number)]?["Z_MAX"]?.integer, equals: highest)
        }
    }
}
