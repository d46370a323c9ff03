import CoreData
import CoreDataStudio
import Foundation
import Testing

struct GridSearchTests {
    private func names(_ browser: Browser, _ fields: [String: Any]) async throws -> [String] {
        let query = ["entity": "Person", "columns": ["name"]].merging(fields) { $1 }
        return try await browser.rows(query).map { ($0["cells"] as? [Any])?.first as? String ?? "?" }
    }

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
        #expect(try await names(browser, ["search": "ada"]) == ["Ada", "Bob"], "colours aren't searched")
        #expect(try await names(browser, ["search": "ada  WINE"]) == ["Bob"])
        #expect(try await names(browser, ["search": "bob chess"]) == [])
        #expect(try await names(browser, ["search": "\"red wine\""]) == ["Bob"])
        #expect(try await names(browser, ["search": "\"wine red\""]) == [])
        #expect(try await names(browser, ["search": "  "]).count == 4)
        #expect(try await names(browser, ["search": "ada", "filters": ["age": "> 30"]]) == ["Ada"])
    }

    @Test func `Columns that are chosen are searched, related titles among them`() async throws {
        let browser = try await club().browser()
        #expect(try await names(browser, ["search": "ada", "searched": ["bio"]]) == ["Bob"])
        #expect(try await names(browser, ["search": "ada", "searched": ["color"]]) == ["Cleo"])
        #expect(try await names(browser, ["search": "red", "searched": ["team"]]) == ["Ada", "Bob", "Cleo"])
        for column in ["age", "unknown", "photo"] {
            let query: [String: Any] = ["entity": "Person", "search": "x", "searched": [column]]
            #expect(try await browser.send("data/rows", ["query": query]).status == 400)
        }
        let many: [String: Any] = ["entity": "Person", "search": "a b c d e f g h i j k"]
        #expect(try await browser.send("data/rows", ["query": many]).status == 422)
        let page = try await browser.json("data/entities/Person")
        let columns = page["searchable"] as? [[String: Any]] ?? []
        let standard = columns.filter { $0["isStandard"] as? Bool == true }.compactMap {
            $0["key"] as? String
        }
        #expect(standard == ["name", "bio", "rank"])
        #expect(columns.last?["key"] as? String == "team")
    }

    @Test func `A search is copied as a predicate like any other filter`() async throws {
        let browser = try await club().browser()
        let query: [String: Any] = ["entity": "Note", "search": "\"bob\" two"]
        let text = try await browser.json("data/query/text", ["query": query, "form": "predicate"])["text"]
        #expect(
            text as? String
                == ##"NSPredicate(format: #"text CONTAINS[cd] "bob" AND text CONTAINS[cd] "two""#)"##)
    }

    @Test func `Titles of objects that may not be seen aren't searched`() async throws {
        var options = StudioOptions()
        options.authorise = { $0.entity != "Team" }
        let browser = try await club().browser(options)
        let query: [String: Any] = ["entity": "Person", "search": "red", "searched": ["team"]]
        #expect(try await browser.send("data/rows", ["query": query]).status == 403)
    }
}
