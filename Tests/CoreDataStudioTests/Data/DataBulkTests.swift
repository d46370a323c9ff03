import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

/// Changes of several rows, and the history.
struct DataBulkTests {
    @Test func `Rows are in the order of several columns`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        try await expect(browser.names(["sort": "isActive,-age"]), equals: ["Dan", "Bob", "Cleo", "Ada"])
        try await expect(browser.names(["sort": "-isActive, age"]), equals: ["Ada", "Cleo", "Bob", "Dan"])
        let refused = try await browser.send(
            "data/rows", ["query": ["entity": "Person", "sort": "name,notes"]])
        expect(refused.status, equals: 400)
    }

    @Test func `One value goes into several objects, or into none`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        var ids: [String] = []
        for name in ["Ada", "Bob", "Dan"] { ids.append(try await browser.id("Person", name)) }
        let refused = try await browser.send("data/values", ["ids": ids, "key": "licence", "value": "B"])
        expect(refused.status, equals: 404)
        try await expect(browser.json("data/unsaved")["count"] as? Int, equals: 0)
        let answer = try await browser.json("data/values", ["ids": ids, "key": "age", "value": 200])
        expect((answer["problems"] as? [String])?.count, equals: 3)
        let status = try #require(answer["status"] as? [String: Any])
        expect(status["updated"] as? Int, equals: 3)
        expect(status["undo"] as? String, equals: "Change age of 3 objects")
        _ = try await browser.json("data/undo", [:])
        _ = try await browser.json("data/values", ["ids": ids, "key": "age", "value": 40])
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        try expect(club.sql("SELECT COUNT(*) FROM ZPERSON WHERE ZAGE = 40"), equals: [["3"]])
    }

    @Test func `A value for several needs the right to each of them`() async throws {
        let club = try Club()
        try await club.fill()
        var options = StudioOptions()
        options.authorise = { $0.action == .read || $0.entity != "Coach" }
        let browser = try await club.browser(options)
        let ids = [try await browser.id("Person", "Ada"), try await browser.id("Person", "Dan")]
        let answer = try await browser.send("data/values", ["ids": ids, "key": "age", "value": 40])
        expect(answer.status, equals: 403)
        try await expect(browser.json("data/unsaved")["count"] as? Int, equals: 0)
    }

    @Test func `Chosen rows are copied with their unsaved changes`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ids = [try await browser.id("Person", "Bob"), try await browser.id("Person", "Ada")]
        _ = try await browser.set(ids[0], "name", "Bob, \"the\" Builder")
        let wanted: [String: Any] = ["entity": "Person", "ids": ids, "columns": ["name", "age"]]
        let csv = try await browser.json("data/rows/text", wanted.merging(["form": "csv"]) { $1 })
        let lines = try #require(csv["text"] as? String).components(separatedBy: "\r\n")
        expect(lines.first, equals: "id,name,age")
        #expect(lines[1].hasSuffix(#","Bob, ""the"" Builder",20"#))
        let json = try await browser.json("data/rows/text", wanted.merging(["form": "json"]) { $1 })
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data((json["text"] as? String ?? "").utf8))
                as? [[String: Any]])
        expect(rows.map { $0["age"] as? Int }, equals: [20, 36])
        let other = try await browser.send("data/rows/text", wanted.merging(["form": "xml"]) { $1 })
        expect(other.status, equals: 400)
    }

    @Test func `A variable stands for an object`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let team = try await browser.id("Team", "Red")
        let query: [String: Any] = ["predicate": "team == $team AND age > $age"]
        let values = ["team": team, "age": "30"]
        try await expect(
            browser.names(query.merging(["variables": values]) { $1 }), equals: ["Ada", "Cleo"])
        let parsed = try await browser.json(
            "data/predicate/parse", ["entity": "Person", "text": "team == $team AND age > $age"])
        let objects = try #require(parsed["objects"] as? [String: [String: Any]])
        expect(objects.mapValues { $0["destination"] as? String }, equals: ["team": "Team"])
        for wrong in ["Team/99", "team", "Red"] {
            let answer = try await browser.send(
                "data/rows",
                ["query": ["entity": "Person", "predicate": "team == $team", "variables": ["team": wrong]]])
            #expect([404, 422].contains(answer.status))
        }
    }

    @Test func `Key paths of a variable's object are what it holds`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let bob = try await browser.id("Person", "Bob")
        let query: [String: Any] = [
            "entity": "Person", "predicate": "age > $FETCH_SOURCE.age AND SELF != $FETCH_SOURCE",
            "variables": ["FETCH_SOURCE": bob],
        ]
        try await expect(Set(browser.names(query)), equals: ["Ada", "Cleo", "Dan"])
        let sql = try await browser.json("data/query/text", ["query": query, "form": "sql"])
        expect((sql["text"] as? String)?.contains("ZAGE"), equals: true)
        let wrong = query.merging(["predicate": "age > $FETCH_SOURCE.years"]) { $1 }
        let answer = try await browser.send("data/rows", ["query": wrong])
        expect(answer.status, equals: 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Person has no property"))
    }

    @Test func `Lists, ranges and negations have rows in the builder`() async throws {
        let club = try Club()
        let browser = try await club.browser()
        let texts = [
            "age IN {1, 2}", "age BETWEEN {1, 5}", "name IN {\"a\", \"b\"}", "NOT ANY notes.text == \"x\"",
        ]
        for text in texts {
            let parsed = try await browser.json("data/predicate/parse", ["entity": "Person", "text": text])
            let form = try #require(parsed["form"] as? [String: Any])
            expect(form["type"] as? String, equals: "row", "\(text)")
            let printed = try await browser.json(
                "data/predicate/print", ["entity": "Person", "form": form])
            let again = try await browser.json(
                "data/predicate/parse", ["entity": "Person", "text": printed["text"] ?? ""])
            #expect(again["form"] as? NSDictionary == form as NSDictionary, "\(text)")
        }
        let list = try await browser.json(
            "data/predicate/parse", ["entity": "Person", "text": "age IN {1, name}"])
        let right = (list["form"] as? [String: Any])?["right"] as? [String: Any]
        expect(right?["kind"] as? String, equals: "expression")
    }

    // MARK: History

    @Test func `A history is paged and searched from its end`() async throws {
        let club = try Club()
        try await club.fill()
        for number in 0..<120 {
            try await club.write { context in
                context.transactionAuthor = number % 40 == 0 ? "rare" : "often"
                let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
                request.predicate = NSPredicate(
                    format: "name BEGINSWITH %@", number % 3 == 0 ? "Red" : "Blue")
                try context.fetch(request).first?.setValue(
                    "\(number % 3 == 0 ? "Red" : "Blue") \(number)", forKey: "name")
            }
        }
        let browser = try await club.browser()
        var numbers: [Int] = []
        var before = ""
        repeat {
            let page = try await browser.json("data/history" + before)
            numbers += (page["transactions"] as? [[String: Any]] ?? []).compactMap { $0["number"] as? Int }
            before = "?before=\(page["next"] as? Int ?? 0)"
            if page["isLast"] as? Bool == true { break }
        } while numbers.count < 1000
        let stored = try club.sql("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK DESC").compactMap { $0[0] }
        expect(numbers.map(String.init), equals: stored)
        let rare = try await browser.json("data/history?author=rare")
        expect((rare["transactions"] as? [Any])?.count, equals: 3)
        expect(rare["isLast"] as? Bool, equals: true)
        let team = try await browser.id("Team", "Blue 119")
        let ofTeam = try await browser.json("data/history?object=\(team)")
        expect((ofTeam["transactions"] as? [Any])?.count, equals: 50)
    }

    @Test func `A part of the history is deleted by who may`() async throws {
        let club = try Club()
        try await club.fill()
        var options = StudioOptions()
        options.authorise = { $0.action != .purge }
        let other = try await club.browser(options)
        try await expect(other.send("data/history/purge", ["before": "2999-01-01"]).status, equals: 403)
        try await expect(other.json("data/entities")["canPurge"] as? Bool, equals: false)
        let browser = try await club.browser()
        try await expect(browser.send("data/history/purge", ["before": "soon"]).status, equals: 422)
        try await expect(
            browser.json("data/history/purge", ["before": "1999-01-01"])["count"] as? Int, equals: 0)
        let purged = try await browser.json("data/history/purge", ["before": "2999-01-01"])
        #expect((purged["count"] as? Int ?? 0) > 0)
        try expect(club.sql("SELECT COUNT(*) FROM ZPERSON"), equals: [["4"]])
        let rest = try await browser.json("data/history")
        expect(rest["isLast"] as? Bool, equals: true)
    }
}
