import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct SQLPaneTests {
    private func run(_ browser: Browser, _ sql: String) async throws -> StudioResponse {
        try await browser.send("data/sql", ["sql": sql])
    }

    @Test func `A query gives its rows, its plan and how long it took`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let answer = try browser.object(
            await run(browser, "SELECT ZNAME, ZAGE, NULL, 1e999, x'00ff' FROM ZPERSON ORDER BY ZAGE LIMIT 1;")
        )
        expect(answer["columns"] as? [String], equals: ["ZNAME", "ZAGE", "NULL", "1e999", "x'00ff'"])
        let row = try #require((answer["rows"] as? [[Any]])?.first)
        expect(row[0] as? String, equals: "Bob")
        expect(row[1] as? Int, equals: 20)
        #expect(row[2] is NSNull)
        expect((answer["plan"] as? [String])?.first?.hasPrefix("SCAN ZPERSON"), equals: true)
        expect(answer["isCut"] as? Bool, equals: false)
        #expect(answer["milliseconds"] as? Double ?? -1 >= 0)
    }

    @Test func `More rows than are shown are cut`() async throws {
        let club = try Club()
        let browser = try await club.browser()
        let numbers =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i FROM n"
        let answer = try browser.object(await run(browser, numbers))
        expect(answer["isCut"] as? Bool, equals: true)
        expect((answer["rows"] as? [Any])?.count, equals: 500)
    }

    @Test(arguments: [
        "UPDATE ZPERSON SET ZNAME = 'x'", "DELETE FROM ZPERSON", "DROP TABLE ZPERSON",
        "INSERT INTO ZPERSON (ZNAME) VALUES ('x') RETURNING ZNAME", "CREATE TEMP TABLE t (a)",
        "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 5", "PRAGMA table_info(ZPERSON)", "VACUUM",
        "ATTACH '/tmp/studio-attached.sqlite' AS other", "BEGIN IMMEDIATE", "REINDEX",
        "VACUUM INTO '/tmp/studio-attached.sqlite'", "SELECT 1; DELETE FROM ZPERSON", "", "SELEC 1",
        "SELECT load_extension('/tmp/x')", "SELECT randomblob(100000000)",
    ])
    func `Nothing but one query is run`(_ sql: String) async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        try await expect(run(browser, sql).status, equals: 422)
        try expect(club.sql("SELECT COUNT(*), COUNT(DISTINCT ZNAME) FROM ZPERSON"), equals: [["4", "4"]])
        #expect(!FileManager.default.fileExists(atPath: "/tmp/studio-attached.sqlite"))
    }

    @Test func `A query that takes too long is given up, and so is one that the page wants no more`()
        async throws
    {
        let club = try Club()
        let browser = try await club.browser()
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n"
        // On a busy machine the second one may come when the first has had its time.
        var status = 0
        for number in 1...20 where status != 409 {
            async let first = browser.send(
                "data/sql", ["sql": endless, "question": ["page": "s", "number": 2 * number]])
            async let second = browser.send(
                "data/sql", ["sql": "SELECT 1", "question": ["page": "s", "number": 2 * number + 1]])
            try await expect(second.status, equals: 200)
            status = try await first.status
        }
        expect(status, equals: 409)
        let answer = try await run(browser, endless)
        expect(answer.status, equals: 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("longer than 5 seconds"))
    }

    @Test func `Who may not see all entities runs no SQL`() async throws {
        let club = try Club()
        for denied in ["Note", nil] {
            var options = StudioOptions()
            options.authorise = { denied == nil ? $0.action != .runSQL : $0.entity != denied }
            let browser = try await club.browser(options)
            try await expect(run(browser, "SELECT 1").status, equals: 403)
            try await expect(browser.json("data/entities")["canRunSQL"] as? Bool, equals: false)
        }
        try await expect(club.browser().json("data/entities")["canRunSQL"] as? Bool, equals: true)
    }
}
