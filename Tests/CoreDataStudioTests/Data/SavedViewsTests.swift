import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct SavedViewsTests {
    private func options(_ file: URL) -> StudioOptions {
        var options = StudioOptions()
        options.viewsFile = file
        return options
    }

    private func view(_ name: String, _ fields: [String: Any] = [:]) -> [String: Any] {
        ["name": name, "query": ["entity": "Person"].merging(fields) { $1 }]
    }

    private func names(_ answer: [String: Any]) -> [String] {
        (answer["views"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    @Test func `A view is kept by name with columns, filters and order`() async throws {
        let club = try Club()
        let file = club.folder.file("Club.studio-views.json")
        let browser = try await club.browser(options(file))
        let none = try await browser.json("data/views/Person")
        expect(names(none), equals: [])
        expect(none["place"] as? String, equals: file.path)
        expect(none["canSave"] as? Bool, equals: true)
        let adults: [String: Any] = [
            "columns": ["name", "age"], "filters": ["age": "> 18"], "sort": "-age", "search": "a",
        ]
        _ = try await browser.json("data/views", view("Old", ["sort": "name"]))
        _ = try await browser.json("data/views", view("Adults"))
        let answer = try await browser.json("data/views", view("Adults", adults))
        expect(names(answer), equals: ["Adults", "Old"], "a name stands once")
        // Another studio, later.
        let later = try await club.browser(options(file)).json("data/views/Person")
        let query = try #require((later["views"] as? [[String: Any]])?.first?["query"] as? [String: Any])
        expect(query["columns"] as? [String], equals: ["name", "age"])
        expect(query["filters"] as? [String: String], equals: ["age": "> 18"])
        expect(query["sort"] as? String, equals: "-age")
        try await expect(browser.json("data/views/Note")["views"] as? [String], equals: [])
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.hasSuffix("}\n") && text.contains("\"name\" : \"Adults\""))
        let left = try await browser.json("data/views/remove", ["entity": "Person", "name": "Adults"])
        expect(names(left), equals: ["Old"])
    }

    @Test func `Views stand beside the model unless the options name a file`() async throws {
        let club = try Club()
        var options = StudioOptions()
        options.modelFile = club.folder.file("Club.xcdatamodeld")
        let place = try await club.browser(options).json("data/views/Person")["place"] as? String
        expect(place, equals: club.folder.file("Club.studio-views.json").path)
        let without = try await club.browser()
        try await expect(without.json("data/views/Person")["canSave"] as? Bool, equals: false)
        try await expect(without.send("data/views", view("Any")).status, equals: 422)
    }

    @Test func `What can't be kept is refused, and the file stays`() async throws {
        let club = try Club()
        let file = club.folder.file("views.json")
        let browser = try await club.browser(options(file))
        for wrong in [
            view(" "), view(String(repeating: "x", count: 101)), view("A", ["columns": ["unknown"]]),
            view("A", ["predicate": "age >"]), view("A", ["filters": ["age": "many"]]),
        ] {
            #expect([400, 422].contains(try await browser.send("data/views", wrong).status))
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try Data("not ours".utf8).write(to: file)
        try await expect(browser.send("data/views", view("A")).status, equals: 422)
        await expect(browser.get("data/views/Person").status, equals: 422)
        try expect(Data(contentsOf: file), equals: Data("not ours".utf8))
        let nowhere = try await club.browser(options(club.folder.file("missing/views.json")))
        let refused = try await nowhere.send("data/views", view("A"))
        expect(refused.status, equals: 422)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("missing"))
    }

    @Test func `A read-only studio and who may not save only choose among them`() async throws {
        let club = try Club()
        let file = club.folder.file("views.json")
        _ = try await club.browser(options(file)).json("data/views", view("Mine"))
        var readOnly = options(file)
        readOnly.isReadOnly = true
        var denied = options(file)
        denied.authorise = { $0.action != .saveViews }
        for options in [readOnly, denied] {
            let browser = try await club.browser(options)
            let answer = try await browser.json("data/views/Person")
            expect(names(answer), equals: ["Mine"])
            expect(answer["canSave"] as? Bool, equals: false)
            try await expect(browser.send("data/views", view("Other")).status, equals: 403)
            let name = ["entity": "Person", "name": "Mine"]
            try await expect(browser.send("data/views/remove", name).status, equals: 403)
        }
    }
}
