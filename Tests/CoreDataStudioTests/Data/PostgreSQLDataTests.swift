// The studio's data pages on a store in a PostgreSQL database.

import CoreData
import CoreDataPostgreSQL
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLDataTests {
    private let schema = "c_" + UUID().uuidString.prefix(8).lowercased()

    private func description() throws -> NSPersistentStoreDescription {
        // The server trusts whoever comes, with a password or without.
        let address = try PostgreSQLServer.shared().address(user: "tester:secretword")
        return NSPersistentStoreDescription(postgreSQL: address, schema: schema)
    }

    private func club() throws -> Club { try Club(description()) }

    @Test func `Rows are counted, filtered, sorted and grouped`() async throws {
        let club = try club()
        try await club.fill()
        let browser = try await club.browser()
        let counts = try await browser.json("data/counts")
        #expect(counts["Person"] as? Int == 4 && counts["Note"] as? Int == 9)
        let rows = try await browser.rows([
            "entity": "Person", "columns": ["name", "age", "team"], "predicate": "age > 30",
            "sort": "-name",
        ])
        expect(rows.count, equals: 3)
        let names = rows.compactMap { ($0["cells"] as? [Any])?.first as? String }
        expect(names, equals: ["Dan", "Cleo", "Ada"])
        try await expect(browser.rows(["entity": "Person", "search": "cle"]).count, equals: 1)
        let overview = try await browser.json("data/entities")
        expect(overview["hasHistory"] as? Bool, equals: false)
    }

    @Test func `Objects are changed, made, deleted and saved`() async throws {
        let club = try club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        let page = try await browser.set(ada, "salary", "12345678901234567890.123456789")
        #expect(try browser.field(page, "salary")["note"] is NSNull)
        _ = try await browser.set(ada, "age", 41)
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        let bob = try await browser.id("Person", "Bob")
        _ = try await browser.json("data/deletions", ["ids": [bob]])
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        let counts = try await browser.json("data/counts")
        #expect(counts["Person"] as? Int == 3 && counts["Note"] as? Int == 6)
        let again = try await browser.rows(["entity": "Person", "predicate": "age == 41"])
        expect(again.count, equals: 1)
    }

    @Test func `A conflict with another program is found`() async throws {
        let club = try club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        _ = try await browser.set(ada, "age", 41)
        let other = try Club.open(description())
        try await other.performBackgroundTask { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "name == 'Ada'")
            try context.fetch(request).first?.setValue(50, forKey: "age")
            try context.save()
        }
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "conflicts")
    }

    /// All that the tools register: their tests run in the same process, and the last one registered counts.
    private static let registration: Void = ServerStores.register(
        ServerStores(
            schemes: ["postgresql", "postgres"],
            describe: { NSPersistentStoreDescription(postgreSQL: $0, schema: $1) },
            keepsHistory: { try PostgreSQLStore.keepsHistory($0) },
            readSQL: { statement, store, isStopped, columns, row in
                try PostgreSQLStore.readSQL(
                    statement, in: store, stoppedWhen: isStopped, columns: columns, row: row)
            }, proposeModel: { try PostgreSQLStore.proposedModel(for: $0) },
            upkeep: ServerStores.Upkeep(
                vacuum: { try PostgreSQLStore.vacuum($0, rewriting: $1) },
                abandoned: { try PostgreSQLStore.abandonedSchemas(of: $0, removing: $1) },
                alone: { try PostgreSQLStore.runAlone(at: $0, body: $1) })))

    @Test func `SQL is run, and given up when it takes too long`() async throws {
        Self.registration
        let club = try club()
        try await club.fill()
        let browser = try await club.browser()
        try await expect(browser.json("data/entities")["canRunSQL"] as? Bool, equals: true)
        let answer = try browser.object(
            await browser.send("data/sql", ["sql": "SELECT name, age, NULL FROM person ORDER BY age LIMIT 1"])
        )
        expect(answer["columns"] as? [String], equals: ["name", "age", "?column?"])
        let row = try #require((answer["rows"] as? [[Any]])?.first)
        #expect(row[0] as? String == "Bob" && row[1] as? Int == 20 && row[2] is NSNull)
        expect((answer["plan"] as? [String])?.first?.hasPrefix("Limit"), equals: true)
        for sql in [
            "UPDATE person SET name = 'x'", "WITH w AS (DELETE FROM person RETURNING 1) SELECT * FROM w",
            "COPY person TO '/tmp/studio-copied'", "SELECT 1; DELETE FROM person", "DO $$ BEGIN END $$", "",
            "SELEC 1",
        ] {
            try await expect(browser.send("data/sql", ["sql": sql]).status, equals: 422, "\(sql)")
        }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/studio-copied"))
        try await expect(browser.json("data/counts")["Person"] as? Int, equals: 4)
        let endless = try await browser.send("data/sql", ["sql": "SELECT pg_sleep(3600)"])
        expect(endless.status, equals: 422)
        #expect(String(decoding: endless.body, as: UTF8.self).contains("5 seconds"))
    }

    @Test func `The history is shown, the latest first`() async throws {
        Self.registration
        let description = try description()
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        let club = try Club(description)
        try await club.fill()
        let browser = try await club.browser()
        try await expect(browser.json("data/entities")["hasHistory"] as? Bool, equals: true)
        let ada = try await browser.id("Person", "Ada")
        _ = try await browser.set(ada, "age", 41)
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        let page = try await browser.json("data/history")
        let transactions = try #require(page["transactions"] as? [[String: Any]])
        #expect(transactions.count >= 2)
        let changes = try #require(transactions.first?["changes"] as? [[String: Any]])
        #expect(changes.count == 1 && changes[0]["kind"] as? String == "updated")
        expect((changes[0]["properties"] as? [String])?.count, equals: 1)
        let numbers = transactions.compactMap { $0["number"] as? Int }
        #expect(numbers == numbers.sorted(by: >) && page["isLast"] as? Bool == true)
    }

    @Test func `A server that can't be asked is told of, not taken for an empty history or a deleted object`()
        async throws
    {
        Self.registration
        let server = try PostgreSQLServer.own()
        let description = NSPersistentStoreDescription(postgreSQL: server.address(), schema: schema)
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        let club = try Club(description)
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        let empty = await browser.get("data/history?before=1")
        expect(empty.status, equals: 200)
        server.stop()
        for path in ["data/history", "data/objects/" + ada] {
            let answer = await browser.get(path)
            expect(answer.status, equals: 500, "\(path)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("server"), "\(path)")
        }
        try server.start()
        try await expect(browser.json("data/objects/" + ada)["id"] as? String, equals: ada)
    }

    @Test func `No page shows the password`() async throws {
        let club = try club()
        try await club.fill()
        let browser = try await club.browser()
        for path in ["session", "data/entities", "data/counts"] {
            let text = String(decoding: await browser.get(path).body, as: UTF8.self)
            #expect(!text.contains("secretword"), "\(path)")
        }
        let sql = try await browser.send("data/sql", ["sql": "SELEC 1"])
        expect(sql.status, equals: 422)
        #expect(!String(decoding: sql.body, as: UTF8.self).contains("secretword"))
    }
}
