// Plain SQL on a store's file: it reads, and only reads.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct NSPersistentStoreCoordinatorSQLToolsTests {
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.copy(ofStore: SharedFiles.url("stores/DuckDuckGo/Bookmarks_V3.sqlite"))
    }

    @Test func columnsComeOnceThenEveryRow() throws {
        var columns: [[String]] = []
        var rows: [[SQLValue]] = []
        try NSPersistentStoreCoordinator.readSQL(
            "SELECT Z_PK, ZTITLE AS title, ZURL, ZMODIFIEDAT, x'0102' FROM ZBOOKMARKENTITY WHERE Z_PK IN (2, 3);",
            inStoreAt: store, columns: { columns.append($0) }, row: { rows.append($0) })
        expect(columns, equals: [["Z_PK", "title", "ZURL", "ZMODIFIEDAT", "x'0102'"]])
        expect(rows.map { $0[0] }, equals: [.integer(2), .integer(3)])
        expect(rows.map { $0[1] }, equals: [.text("32"), .text("bookmarks_root")])
        expect(rows.map { $0[2] }, equals: [.text("32"), .null])
        expect(rows.map { $0[3] }, equals: [.double(722_787_770.189342), .null])
        expect(rows.map { $0[4] }, equals: [.blob(Data([1, 2])), .blob(Data([1, 2]))])
    }

    @Test(
        arguments: [
            ("DELETE FROM ZBOOKMARKENTITY", "doesn't only read"),
            ("SELECT 1; SELECT 2", "more than one statement"),
            ("DELETE FROM ZBOOKMARKENTITY RETURNING Z_PK", "doesn't only read"),
            ("ATTACH 'other.sqlite' AS other", "doesn't only read"), ("SELEC 1", "syntax error"),
            ("VACUUM INTO 'other.sqlite'", "doesn't only read"),
            ("SELECT a FROM nowhere", "no such table"),
        ])
    func whatDoesMoreIsRefused(sql: String, reason: String) throws {
        let before = try Data(contentsOf: store)
        let error = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.readSQL(sql, inStoreAt: store) { _ in }
        }
        expect(error?.domain, equals: NSCocoaErrorDomain)
        let stated = try #require(error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String)
        #expect(stated.contains(reason))
        try expect(Data(contentsOf: store), equals: before)
    }

    @Test func whatAClosureThrowsEndsTheReading() throws {
        struct Enough: Error {}
        var rows = 0
        #expect(throws: Enough.self) {
            try NSPersistentStoreCoordinator.readSQL(
                "SELECT Z_PK FROM ZBOOKMARKENTITY", inStoreAt: store
            ) { _ in
                rows += 1
                if rows == 2 { throw Enough() }
            }
        }
        expect(rows, equals: 2)
    }
}
