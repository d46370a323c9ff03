import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreDataStudio

/// A studio with three users, one of each role.
struct SharedClub {
    static let (reader, editor, designer) = (
        StudioUser(name: "bob", role: .read), StudioUser(name: "ann", role: .edit),
        StudioUser(name: "Zoë", role: .model)
    )

    let club: Club
    let studio: Studio
    let model: URL

    init() async throws {
        club = try Club()
        try await club.fill()
        model = club.folder.url.appendingPathComponent("Club.xcdatamodeld")
        _ = try club.container.managedObjectModel.writeSource(to: model)
        var options = StudioOptions()
        options.users = [Self.reader, Self.editor, Self.designer]
        options.modelFile = model
        options.offersMigration = true
        studio = Studio(container: club.container, options: options)
    }

    func browser(_ user: StudioUser) async throws -> Browser { try await Browser(studio, user: user) }

    /// The model's file as it is on disk.
    func modelText() throws -> String {
        try String(
            contentsOf: model.appendingPathComponent("Club.xcdatamodel/contents"), encoding: .utf8)
    }
}

extension Browser {
    /// Trades a user's link for a session, as the entrance's script does.
    fileprivate init(_ studio: Studio, user: StudioUser) async throws {
        let link = studio.makeLink(host: "localhost:1", for: user)
        let entered = await Self.enter(
            studio, try #require(link.split(separator: "#token=").last.map(String.init)))
        try await self.init(studio, entered: entered, host: "localhost:1")
    }

    fileprivate static func enter(
        _ studio: Studio, _ token: String, headers: [String: String] = [:]
    ) async -> StudioResponse {
        await studio.respond(
            to: StudioRequest(
                method: "POST", target: "/enter", headers: ["Host": "localhost:1"].merging(headers) { $1 },
                body: Data("{\"token\": \"\(token)\"}".utf8)))
    }
}

struct SharedStudioTests {
    @Test func `A user's link lets one browser in, by its secret in a body only`() async throws {
        let shared = try await SharedClub()
        let link = shared.studio.makeLink(host: "localhost:1", for: SharedClub.editor)
        #expect(link.hasPrefix("http://localhost:1/#token="))
        let token = try #require(link.split(separator: "#token=").last.map(String.init))
        let byAddress = await shared.studio.respond(
            to: StudioRequest(method: "GET", target: "/?token=\(token)", headers: ["Host": "localhost:1"]))
        expect(byAddress.status, equals: 401)
        #expect(byAddress.headers["Set-Cookie"] == nil)
        #expect(String(decoding: byAddress.body, as: UTF8.self).contains("scripts/enter.js"))
        for wrong in ["", "x", String(token.dropLast()) + "z"] {
            await expect(Browser.enter(shared.studio, wrong).status, equals: 401)
        }
        let elsewhere = await Browser.enter(shared.studio, token, headers: ["Origin": "http://evil.example"])
        expect(elsewhere.status, equals: 403)
        let entered = await Browser.enter(shared.studio, token)
        expect(entered.status, equals: 200)
        expect(entered.headers["Set-Cookie"]?.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"), equals: true)
        #expect(!String(decoding: entered.body, as: UTF8.self).contains(token))
        await expect(Browser.enter(shared.studio, token).status, equals: 401)
    }

    @Test func `Without a user nobody comes in, and a person whom the options don't name may do nothing`()
        async throws
    {
        let shared = try await SharedClub()
        let stranger = try await Browser(shared.studio, user: StudioUser(name: "eve", role: .model))
        #expect(try await stranger.json("session")["role"] == nil)
        try await expect(stranger.send("data/rows", ["query": ["entity": "Person"]]).status, equals: 403)
        let unnamed = try await Browser(shared.studio)
        try await expect(unnamed.send("data/objects", ["entity": "Note"]).status, equals: 403)
        await expect(unnamed.get("model").status, equals: 403)
        let script = await shared.studio.respond(
            to: StudioRequest(
                method: "GET", target: "/assets/scripts/app.js", headers: ["Host": "localhost:1"]))
        expect(script.status, equals: 401)
    }

    @Test func `What a user saves has the user as its author`() async throws {
        let shared = try await SharedClub()
        let (ann, zoe) = (
            try await shared.browser(SharedClub.editor), try await shared.browser(SharedClub.designer)
        )
        try await expect(ann.json("session")["role"] as? String, equals: "edit")
        for (browser, name) in [(ann, "Ada"), (zoe, "Bob")] {
            _ = try await browser.set(browser.id("Person", name), "age", 41)
            try await expect(browser.json("data/save", [:])["outcome"] as? String, equals: "saved")
        }
        let bob = try await shared.browser(SharedClub.reader)
        let page = try await bob.json("data/history")
        let transactions = try #require(page["transactions"] as? [[String: Any]])
        expect(transactions.prefix(2).map { $0["author"] as? String }, equals: ["Zoë", "ann"])
    }

    @Test func `What one user leaves unsaved no other sees`() async throws {
        let shared = try await SharedClub()
        let (ann, zoe) = (
            try await shared.browser(SharedClub.editor), try await shared.browser(SharedClub.designer)
        )
        let ada = try await ann.id("Person", "Ada")
        _ = try await ann.set(ada, "age", 99)
        let theirs = try zoe.field(try await zoe.json("data/objects/\(ada)"), "age")
        expect(theirs["value"] as? Int, equals: 36)
        try await expect(zoe.json("data/unsaved")["count"] as? Int, equals: 0)
    }

    @Test func `Pages for who may only look offer no changes`() async throws {
        let shared = try await SharedClub()
        let bob = try await shared.browser(SharedClub.reader)
        try await expect(bob.json("data/entities")["isReadOnly"] as? Bool, equals: true)
        expect((try await bob.json("model")["obstacle"] as? String)?.hasPrefix("You may look"), equals: true)
        let ann = try await shared.browser(SharedClub.editor)
        try await expect(ann.json("data/entities")["isReadOnly"] as? Bool, equals: false)
        #expect(try await ann.json("model")["obstacle"] is String)
        let zoe = try await shared.browser(SharedClub.designer)
        #expect(try await zoe.json("model")["obstacle"] == nil)
    }

    #if Studio
        @Test func `Other machines are served only where people have names`() throws {
            #expect(throws: StudioServer.Failure.self) {
                try StudioServer(Studio(coordinator: nil), host: "192.0.2.1")
            }
            var options = StudioOptions()
            options.users = [SharedClub.reader]
            _ = try StudioServer(Studio(coordinator: nil, options: options), host: "192.0.2.1")
        }
    #endif
}
