import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct GroupedRowsTests {
    private func club() async throws -> Club {
        let club = try Club()
        try await club.fill()
        try await club.write { context in
            let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            // Seconds since 2001: 2001-01-01, 2001-01-31 23:59:59, 2001-02-01; one person has none.
            let dates = ["Ada": 0.0, "Bob": 2_678_399, "Cleo": 2_678_400]
            for person in people {
                let name = person.value(forKey: "name") as? String ?? ""
                person.setValue(dates[name].map(Date.init(timeIntervalSinceReferenceDate:)), forKey: "born")
                person.setValue(["Ada": "b", "Bob": "b", "Cleo": "a"][name], forKey: "rank")
                person.setValue(dates[name].map { $0 < 2_000_000 ? 10.5 : 2 }, forKey: "score")
            }
        }
        return club
    }

    /// The values of a column: `label × count → filter`.
    private func facet(
        _ browser: Browser, _ column: String, _ fields: [String: Any] = [:], within: String? = nil
    )
        async throws -> [String]
    {
        let query = ["entity": "Person"].merging(fields) { $1 }
        var body: [String: Any] = ["query": query, "column": column]
        if let within { body["within"] = within }
        let answer = try await browser.json("data/facet", body)
        expect(answer["isCut"] as? Bool, equals: false)
        return (answer["values"] as? [[String: Any]] ?? []).map { value in
            let link = value["label"] as? [String: Any]
            let label =
                link?["title"] as? String ?? (value["label"] as? String)
                ?? "\(value["label"] as? Bool ?? false)"
            let isNull = value["label"] is NSNull
            return
                "\(isNull ? "nil" : label) × \(value["count"] ?? 0) → \(value["filter"] as? String ?? "none")"
        }
    }

    @Test func `Values come with counts, and with the filter that finds them`() async throws {
        let browser = try await club().browser()
        try await expect(
            facet(browser, "isActive"), equals: ["true × 2 → yes", "false × 1 → no", "nil × 1 → nil"])
        try await expect(
            facet(browser, "rank"),
            equals: [
                "First × 1 → =First", "Second × 2 → =Second", "nil × 1 → nil",
            ])
        let team = try await facet(browser, "team")
        expect(team, equals: ["Red × 3 → @Team/1", "nil × 1 → nil"])
        try await expect(
            facet(browser, "name"),
            equals: [
                "Ada × 1 → =Ada", "Bob × 1 → =Bob", "Cleo × 1 → =Cleo", "Dan × 1 → =Dan",
            ])
        for (column, filter) in [
            ("isActive", "no"), ("rank", "=First"), ("team", "@Team/1"), ("name", "=Dan"),
        ] {
            let rows = try await browser.rows(["entity": "Person", "filters": [column: filter]])
            expect(rows.count, equals: (column == "team" ? 3 : 1), "\(column)")
        }
    }

    @Test func `Counts heed the other filters, not the column's own`() async throws {
        let browser = try await club().browser()
        let filters = ["isActive": "yes", "rank": "=Second"]
        try await expect(
            facet(browser, "isActive", ["filters": filters]),
            equals: [
                "true × 1 → yes", "false × 1 → no",
            ])
        try await expect(
            facet(browser, "rank", ["predicate": "age > 40"]),
            equals: [
                "First × 1 → =First", "nil × 1 → nil",
            ])
    }

    @Test func `Dates have years, months and days`() async throws {
        let browser = try await club().browser()
        try await expect(facet(browser, "born"), equals: ["2001 × 3 → 2001", "nil × 1 → nil"])
        try await expect(
            facet(browser, "born", within: "2001"),
            equals: [
                "2001-01 × 2 → 2001-01", "2001-02 × 1 → 2001-02",
            ])
        try await expect(
            facet(browser, "born", within: "2001-01"),
            equals: [
                "2001-01-01 × 1 → 2001-01-01", "2001-01-31 × 1 → 2001-01-31",
            ])
        let days: [String: Any] = ["query": ["entity": "Person"], "column": "born", "within": "2001-01-01"]
        try await expect(browser.send("data/facet", days).status, equals: 400)
    }

    @Test func `Columns of many values and of other kinds aren't listed`() async throws {
        let club = try await club()
        try await club.write { context in
            for number in 1...60 {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                    .setValue("note \(number)", forKey: "text")
            }
        }
        let browser = try await club.browser()
        let many = try await browser.json("data/facet", ["query": ["entity": "Note"], "column": "text"])
        expect(many["isCut"] as? Bool, equals: true)
        expect((many["values"] as? [Any])?.isEmpty, equals: true)
        for column in ["photo", "tags", "uid", "notes", "unknown"] {
            let body: [String: Any] = ["query": ["entity": "Person"], "column": column]
            try await expect(browser.send("data/facet", body).status, equals: 400, "\(column)")
        }
    }

    /// The figures of a chart: `label: number`.
    private func chart(
        _ browser: Browser, _ column: String, _ function: String, _ key: String?, unit: String = "month"
    )
        async throws -> [String]
    {
        var measure: [String: Any] = ["function": function]
        if let key { measure["key"] = key }
        let answer = try await browser.json(
            "data/chart",
            ["query": ["entity": "Person"], "column": column, "unit": unit, "measure": measure])
        return (answer["rows"] as? [[String: Any]] ?? []).map { row in
            let link = row["label"] as? [String: Any]
            let label = link?["title"] as? String ?? row["label"] as? String ?? "nil"
            let number = row["number"] as? Double
            return "\(label): \(number.map { "\($0)" } ?? "\(row["count"] ?? 0) rows")"
        }
    }

    @Test func `A chart measures the rows of each group`() async throws {
        let browser = try await club().browser()
        try await expect(
            chart(browser, "rank", "count", nil),
            equals: [
                "First: 1 rows", "Second: 2 rows", "nil: 1 rows",
            ])
        try await expect(
            chart(browser, "rank", "sum", "age"), equals: ["First: 50.0", "Second: 56.0", "nil: 61.0"])
        try await expect(
            chart(browser, "rank", "average", "age"),
            equals: [
                "First: 50.0", "Second: 28.0", "nil: 61.0",
            ])
        try await expect(chart(browser, "team", "max", "age"), equals: ["Red: 50.0", "nil: 61.0"])
        try await expect(
            chart(browser, "born", "average", "score", unit: "year"),
            equals: [
                "2001: 4.833333333333333", "nil: 0 rows",
            ])
        try await expect(
            chart(browser, "born", "min", "age"), equals: ["2001-01: 20.0", "2001-02: 50.0", "nil: 61.0"])
        try await expect(
            chart(browser, "born", "count", nil, unit: "day"),
            equals: [
                "2001-01-01: 1 rows", "2001-01-31: 1 rows", "2001-02-01: 1 rows", "nil: 1 rows",
            ])
        for (function, key) in [("sum", nil), ("sum", "name"), ("median", "age")] as [(String, String?)] {
            var measure: [String: Any] = ["function": function]
            if let key { measure["key"] = key }
            let body: [String: Any] = [
                "query": ["entity": "Person"], "column": "rank", "measure": measure,
            ]
            try await expect(browser.send("data/chart", body).status, equals: 400)
        }
    }

    @Test func `Nothing is told of objects that may not be seen`() async throws {
        var options = StudioOptions()
        options.authorise = { $0.entity != "Team" && $0.entity != "Coach" }
        let browser = try await club().browser(options)
        let body: [String: Any] = ["query": ["entity": "Person"], "column": "team"]
        try await expect(browser.send("data/facet", body).status, equals: 403)
        try await expect(facet(browser, "name").count, equals: 3, "coaches are left out")
    }
}
