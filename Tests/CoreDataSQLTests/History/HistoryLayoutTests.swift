// The forms of the history tables, and how an update's properties become bits.

import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

struct HistoryLayoutTests {
    private func catalog(_ tables: [String: [String]]) -> StoreCatalog {
        StoreCatalog(
            tables: tables.mapValues { $0.map { StoreCatalog.Column(name: $0, type: "INTEGER") } })
    }

    private static let change = [
        "Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID",
    ]
    private static let old = [
        "Z_PK", "Z_ENT", "Z_OPT", "ZTIMESTAMP", "ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID",
    ]

    private var oldForm: HistoryLayout? {
        HistoryLayout(catalog(["ATRANSACTION": Self.old, "ACHANGE": Self.change + ["ZCOLUMNS"]]))
    }

    private var newForm: HistoryLayout? {
        HistoryLayout(
            catalog([
                "ATRANSACTION": Self.old + ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"],
                "ACHANGE": Self.change + ["ZCOLUMNS", "ZTOMBSTONE0", "ZTOMBSTONE1"],
                "ATRANSACTIONSTRING": ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"],
            ]))
    }

    @Test func aStoreWithoutTheTablesKeepsNoHistory() {
        #expect(HistoryLayout(catalog(["ZPERSON": ["Z_PK"]])) == nil)
        #expect(HistoryLayout(catalog(["ATRANSACTION": Self.old])) == nil)
        #expect(HistoryLayout(catalog(["ATRANSACTION": ["Z_PK"], "ACHANGE": Self.change])) == nil)
    }

    @Test func theOldFormHasItsTextsInTheTransaction() throws {
        let layout = try #require(oldForm)
        let row = HistoryTransactionRow(number: 3, timestamp: 1.5, texts: [.author: "me", .processID: "p"])
        let statement = layout.insertion(row, strings: [:])
        expect(
            statement.text,
            equals:
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHOR, ZPROCESSID) VALUES (?, ?, ?, ?, ?)"
        )
        expect(
            statement.bindings, equals: [.integer(3), .integer(16002), .double(1.5), .text("me"), .text("p")])
        #expect(!layout.transactions(after: nil, since: nil).text.contains("ATRANSACTIONSTRING"))
    }

    @Test func theNewFormRefersToItsTexts() throws {
        let layout = try #require(newForm)
        expect(layout.tombstoneCount, equals: 2)
        let row = HistoryTransactionRow(number: 3, timestamp: 1, texts: [.author: "me"])
        let statement = layout.insertion(row, strings: [.author: 9])
        #expect(statement.text.contains("ZAUTHORTS") && !statement.text.contains("ZAUTHOR,"))
        expect(statement.bindings, equals: [.integer(3), .integer(16002), .double(1), .integer(9)])
    }

    @Test func aChangeHasAColumnForEachTombstone() throws {
        let layout = try #require(newForm)
        let change = HistoryChangeRow(kind: .delete, entity: 4, primaryKey: 7, tombstones: [.text("gone")])
        expect(
            layout.bindings(change, key: 5, transaction: 2),
            equals: [
                .integer(5), .integer(16001), .integer(2), .integer(4), .integer(7), .integer(2), .null,
                .text("gone"), .null,
            ])
        expect(layout.changeInsertion(count: 1).count(where: { $0 == "?" }), equals: 9)
        #expect(
            layout.changeInsertion(count: 2).hasSuffix(
                "(?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?)"))
        #expect(
            layout.change([.integer(1), .integer(8), .integer(1), .integer(1), .null, .null, .null]) == nil)
    }

    @Test(arguments: [
        ([0], 3, [0x80]), ([2], 3, [0x20]), ([0, 8], 9, [0x80, 0x80]), ([], 8, [0]), ([9], 9, [0, 0]),
    ])
    func theFirstPropertyIsTheHighestBit(positions: [Int], count: Int, bytes: [UInt8]) {
        let data = HistoryBitmap.data(positions, count: count)
        expect(Array(data), equals: bytes)
        expect(HistoryBitmap.positions(data), equals: positions.filter { $0 < count })
    }

    @Test func onlyWhatIsMissingIsAdded() throws {
        let fresh = HistoryLayout.additions(to: StoreCatalog(), tombstones: 1).map(\.text)
        expect(fresh.count(where: { $0.hasPrefix("CREATE TABLE") }), equals: 3)
        #expect(fresh.contains { $0.hasSuffix("ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB )") })
        let old = catalog(["ATRANSACTION": Self.old, "ACHANGE": Self.change + ["ZTOMBSTONE0"]])
        let added = HistoryLayout.additions(to: old, tombstones: 2)
        expect(added.first?.text, equals: "ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE1 BLOB")
        #expect(added.count == 3 && !added.contains { $0.bindings.contains(.text("TRANSACTIONSTRING")) })
    }
}
