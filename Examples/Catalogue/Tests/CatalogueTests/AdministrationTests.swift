import CoreData
import CoreDataStudio
import Testing

@testable import Catalogue

/// Somebody at the administration pages, as the app's server knows them.
private struct Visitor {
    let studio: Studio
    let user: String
    private(set) var headers = ["Host": "localhost"]

    init(_ studio: Studio, _ user: String) async throws {
        (self.studio, self.user) = (studio, user)
        let entered = await send("GET", "/")
        headers["Cookie"] = entered.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
        let session = await send("GET", "/api/session").body
        let answer = try JSONSerialization.jsonObject(with: session) as? [String: Any]
        headers["X-Studio-Proof"] = try #require(answer?["proof"] as? String)
    }

    private func send(_ method: String, _ target: String, _ body: String = "") async -> StudioResponse {
        await studio.respond(
            to: StudioRequest(
                method: method, target: target, headers: headers, body: Data(body.utf8), user: user))
    }

    /// The status and the text of an answer; with JSON it is a change.
    func ask(_ path: String, _ json: String? = nil) async -> (status: Int, text: String) {
        let answer = await send(json == nil ? "GET" : "POST", "/api/data/" + path, json ?? "")
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }
}

/// The administration pages of the catalogue: the program's words are forbidden there as well, makers with products
/// stay, and everybody sees and does what is theirs.
@Suite struct AdministrationTests {
    /// Ann may do everything, Bob sees products and their countries and changes nothing, Eve writes reviews.
    @Sendable private static func mayDo(_ access: StudioAccess) -> Bool {
        switch access.user {
        case "ann": true
        case "bob": access.action == .read && ["Product", "Hammer", "Country"].contains(access.entity)
        case "eve":
            access.action == .read || access.entity == "Review" && [.insert, .update].contains(access.action)
        default: false
        }
    }

    private func withStudio(_ body: (Studio, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "Catalogue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Catalogue.sqlite")
        let container = try Shop(file: file).container
        let context = container.newBackgroundContext()
        try await context.perform { try Shop.fill(context) }
        var options = StudioOptions()
        options.entrance = .server
        options.authorise = Self.mayDo
        try await body(Studio(container: container, options: options), file)
    }

    private func key(_ table: String, _ name: String, _ file: URL) throws -> String {
        let found = try rows("SELECT Z_PK FROM \(table) WHERE ZNAME = '\(name)'", in: file)
        let key = try #require(found.first?.first)
        return try #require(key)
    }

    @Test func theProgramsWordsAreForbiddenHereAsWell() async throws {
        try await withStudio { studio, file in
            let ann = try await Visitor(studio, "ann")
            let nail = "objects/Product/\(try key("ZPRODUCT", "Nail", file))"
            let page = await ann.ask(nail, #"{"key": "details", "value": "A shoddy nail"}"#).text
            #expect(page.contains("“shoddy” is no word for the details of a product."), "\(page)")
            #expect(await ann.ask("save", "{}").text.contains(#""outcome":"invalid""#))
            #expect(try rows("SELECT COUNT(*) FROM ZPRODUCT WHERE ZDETAILS IS NOT NULL", in: file) == [["0"]])
            _ = await ann.ask(nail, #"{"key": "details", "value": "A good nail"}"#)
            #expect(await ann.ask("save", "{}").text.contains(#""outcome":"saved""#))
            let details = try rows("SELECT ZDETAILS FROM ZPRODUCT WHERE ZNAME = 'Nail'", in: file)
            #expect(details == [["A good nail"]])
        }
    }

    @Test func aManufacturerWithProductsStays() async throws {
        try await withStudio { studio, file in
            let ann = try await Visitor(studio, "ann")
            let id = "Manufacturer/\(try key("ZMANUFACTURER", "Manufacturer A", file))"
            let preview = await ann.ask("deletions/preview", #"{"ids": ["\#(id)"]}"#).text
            #expect(!preview.contains(#""denied":{"count":0"#), "\(preview)")
            #expect(await ann.ask("deletions", #"{"ids": ["\#(id)"]}"#).status == 409)
        }
    }

    @Test func everybodySeesAndDoesWhatIsTheirs() async throws {
        try await withStudio { studio, file in
            let bob = try await Visitor(studio, "bob")
            let overview = await bob.ask("entities").text
            #expect(
                overview.contains("Country") && !overview.contains(#""name":"Manufacturer""#), "\(overview)")
            let nail = "objects/Product/\(try key("ZPRODUCT", "Nail", file))"
            let page = await bob.ask(nail)
            #expect(page.status == 200 && !page.text.contains("Manufacturer A"), "\(page)")
            let change = await bob.ask(nail, #"{"key": "name", "value": "Bob's"}"#)
            #expect(change.status == 403 && change.text.contains("You may not change objects of Product."))
            let query =
                #"{"query": {"entity": "Product", "predicate": "manufacturer.name == 'Manufacturer A'"}}"#
            #expect(await bob.ask("rows", query).status == 422)
            for (path, json) in [
                ("rows", #"{"query": {"entity": "Manufacturer"}}"#),
                ("objects", #"{"entity": "Product"}"#),
                ("statements/plan", #"{"action": 1, "statement": 0}"#),
            ] {
                #expect(await bob.ask(path, json).status == 403, "\(path)")
            }
            #expect(await bob.ask("export/Product?query=%7B%22entity%22:%22Product%22%7D").status == 403)
        }
    }

    @Test func aRightIsForAnEntityAndAnAction() async throws {
        try await withStudio { studio, file in
            let eve = try await Visitor(studio, "eve")
            let number = try key("ZPRODUCT", "Nail", file)
            let review =
                #"{"entity": "Review", "values": {"stars": 1, "text": "Bent", "product": "Product/\#(number)"}}"#
            #expect(await eve.ask("objects", review).status == 200)
            #expect(await eve.ask("save", "{}").text.contains(#""outcome":"saved""#))
            let written = try rows("SELECT ZSTARS FROM ZREVIEW WHERE ZPRODUCT = \(number)", in: file)
            #expect(written == [["1"]])
            #expect(
                await eve.ask("objects/Product/\(number)", #"{"key": "price", "value": 0.1}"#).status == 403)
            #expect(await eve.ask("deletions", #"{"ids": ["Review/1"]}"#).status == 403)
            #expect(await eve.ask("history/purge", #"{"before": "2024-01-01"}"#).status == 403)
            let stranger = try await Visitor(studio, "mallory")
            #expect(await stranger.ask("counts").text == "{}")
        }
    }
}
