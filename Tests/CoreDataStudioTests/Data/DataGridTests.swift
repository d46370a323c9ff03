import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

struct DataGridTests {
    @Test func `Entities come with counts, those of subentities included`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let overview = try await browser.json("data/entities")
        let names = (overview["entities"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        expect(names, equals: ["Coach", "Note", "Person", "Team"])
        expect(overview["hasHistory"] as? Bool, equals: true)
        let counts = try await browser.json("data/counts")
        expect(counts["Person"] as? Int, equals: 4)
        expect(counts["Coach"] as? Int, equals: 1)
        expect(counts["Note"] as? Int, equals: 9)
    }

    @Test func `Choices are filtered by their labels`() async throws {
        let club = try Club()
        try await club.fill()
        try await club.write { context in
            let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            for person in people {
                person.setValue(person.value(forKey: "name") as? String == "Ada" ? "a" : "b", forKey: "rank")
            }
        }
        let browser = try await club.browser()
        try await expect(browser.names(["entity": "Person", "filters": ["rank": "first"]]), equals: ["Ada"])
        try await expect(
            browser.names(["entity": "Person", "filters": ["rank": "!=Second"]]), equals: ["Ada"])
        try await expect(browser.names(["entity": "Person", "filters": ["rank": "=b"]]).count, equals: 3)
    }

    @Test func `Rows say what is wrong with values that were set`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let ada = try await browser.id("Person", "Ada")
        _ = try await browser.set(ada, "age", 200)
        _ = try await browser.json("data/objects", ["entity": "Person"])
        let rows = try await browser.rows(["entity": "Person"])
        let messages = rows.compactMap { $0["messages"] as? [String: String] }
        expect(messages.filter { !$0.isEmpty }, equals: [["age": "Age is too large."]])
    }

