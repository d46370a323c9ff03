import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct GridSearchTests {
    private func club() async throws -> Club {
        let club = try Club()
        try await club.fill()
        try await club.write { context in
            let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            for person in people {
                let name = person.value(forKey: "name") as? String ?? ""
                person.setValue(name == "Bob" ? "Likes ADA and red wine" : "Plays chess", forKey: "bio")
                person.setValue(name == "Cleo" ? "#ADA000FF" : nil, forKey: "color")
            }
        }
        return club
    }

    @Test func `Each word is in one of the entity's texts, whatever its case`() async throws {
        let browser = try await club().browser()
        try await expect(
            browser.names(["search": "ada"]), equals: ["Ada", "Bob"], "colours aren't searched")
        try await expect(browser.names(["search": "ada  WINE"]), equals: ["Bob"])
        try await expect(browser.names(["search": "bob chess"]), equals: [])
        try await expect(browser.names(["search": "\"red wine\""]), equals: ["Bob"])
        try await expect(browser.names(["search": "\"wine red\""]), equals: [])
        try await expect(browser.names(["search": "  "]).count, equals: 4)
        try await expect(browser.names(["search": "ada", "filters": ["age": "> 30"]]), equals: ["Ada"])
    }

    @Test func `Columns that are chosen are searched, related titles among them`() async throws {
        let browser = try await club().browser()
        try await expect(browser.names(["search": "ada", "searched": ["bio"]]), equals: ["Bob"])
        try await expect(browser.names(["search": "ada", "searched": ["color"]]), equals: ["Cleo"])
        try await expect(
            browser.names(["search": "red", "searched": ["team"]]), equals: ["Ada", "Bob", "Cleo"])
        for column in ["age", "unknown", "photo"] {
            let query: [String: Any] = ["entity": "Person", "search": "x", "searched": [column]]
            try await expect(browser.send("data/rows", ["query": query]).status, equals: 400)
        }
        let many: [String: Any] = ["entity": "Person", "search": "a b c d e f g h i j k"]
        try await expect(browser.send("data/rows", ["query": many]).status, equals: 422)
        let page = try await browser.json("data/entities/Person")
        let columns = page["searchable"] as? [[String: Any]] ?? []
        let standard = columns.filter { $0["isStandard"] as? Bool == true }.compactMap {
            $0["key"] as? String
        }
        expect(standard, equals: ["name", "bio", "rank"])
        expect(columns.last?["key"] as? String, equals: "team")
    }

    @Test func `A search is copied as a predicate like any other filter`() async throws {
        let browser = try await club().browser()
        let query: [String: Any] = ["entity": "Note", "search": "\"bob\" two"]
        let text = try await browser.json("data/query/text", ["query": query, "form": "predicate"])["text"]
        expect(
            text as? String,
            equals: ##"NSPredicate(format: #"text CONTAINS[cd] "bob" AND text CONTAINS[cd] "two""#)"##)
    }

    @Test func `Titles of objects that may not be seen aren't searched`() async throws {
        var options = StudioOptions()
        options.authorise = { $0.entity != "Team" }
        let browser = try await club().browser(options)
        let query: [String: Any] = ["entity": "Person", "search": "red", "searched": ["team"]]
        try await expect(browser.send("data/rows", ["query": query]).status, equals: 403)
    }
}
