import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct ObjectActionTests {
    private struct Refusal: LocalizedError {
        var errorDescription: String? { "Nobody ages here." }
    }

    private func browser(_ club: Club, authorise: (@Sendable (StudioAccess) async -> Bool)? = nil)
        async throws
        -> Browser
    {
        var options = StudioOptions()
        options.authorise = authorise
        options.actions = [
            StudioObjectAction("Add a year", of: "Person", question: "A year for all of them?") { people in
                for person in people {
                    person.setValue((person.value(forKey: "age") as? Int ?? 0) + 1, forKey: "age")
                }
                return "\(people.count) are a year older."
            },
            StudioObjectAction("Fail", of: "Person") { people in
                people[0].setValue(99, forKey: "age")
                throw Refusal()
            },
            StudioObjectAction("Age by 200", of: "Person") { people in
                people[0].setValue(200, forKey: "age")
                return nil
            },
            StudioObjectAction("Train", of: "Coach") { _ in nil },
        ]
        return try await club.browser(options)
    }

    private func act(_ browser: Browser, _ action: String, _ ids: [String]) async throws -> StudioResponse {
        try await browser.send("data/actions", ["entity": "Person", "action": action, "ids": ids])
    }

    private func names(_ page: [String: Any]) -> [String] {
        (page["actions"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    @Test func `An action is offered for its entity and what is below`() async throws {
        let browser = try await browser(Club())
        let all = ["Add a year", "Fail", "Age by 200"]
        expect(names(try await browser.json("data/entities/Person")), equals: all)
        expect(names(try await browser.json("data/entities/Coach")), equals: all + ["Train"])
        #expect(names(try await browser.json("data/entities/Team")).isEmpty)
    }

    @Test func `An action's changes are unsaved, and one step to undo`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await browser(club)
        let ids = [try await browser.id("Person", "Ada"), try await browser.id("Person", "Bob")]
        let answer = try browser.object(await act(browser, "Add a year", ids))
        expect(answer["message"] as? String, equals: "2 are a year older.")
        let status = try #require(answer["status"] as? [String: Any])
        expect(status["updated"] as? Int, equals: 2)
        expect(status["undo"] as? String, equals: "Add a year")
        try expect(club.sql("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ada'"), equals: [["36"]])
        let undone = try await browser.json("data/undo", [:])
        expect(undone["updated"] as? Int, equals: 0)
        _ = try await browser.json("data/redo", [:])
        try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        try expect(
            club.sql("SELECT ZNAME, ZAGE FROM ZPERSON WHERE ZNAME IN ('Ada', 'Bob') ORDER BY ZNAME"),
            equals: [["Ada", "37"], ["Bob", "21"]])
    }

    @Test(arguments: [("Fail", "Nobody ages here."), ("Age by 200", "Age is too large.")])
    func `An action that fails, or breaks a rule, leaves no trace`(action: String, words: String) async throws
    {
        let club = try Club()
        try await club.fill()
        let browser = try await browser(club)
        let answer = try await act(browser, action, [browser.id("Person", "Ada")])
        expect(answer.status, equals: 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(words))
        let unsaved = try await browser.json("data/unsaved")
        expect(unsaved["count"] as? Int, equals: 0)
        #expect((unsaved["status"] as? [String: Any])?["undo"] as? String == nil)
    }

    @Test func `An action is done on objects that are its own and may be changed only`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await browser(club)
        try await expect(act(browser, "Add a year", [browser.id("Team", "Red")]).status, equals: 422)
        try await expect(act(browser, "Train", [browser.id("Person", "Ada")]).status, equals: 404)
        let watched = try await self.browser(club) { $0.entity != "Coach" || $0.action == .read }
        try await expect(act(watched, "Add a year", [watched.id("Coach", "Dan")]).status, equals: 403)
        #expect(names(try await watched.json("data/entities/Coach")).isEmpty)
    }

    @Test func `A choice is one of those that the model lists`() async throws {
        let club = try Club()
        try await club.fill()
        let browser = try await browser(club)
        let ada = try await browser.id("Person", "Ada")
        let refused = try await browser.send("data/objects/\(ada)", ["key": "rank", "value": "z"])
        expect(refused.status, equals: 422)
        #expect(
            String(decoding: refused.body, as: UTF8.self).contains("“Rank” is one of these: First, Second."))
        let page = try await browser.set(ada, "rank", "b")
        try expect(browser.field(page, "rank")["value"] as? String, equals: "b")
        try await expect(
            browser.send("data/objects/\(ada)", ["key": "rank", "value": NSNull()]).status, equals: 200)
    }
}