    @Test func `A page's next question ends the one before`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let query = ["entity": "Person", "filters": ["name": "a"]] as [String: Any]
        /// The number of one question of the page "p".
        func asked(_ number: Int) -> [String: Any] {
            ["question": ["page": "p", "number": number] as [String: Any], "query": query]
        }
        try await expect(browser.send("data/rows", asked(1)).status, equals: 200)
        try await expect(browser.send("data/count", asked(1)).status, equals: 200)
        try await expect(browser.send("data/rows", asked(3)).status, equals: 200)
        try await expect(browser.send("data/rows", asked(2)).status, equals: 409)
        // A grid that is left ends its own question, not that of the next, however late it says so.
        try await expect(browser.send("data/stop", asked(2)).status, equals: 200)
        try await expect(browser.send("data/count", asked(3)).status, equals: 200)
        try await expect(browser.send("data/stop", asked(3)).status, equals: 200)
        try await expect(browser.send("data/count", asked(3)).status, equals: 409)
        try await expect(browser.send("data/rows", asked(4)).status, equals: 200)
        let turns = ReadTurns()
        func turn(_ page: String, _ number: Int) -> ReadTurns.Turn {
            turns.turn(of: ReadTurns.Question(page: page, number: number))
        }
        let first = turn("p", 1), other = turn("q", 1)
        expect(first.isOver, equals: false)
        #expect(turn("p", 1) === first)
        let second = turn("p", 2)
        expect([first.isOver, second.isOver, other.isOver], equals: [true, false, false])
        turns.end(ReadTurns.Question(page: "p", number: 2))
        #expect(second.isOver && turn("p", 2).isOver)
        let context = club.container.newBackgroundContext()
        let problem = await #expect(throws: StudioProblem.self) {
            try await context.perform { try first.reading(context) { Issue.record("it was read") } }
        }
        expect(problem?.status, equals: 409)
    }

    @Test func `Rows come in pages, in the order of any column`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        try await expect(browser.names(["entity": "Person"]), equals: ["Ada", "Bob", "Cleo", "Dan"])
        try await expect(
            browser.names(["entity": "Person", "sort": "-age"]), equals: ["Dan", "Cleo", "Ada", "Bob"])
        try await expect(
            browser.names(["entity": "Person", "sort": "age"], offset: 1, limit: 2),
            equals: [
                "Ada", "Cleo",
            ])
        try await expect(browser.names(["entity": "Coach"]), equals: ["Dan"])
        let byTeam = try await browser.names(["entity": "Person", "sort": "-team"])
        expect(byTeam.last, equals: "Dan")
        try await expect(
            browser.send("data/rows", ["query": ["entity": "Person", "sort": "photo"]]).status, equals: 400)
        try await expect(browser.send("data/rows", ["query": ["entity": "Nobody"]]).status, equals: 404)
    }

    @Test func `A mistake in a predicate has a place`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        func mistake(_ text: String) async throws -> [String: Any]? {
            try await browser.json("data/predicate/parse", ["entity": "Person", "text": text])["error"]
                as? [String: Any]
        }
        #expect(try await mistake("name == ") != nil)
        try await expect(mistake("age > 1 AND nmae == 'x'")?["position"] as? Int, equals: 12)
        try await expect(mistake("age > 1 AND nmae == 'x'")?["length"] as? Int, equals: 4)
        try await expect(
            mistake("team.nothing == 1")?["message"] as? String, equals: "Team has no property “nothing”.")
        #expect(try await mistake("SUBQUERY(notes, $n, $n.txet == 'a').@count > 0") != nil)
        #expect(try await mistake("SUBQUERY(notes, $n, $n.text == 'a').@count > 0") == nil)
        #expect(try await mistake("notes.@count > 2 AND team.name BEGINSWITH 'R'") == nil)
        let wrong: [String: Any] = ["entity": "Person", "predicate": "nmae == 1"]
        try await expect(browser.send("data/rows", ["query": wrong]).status, equals: 422)
        let deep = String(repeating: "(", count: 5_000) + "1 == 1" + String(repeating: ")", count: 5_000)
        #expect(try await mistake(deep) != nil)
    }

    @Test(arguments: [
        #"name == "Ada""#, #"name BEGINSWITH[cd] "a" AND (age > 30 OR isActive == 1)"#,
        #"NOT team.name == "Red""#,
        #"ANY notes.text CONTAINS "one""#, "age == $limit", "team == nil", "age BETWEEN {1, 40}",
        #"born > CAST(10.000000, "NSDate")"#, "age + 1 < salary * 2", #"SELF.name LIKE "A*""#,
        #"NOT (age == 1 OR age == 2)"#, "SUBQUERY(notes, $n, $n.text != nil).@count > 1", "TRUEPREDICATE",
    ])
    func `The builder and the text say the same`(text: String) async throws {
        let club = try Club()
        let browser = try await club.browser()
        let parsed = try await browser.json("data/predicate/parse", ["entity": "Person", "text": text])
        let form = try #require(parsed["form"] as? [String: Any])
        let printed = try await browser.json("data/predicate/print", ["entity": "Person", "form": form])
        expect(printed["text"] as? String, equals: parsed["text"] as? String)
        let again = try await browser.json(
            "data/predicate/parse", ["entity": "Person", "text": try #require(printed["text"] as? String)])
        #expect(again["form"] as? NSDictionary == form as NSDictionary)
    }

    @Test func `Variables need values, which are constants`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        var query: [String: Any] = ["entity": "Person", "predicate": "age > $limit AND name != $name"]
        try await expect(browser.send("data/rows", ["query": query]).status, equals: 422)
        query["variables"] = ["limit": "30", "name": "\"Dan\""]
        try await expect(browser.names(query), equals: ["Ada", "Cleo"])
        query["variables"] = ["limit": "30 OR TRUEPREDICATE", "name": "\"Dan\""]
        try await expect(browser.send("data/rows", ["query": query]).status, equals: 422)
    }

    @Test(arguments: [
        ("na", "name"), ("", "age"), ("name ", "BEGINSWITH[cd]"), ("name == ", "\"Ada\""),
        ("name == \"B", "\"Bob\""),
        ("age > 3 ", "AND"), ("age > 3 AND te", "team"), ("team.", "team.name"), ("isActive == ", "YES"),
        ("rank == ", "\"a\""), ("age ", ">="),
    ])
    func `What can come next is suggested`(text: String, wanted: String) async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let answer = try await browser.json(
            "data/predicate/complete", ["entity": "Person", "text": text, "cursor": text.count])
        let texts = (answer["items"] as? [[String: Any]])?.compactMap { $0["text"] as? String } ?? []
        #expect(texts.contains(wanted), "\(texts)")
    }

    @Test func `Rows are downloaded as CSV and JSON, as the grid finds them`() async throws {
        let club = try Club()
        try await club.fill()
        try await club.write { context in
            let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
            team.setValue("a \"b\", c\n=1", forKey: "name")
        }
        let browser = try await club.browser()
        let query = #"{"entity":"Team","sort":"-name","columns":["name"]}"#
        let escaped = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let csv = await browser.get("data/export/Team?form=csv&query=\(escaped)")
        expect(
            String(decoding: csv.body, as: UTF8.self),
            equals: "id,name\r\nTeam/3,\"a \"\"b\"\", c\n=1\"\r\nTeam/1,Red\r\nTeam/2,Blue\r\n")
        expect(csv.headers["Content-Disposition"], equals: "attachment; filename=\"Team.csv\"")
        let json = await browser.get("data/export/Team?form=json&query=\(escaped)")
        let rows = try #require(try JSONSerialization.jsonObject(with: json.body) as? [[String: String]])
        expect(rows.map { $0["name"] }, equals: ["a \"b\", c\n=1", "Red", "Blue"])
        await expect(browser.get("data/export/Team?form=xml&query=\(escaped)").status, equals: 400)
    }

    @Test func `Parts of a file fit together whatever is saved meanwhile`() async throws {
        let club = try Club()
        try await club.write { context in
            let rows: [[String: Any]] = (1...10_003).map { ["name": "\($0)"] }
            try context.execute(NSBatchInsertRequest(entityName: "Team", objects: rows))
        }
        let browser = try await club.browser()
        let query = try #require(
            #"{"entity":"Team","columns":["name"]}"#
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let path = "data/export/Team?form=csv&query=\(query)&offset="
        let first = await browser.get(path + "0")
        expect(first.headers["X-Studio-Rows"], equals: "10000")
        let snapshot = try #require(first.headers["X-Studio-Snapshot"])
        try await club.write { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
            request.fetchLimit = 5
            try context.fetch(request).forEach(context.delete)
        }
        let second = await browser.get(path + "10000&snapshot=\(snapshot)")
        #expect(second.headers["X-Studio-Snapshot"] == nil)
        expect(
            String(decoding: second.body, as: UTF8.self),
            equals: "Team/10001,10001\r\nTeam/10002,10002\r\nTeam/10003,10003\r\n")
        // The file was ended; without a snapshot the rows are those of now.
        await expect(browser.get(path + "10000&snapshot=\(snapshot)").status, equals: 409)
        await expect(browser.get(path + "10000").headers["X-Studio-Rows"], equals: "0")
    }

    @Test func `A file becomes unsaved objects, or says which lines are wrong`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await club.browser()
        let csv = "Name,Age,Team,Extra\nEve,30,Red,x\nF,31,Blue,\nGus,old,Blue,\nHal,32,Nowhere,\n"
        let preview = try browser.object(await browser.post("data/import/Person/preview?form=csv", csv))
        expect(preview["count"] as? Int, equals: 4)
        expect(
            preview["mapping"] as? [String: String],
            equals: [
                "Name": "name", "Age": "age", "Team": "team", "Extra": "",
            ])
        let mapping = #"{"Name":"name","Age":"age","Team":"team.name"}"#
        let escaped = try #require(mapping.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let path = "data/import/Person?form=csv&mapping=\(escaped)"
        let refused = try browser.object(await browser.post(path, csv))
        expect(refused["count"] as? Int, equals: 0)
        let lines = (refused["failures"] as? [[String: Any]])?.compactMap { $0["line"] as? Int }
        expect(lines, equals: [3, 4, 5])
        try await expect(browser.json("data/unsaved")["count"] as? Int, equals: 0)
        let taken = try browser.object(await browser.post(path + "&skip=1", csv))
        expect(taken["count"] as? Int, equals: 1)
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        let sql =
            "SELECT p.ZNAME, t.ZNAME FROM ZPERSON p JOIN ZTEAM t ON t.Z_PK = p.ZTEAM WHERE p.ZNAME = 'Eve'"
        try expect(club.sql(sql), equals: [["Eve", "Red"]])
        let broken = await browser.post("data/import/Person/preview?form=csv", "a,b\n1\n")
        expect(broken.status, equals: 422)
        let json = #"[{"name": "Ida", "age": 5, "isActive": true}, {"name": "Jo"}]"#
        let map = #"{"name":"name","age":"age","isActive":"isActive"}"#
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        let made = try browser.object(
            await browser.post("data/import/Person?form=json&mapping=\(try #require(map))", json))
        expect(made["count"] as? Int, equals: 2)
    }

    @Test func `Who may not, can not`() async throws {
        let club = try Club()
        try await club.fill()
        let asked = Mutex<Set<String>>([])
        var options = StudioOptions()
        options.authorise = { access in
            asked.withLock { _ = $0.insert("\(access.action.rawValue) \(access.entity ?? "")") }
            if access.entity == "Note" { return false }
            return access.action == .read || access.action == .update
        }
        let browser = try await club.browser(options)
        let overview = try await browser.json("data/entities")
        let names = (overview["entities"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        expect(names, equals: ["Coach", "Person", "Team"])
        expect(overview["hasHistory"] as? Bool, equals: false)
        let ada = try await browser.id("Person", "Ada")
        await expect(browser.get("data/objects/\(ada)/members/notes").status, equals: 403)
        await expect(browser.get("data/objects/Note/1").status, equals: 403)
        try await expect(browser.send("data/rows", ["query": ["entity": "Note"]]).status, equals: 403)
        let probing: [String: Any] = ["entity": "Person", "predicate": "ANY notes.text BEGINSWITH 'A'"]
        try await expect(browser.send("data/rows", ["query": probing]).status, equals: 422)
        try await expect(browser.send("data/objects", ["entity": "Team"]).status, equals: 403)
        try await expect(browser.send("data/deletions", ["ids": [ada]]).status, equals: 403)
        await expect(browser.get("data/history").status, equals: 403)
        await expect(browser.get("data/statements").status, equals: 403)
        await expect(
            browser.get("data/export/Team?form=csv&query=%7B%22entity%22%3A%22Team%22%7D").status, equals: 403
        )
        await expect(browser.post("data/import/Team/preview?form=csv", "name\nx\n").status, equals: 403)
        _ = try await browser.set(ada, "age", 37)
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        #expect(asked.withLock { $0.contains("insert Team") })
    }

    @Test func `Nothing tells what is in objects that may not be seen`() async throws {
        let club = try Club()
        try await club.fill()
        var options = StudioOptions()
        options.authorise = { access in
            access.entity != "Team" && !(access.entity == "Coach" && access.action == .export)
        }
        let browser = try await club.browser(options)
        func rows(_ fields: [String: Any]) async throws -> Int {
            let query = ["entity": "Person"].merging(fields) { $1 }
            return try await browser.send("data/rows", ["query": query]).status
        }
        try await expect(rows([:]), equals: 200)
        try await expect(rows(["filters": ["team": ""]]), equals: 200)
        try await expect(rows(["filters": ["team": "Blue"]]), equals: 403)
        try await expect(rows(["filters": ["team": "nil"]]), equals: 403)
        try await expect(rows(["sort": "-team"]), equals: 403)
        let ada = try await browser.id("Person", "Ada")
        let copy: [String: Any] = ["entity": "Person", "ids": [ada], "form": "csv"]
        try await expect(
            browser.send("data/rows/text", copy.merging(["columns": ["team.name"]]) { $1 }).status,
            equals: 400)
        func export(_ columns: [String]) async throws -> StudioResponse {
            let query = try JSONSerialization.data(withJSONObject: ["entity": "Person", "columns": columns])
            let text = String(decoding: query, as: UTF8.self)
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            return await browser.get("data/export/Person?form=csv&query=\(try #require(text))")
        }
        try await expect(export(Array(repeating: "name", count: 50) + ["team.name"]).status, equals: 400)
        let file = String(decoding: try await export(["name"]).body, as: UTF8.self)
        #expect(file.contains("Ada"))
        #expect(!file.contains("Dan"), "a coach, whose rows may be read but not exported")
    }

    @Test func `More objects than are done at once are refused, not left out`() async throws {
        let club = try Club()
        let browser = try await club.browser()
        let ids = (1...501).map { "Person/\($0)" }
        try await expect(browser.send("data/deletions", ["ids": ids]).status, equals: 413)
        try await expect(
            browser.send("data/values", ["ids": ids, "key": "age", "value": 1]).status, equals: 413)
    }

    @Test func `A read-only studio changes nothing`() async throws {
        let club = try Club()
        try await club.fill()
        var options = StudioOptions()
        options.isReadOnly = true
        let browser = try await club.browser(options)
        let ada = try await browser.id("Person", "Ada")
        try await expect(browser.send("data/objects/\(ada)", ["key": "age", "value": 1]).status, equals: 403)
        try await expect(browser.send("data/objects", ["entity": "Team"]).status, equals: 403)
        try await expect(browser.send("data/deletions", ["ids": [ada]]).status, equals: 403)
        await expect(browser.post("data/objects/\(ada)/bytes/photo", "x").status, equals: 403)
        try await expect(
            browser.send("data/objects/\(ada)/members", ["key": "notes", "remove": []]).status, equals: 403)
        await expect(
            browser.post("data/import/Team?form=csv&mapping=%7B%7D", "name\nx\n").status, equals: 403)
    }
}
