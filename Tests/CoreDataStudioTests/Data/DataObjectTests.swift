import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct DataObjectTests {
    @Test func `An edit is validated, saved and read back by SQLite`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        var page = try await browser.set(ada, "age", "200")
        try expect(browser.field(page, "age")["message"] as? String, equals: "Age is too large.")
        expect(page["state"] as? String, equals: "changed")
        var outcome = try await browser.json("data/save", [:])
        expect(outcome["outcome"] as? String, equals: "invalid")
        let problems = try #require(outcome["problems"] as? [[String: Any]])
        expect(problems.map { $0["key"] as? String }, equals: ["age"])
        expect((problems[0]["object"] as? [String: Any])?["title"] as? String, equals: "Ada")
        try expect(club.sql("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ada'"), equals: [["36"]])
        page = try await browser.set(ada, "age", "37")
        #expect(try browser.field(page, "age")["message"] is NSNull)
        outcome = try await browser.json("data/save", [:])
        expect(outcome["outcome"] as? String, equals: "saved")
        try expect(club.sql("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ada'"), equals: [["37"]])
    }

    @Test(arguments: [
        ("score", "1.5" as any Sendable, "ZSCORE", "1.5"), ("salary", "12.34", "ZSALARY", "12.34"),
        ("isActive", false, "ZISACTIVE", "0"), ("born", "2001-01-01T00:00:10Z", "ZBORN", "10"),
        ("site", "https://a.example/b", "ZSITE", "https://a.example/b"), ("rank", "b", "ZRANK", "b"),
        ("color", "#FF000080", "ZCOLOR", "#FF000080"),
        ("total", "9223372036854775807", "ZTOTAL", "9223372036854775807"),
        (
            "bio", "<script>alert(1)</script>\u{202E}\u{5D0}", "ZBIO",
            "<script>alert(1)</script>\u{202E}\u{5D0}"
        ),
    ])
    func `Values of each kind reach the store`(
        key: String, value: any Sendable, column: String, stored: String
    ) async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let bob = try await browser.id("Person", "Bob")
        _ = try await browser.set(bob, key, value)
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        try expect(club.sql("SELECT \(column) FROM ZPERSON WHERE ZNAME = 'Bob'"), equals: [[stored]])
    }

    @Test func `What isn't a value of its type is refused, and no file of the server is read`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let bob = try await browser.id("Person", "Bob")
        let wrong: [(String, Any)] = [
            ("age", "old"), ("age", 70_000), ("score", "nan"), ("isActive", "perhaps"), ("born", "yesterday"),
            ("uid", "1"),
            ("photo", "@/etc/passwd"), ("color", "red"), ("older", "x"), ("name", ["a": 1]),
        ]
        for (key, value) in wrong {
            let response = try await browser.send("data/objects/\(bob)", ["key": key, "value": value])
            expect(
                response.status, equals: 422,
                "\(key) = \(value): \(String(decoding: response.body, as: UTF8.self))"
            )
        }
        try await expect(
            browser.send("data/objects/\(bob)", ["key": "nothing", "value": 1]).status, equals: 404)
        try await expect(browser.json("data/unsaved")["count"] as? Int, equals: 0)
        let tags = try await browser.send("data/objects/\(bob)", ["key": "tags", "value": "@/etc/passwd"])
        expect(tags.status, equals: 422)
    }

    @Test func `Changes are undone and redone one by one, and survive until they are saved`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        _ = try await browser.set(ada, "age", 1)
        _ = try await browser.set(ada, "age", 2)
        try await expect(browser.json("data/undo", [:])["undo"] as? String, equals: "Change age")
        try expect(
            browser.field(try await browser.json("data/objects/\(ada)"), "age")["value"] as? Int, equals: 1)
        _ = try await browser.json("data/redo", [:])
        try expect(
            browser.field(try await browser.json("data/objects/\(ada)"), "age")["value"] as? Int, equals: 2)
        let unsaved = try await browser.json("data/unsaved")
        let changes = (unsaved["objects"] as? [[String: Any]])?.first?["changes"] as? [[String: Any]]
        expect(changes?.first?["before"] as? Int, equals: 36)
        expect(changes?.first?["after"] as? Int, equals: 2)
        _ = try await browser.json("data/discard", [:])
        try expect(
            browser.field(try await browser.json("data/objects/\(ada)"), "age")["value"] as? Int, equals: 36)
    }

    @Test func `A new object keeps its name until it is saved, and is found by it afterwards`() async throws {
        let club = try Club()
        let browser = try await club.browser()
        let page = try await browser.json("data/objects", ["entity": "Person", "values": ["name": "Eve"]])
        let id = try #require(page["id"] as? String)
        #expect(id.hasPrefix("Person/new-"))
        try await expect(browser.rows(["entity": "Person"]).map { $0["state"] as? String }, equals: ["new"])
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        let saved = try await browser.json("data/objects/\(id)")
        expect(saved["id"] as? String, equals: "Person/1")
        try expect(club.sql("SELECT ZNAME FROM ZPERSON"), equals: [["Eve"]])
        let abstract = try await browser.send("data/objects", ["entity": "Nothing"])
        expect(abstract.status, equals: 404)
    }

    @Test func `To-one and ordered to-many relationships are set, extended, shortened and put in order`()
        async throws
    {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        let blue = try await browser.id("Team", "Blue")
        var page = try await browser.set(ada, "team", blue)
        let team = try browser.field(page, "team")["value"] as? [String: Any]
        expect(team?["title"] as? String, equals: "Blue")
        expect(
            (try browser.field(page, "notes")["value"] as? [String: Any])?["$"] as? String, equals: "fault")
        let path = "data/objects/\(ada)/members"
        let before = try await browser.json("\(path)/notes")
        let notes = try #require(before["members"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        expect(notes.count, equals: 3)
        page = try await browser.json(path, ["key": "notes", "move": ["from": 2, "to": 0]])
        // Another window, which shows the order before: it names the member, and moves that one.
        let late: [String: Any] = ["id": notes[0], "from": 0, "to": 2]
        page = try await browser.json(path, ["key": "notes", "move": late])
        let moved = try await browser.json("\(path)/notes")
        expect(
            try #require(moved["members"] as? [[String: Any]]).compactMap { $0["id"] as? String },
            equals: [notes[2], notes[1], notes[0]])
        page = try await browser.json(path, ["key": "notes", "move": ["from": 2, "to": 1]])
        let stranger: [String: Any] = ["id": blue, "from": 0, "to": 1]
        try await expect(browser.send(path, ["key": "notes", "move": stranger]).status, equals: 409)
        let new = try await browser.json("data/objects", ["entity": "Note", "values": ["text": "four"]])
        let added = try #require(new["id"] as? String)
        page = try await browser.json(path, ["key": "notes", "add": [added], "remove": [notes[1]]])
        expect(page["state"] as? String, equals: "changed")
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        let order = try club.sql(
            "SELECT ZTEXT FROM ZNOTE WHERE ZOWNER = (SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Ada') ORDER BY Z_FOK_OWNER"
        )
        expect(order, equals: [["Ada three"], ["Ada one"], ["four"]])
        let wrong = try await browser.send(path, ["key": "notes", "add": [blue]])
        expect(wrong.status, equals: 422)
        try await expect(
            browser.send(path, ["key": "notes", "move": ["from": 0, "to": 99]]).status, equals: 409)
    }

    @Test func `A fetched property is a report`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        let report = try await browser.json("data/objects/\(ada)/report/older")
        let titles = (report["members"] as? [[String: Any]])?.compactMap { $0["title"] as? String }
        expect(Set(titles ?? []), equals: ["Cleo", "Dan"])
    }

    @Test func `Bytes go up and come down as they were, images are shown and nothing else is`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        let html = "<html><script>alert(1)</script></html>"
        let sent = await browser.post("data/objects/\(ada)/bytes/photo", html)
        expect(sent.status, equals: 200)
        let shown = await browser.get("data/objects/\(ada)/bytes/photo?show=1")
        expect(shown.body, equals: Data(html.utf8))
        expect(shown.headers["Content-Type"], equals: "application/octet-stream")
        expect(shown.headers["Content-Disposition"]?.hasPrefix("attachment"), equals: true)
        let page = try await browser.json("data/objects/\(ada)")
        expect(
            (try browser.field(page, "photo")["value"] as? [String: Any])?["bytes"] as? Int,
            equals: html.utf8.count)
    }

    @Test func `A text of a megabyte is cut in grids and fetched whole`() async throws {
        let club = try Club()
        try await club.fill()
        let long = String(repeating: "ä\u{0}", count: 600_000)
        try await club.write { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            try context.fetch(request).forEach { $0.setValue(long, forKey: "bio") }
        }
        let browser = try await club.browser()
        let rows = try await browser.rows(["entity": "Person", "columns": ["name", "bio"]])
        let cell = (rows[0]["cells"] as? [Any])?[1] as? [String: Any]
        expect((cell?["text"] as? String)?.count, equals: 300)
        expect(cell?["length"] as? Int, equals: 1_200_000)
        let ada = try await browser.id("Person", "Ada")
        await expect(browser.get("data/objects/\(ada)/bytes/bio").body, equals: Data(long.utf8))
    }

    @Test func `Members are shown as rows that can be edited`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let red = try await browser.id("Team", "Red")
        let page = try await browser.json("data/objects/\(red)/rows/members?limit=2")
        expect(page["count"] as? Int, equals: 3)
        expect(page["isLast"] as? Bool, equals: false)
        let columns = (page["columns"] as? [[String: Any]] ?? []).compactMap { $0["column"] as? String }
        expect(columns.first, equals: "name")
        #expect(!columns.contains("team"), "the way back")
        let rows = page["rows"] as? [[String: Any]] ?? []
        expect(rows.compactMap { ($0["cells"] as? [Any])?.first as? String }, equals: ["Ada", "Bob"])
        _ = try await browser.set(try #require(rows[0]["id"] as? String), "age", 200)
        let changed = try await browser.json("data/objects/\(red)/rows/members")
        let first = try #require((changed["rows"] as? [[String: Any]])?.first)
        expect(first["messages"] as? [String: String], equals: ["age": "Age is too large."])
        await expect(browser.get("data/objects/\(red)/rows/name").status, equals: 404)
        let ada = try await browser.id("Person", "Ada")
        await expect(browser.get("data/objects/\(ada)/rows/team").status, equals: 400)
        var options = StudioOptions()
        options.authorise = { $0.entity != "Person" }
        let denied = try await club.browser(options)
        await expect(denied.get("data/objects/\(red)/rows/members").status, equals: 403)
    }
}
