import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct GridFilterTests {
    @Test(arguments: [
        ("name", "d", ["Ada", "Dan"]), ("name", "=Ada", ["Ada"]), ("name", "!=Ada", ["Bob", "Cleo", "Dan"]),
        ("age", "36", ["Ada"]), ("age", "> 36", ["Cleo", "Dan"]), ("age", "20..36", ["Ada", "Bob"]),
        ("age", "nil", []), ("team", "red", ["Ada", "Bob", "Cleo"]), ("team", "nil", ["Dan"]),
        ("isActive", "yes", ["Ada", "Cleo"]), ("born", "2024-05", []),
        ("born", "nil", ["Ada", "Bob", "Cleo", "Dan"]),
    ])
    func `Columns are filtered by what a person types`(key: String, text: String, found: [String])
        async throws
    {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        try await expect(
            browser.names(["entity": "Person", "filters": [key: text]]).sorted(), equals: found)
    }

    @Test func `Dates are compared with whole days, months and years`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        for (name, date) in [
            ("Ada", "2023-12-31T23:59:59Z"), ("Bob", "2024-05-01T10:00:00Z"),
            ("Cleo", "2025-01-01T00:00:00Z"),
        ] { _ = try await browser.set(browser.id("Person", name), "born", date) }
        _ = try await browser.json("data/save", [:])
        for (text, found) in [
            ("> 2024", ["Cleo"]), (">=2024", ["Bob", "Cleo"]), ("< 2024", ["Ada"]),
            ("<= 2024-05-01", ["Ada", "Bob"]),
            ("> 2024-05-01", ["Cleo"]), ("=2024-05", ["Bob"]), ("!=2024", ["Ada", "Cleo", "Dan"]),
            ("> 2024-05-01T10:00:00Z", ["Cleo"]), ("=2024-05-01T10:00:00Z", ["Bob"]),
        ] {
            try await expect(
                browser.names(["entity": "Person", "filters": ["born": text]]).sorted(), equals: found,
                "\(text)")
        }
    }

    @Test func `A filter that makes no sense says so`() async throws {
        let club = try Club()
        let browser = try await club.browser()
        for (key, text) in [("age", "old"), ("photo", "x"), ("age", "1..x"), ("uid", "1")] {
            let query: [String: Any] = ["entity": "Person", "filters": [key: text]]
            try await expect(
                browser.send("data/rows", ["query": query]).status, equals: 422, "\(key) \(text)")
        }
    }
}
