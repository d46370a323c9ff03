import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct DataSavingTests {
    @Test func `Unsaved changes show labels of choices and what archives hold`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        _ = try await browser.set(ada, "rank", "b")
        _ = try await browser.set(ada, "tags", #"["x", {"size": 3}]"#)
        let objects = try #require(try await browser.json("data/unsaved")["objects"] as? [[String: Any]])
        let changes = try #require(objects.first?["changes"] as? [[String: Any]])
        func after(_ key: String) -> Any? { changes.first { $0["key"] as? String == key }?["after"] }
        expect(after("rank") as? String, equals: "Second")
        let tags = try #require(after("tags") as? [String: Any])
        expect(tags["$"] as? String, equals: "tree")
        expect(tags["text"] as? String, equals: #"["x", {"size": 3}]"#)
    }

    @Test func `A decimal says what the file will keep of it`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        let long = try await browser.set(ada, "salary", "12345678901234567890.123456789")
        try expect(
            browser.field(long, "salary")["note"] as? String,
            equals: "The file holds about 16 digits: it will keep 12345678901234567000.")
        let short = try await browser.set(ada, "salary", "1234.5678")
        #expect(try browser.field(short, "salary")["note"] is NSNull)
        let digits = String(repeating: "1", count: 39)
        try await expect(
            browser.send("data/objects/\(ada)", ["key": "salary", "value": digits]).status, equals: 422)
    }

    @Test func `Deleting says first what goes, what changes and what stands in the way`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        let preview = try await browser.json("data/deletions/preview", ["ids": [ada]])
        func count(_ key: String) -> Int? { (preview[key] as? [String: Any])?["count"] as? Int }
        expect(
            [count("asked"), count("cascaded"), count("nullified"), count("denied")], equals: [1, 3, 1, 0])
        try await expect(browser.json("data/unsaved")["count"] as? Int, equals: 0)
        _ = try await browser.json("data/deletions", ["ids": [ada]])
        try expect(club.sql("SELECT COUNT(*) FROM ZNOTE"), equals: [["9"]])
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        try expect(club.sql("SELECT COUNT(*) FROM ZNOTE"), equals: [["6"]])
        let red = try await browser.id("Team", "Red")
        let denied = try await browser.json("data/deletions/preview", ["ids": [red]])
        expect((denied["denied"] as? [String: Any])?["count"] as? Int, equals: 1)
        try await expect(browser.send("data/deletions", ["ids": [red]]).status, equals: 409)
    }

    @Test(arguments: [true, false])
    func `A conflict shows both values and saves the chosen one`(takesTheirs: Bool) async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        _ = try await browser.set(ada, "age", 40)
        _ = try await browser.set(ada, "rank", "a")
        try await Self.writeElsewhere(club.url, "Ada", ["age": 41, "bio": "theirs"])
        let outcome = try await browser.json("data/save", [:])
        expect(outcome["outcome"] as? String, equals: "conflicts")
        let conflict = try #require((outcome["conflicts"] as? [[String: Any]])?.first)
        let property = try #require((conflict["properties"] as? [[String: Any]])?.first)
        expect(property["key"] as? String, equals: "age")
        expect(property["mine"] as? Int, equals: 40)
        expect(property["theirs"] as? Int, equals: 41)
        expect(property["before"] as? Int, equals: 36)
        let resolved = try await browser.json(
            "data/resolution", ["theirs": [ada: takesTheirs ? ["age"] : []]])
        expect(resolved["outcome"] as? String, equals: "saved")
        let row = try club.sql("SELECT ZAGE, ZRANK, ZBIO FROM ZPERSON WHERE ZNAME = 'Ada'")
        expect(row, equals: [[takesTheirs ? "41" : "40", "a", "theirs"]])
    }

    @Test(arguments: [true, false])
    func `An object that others deleted is let go or made anew`(isLetGo: Bool) async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let bob = try await browser.id("Person", "Bob")
        _ = try await browser.set(bob, "age", 21)
        let other = try Club.open(club.url)
        let context = other.newBackgroundContext()
        try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "name == 'Bob'")
            try context.fetch(request).forEach(context.delete)
            try context.save()
        }
        let outcome = try await browser.json("data/save", [:])
        let conflict = try #require((outcome["conflicts"] as? [[String: Any]])?.first)
        expect(conflict["isDeleted"] as? Bool, equals: true)
        let resolved = try await browser.json("data/resolution", ["theirs": [bob: isLetGo ? ["*"] : []]])
        expect(resolved["outcome"] as? String, equals: "saved")
        let rows = try club.sql("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Bob'")
        expect(rows, equals: (isLetGo ? [] : [["21"]]))
    }

    private static func writeElsewhere(_ url: URL, _ name: String, _ values: [String: any Sendable])
        async throws
    {
        let other = try Club.open(url)
        let context = other.newBackgroundContext()
        context.transactionAuthor = "elsewhere"
        try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "name == %@", name)
            let object = try #require(try context.fetch(request).first)
            for (key, value) in values { object.setValue(value, forKey: key) }
            try context.save()
        }
    }

    @Test func `What is taken already is said with its property`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        _ = try await browser.json("data/objects", ["entity": "Team", "values": ["name": "Red"]])
        let outcome = try await browser.json("data/save", [:])
        expect(outcome["outcome"] as? String, equals: "invalid")
        let problem = try #require((outcome["problems"] as? [[String: Any]])?.first)
        expect(problem["key"] as? String, equals: "name")
        expect((problem["message"] as? String)?.contains("“Red” is taken"), equals: true)
    }

    @Test func `The SQL of a save is shown without saving`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        _ = try await browser.set(ada, "age", 40)
        _ = try await browser.json("data/objects", ["entity": "Team", "values": ["name": "Green"]])
        let keys = try club.sql("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1")
        let rehearsal = try await browser.json("data/rehearsal", [:])
        let statements =
            (rehearsal["statements"] as? [[String: Any]])?.compactMap { $0["sql"] as? String } ?? []
        #expect(
            statements.contains { $0.hasPrefix("INSERT INTO \"ZTEAM\"") || $0.hasPrefix("INSERT INTO ZTEAM") }
        )
        #expect(statements.contains { $0.hasPrefix("UPDATE \"ZPERSON\"") || $0.hasPrefix("UPDATE ZPERSON") })
        try expect(club.sql("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1"), equals: keys)
        try expect(club.sql("SELECT COUNT(*) FROM ZTEAM"), equals: [["2"]])
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        try expect(club.sql("SELECT ZNAME FROM ZTEAM ORDER BY Z_PK"), equals: [["Red"], ["Blue"], ["Green"]])
        try expect(club.sql("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ada'"), equals: [["40"]])
    }

    @Test func `A save by somebody else is told of, and seen`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        _ = try await browser.json("data/objects/\(ada)")
        let feed = try #require(try await browser.json("data/changes?wait=0")["feed"] as? [String: Any])
        let version = try #require(feed["version"] as? Int)
        try await Self.writeElsewhere(club.url, "Ada", ["age": 77])
        var told = feed
        for _ in 0..<5 where told["store"] as? Int == feed["store"] as? Int {
            told = try #require(
                try await browser.json("data/changes?since=\(version)&wait=5")["feed"] as? [String: Any])
        }
        #expect(told["store"] as? Int != feed["store"] as? Int)
        try expect(
            browser.field(try await browser.json("data/objects/\(ada)"), "age")["value"] as? Int, equals: 77)
        let history = try await browser.json("data/history")
        let latest = try #require((history["transactions"] as? [[String: Any]])?.first)
        expect(latest["author"] as? String, equals: "elsewhere")
        let change = (latest["changes"] as? [[String: Any]])?.first
        expect(change?["title"] as? String, equals: "Ada")
        expect(change?["properties"] as? [String], equals: ["Age"])
    }

    @Test func `The statements of the last action are kept with their plans`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        _ = try await browser.rows(["entity": "Person", "predicate": "age > 30"])
        let response = await browser.get("data/statements")
        let actions = try #require(try JSONSerialization.jsonObject(with: response.body) as? [[String: Any]])
        let action = try #require(actions.first)
        expect(action["title"] as? String, equals: "Show Person")
        let statements = try #require(action["statements"] as? [[String: Any]])
        let place = try #require(statements.firstIndex { ($0["sql"] as? String)?.contains("ZAGE") == true })
        expect((statements[place]["bindings"] as? [String])?.contains("30"), equals: true)
        let number = try #require(action["number"] as? Int)
        let plan = try await browser.send("data/statements/plan", ["action": number, "statement": place])
        #expect(String(decoding: plan.body, as: UTF8.self).contains("t0"))
        try await expect(
            browser.send("data/statements/plan", ["action": 999, "statement": 0]).status, equals: 404)
    }
}
