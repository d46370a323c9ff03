// The studio's data pages on a store in a PostgreSQL database.

import CoreData
import CoreDataPostgreSQL
import CoreDataStudio
import CoreDataTestSupport
import Foundation
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
        #expect(rows.count == 3)
        let names = rows.compactMap { ($0["cells"] as? [Any])?.first as? String }
        #expect(names == ["Dan", "Cleo", "Ada"])
        #expect(try await browser.rows(["entity": "Person", "search": "cle"]).count == 1)
        let overview = try await browser.json("data/entities")
        #expect(overview["hasHistory"] as? Bool == false)
    }

    @Test func `Objects are changed, made, deleted and saved`() async throws {
        let club = try club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        let page = try await browser.set(ada, "salary", "12345678901234567890.123456789")
        #expect(try browser.field(page, "salary")["note"] is NSNull)
        _ = try await browser.set(ada, "age", 41)
        #expect(try await browser.json("data/save", [:])["outcome"] as? String == "saved")
        let bob = try await browser.id("Person", "Bob")
        _ = try await browser.json("data/deletions", ["ids": [bob]])
        #expect(try await browser.json("data/save", [:])["outcome"] as? String == "saved")
        let counts = try await browser.json("data/counts")
        #expect(counts["Person"] as? Int == 3 && counts["Note"] as? Int == 6)
        let again = try await browser.rows(["entity": "Person", "predicate": "age == 41"])
        #expect(again.count == 1)
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
        #expect(try await browser.json("data/save", [:])["outcome"] as? String == "conflicts")
    }

    @Test func `No page shows the password`() async throws {
        let club = try club()
        try await club.fill()
        let browser = try await club.browser()
        for path in ["session", "data/entities", "data/counts"] {
            let text = String(decoding: await browser.get(path).body, as: UTF8.self)
            #expect(!text.contains("secretword"), "\(path)")
        }
        let sql = try await browser.send("data/sql", ["sql": "SELECT 1"])
        #expect(sql.status == 422)
        #expect(!String(decoding: sql.body, as: UTF8.self).contains("secretword"))
    }
}
