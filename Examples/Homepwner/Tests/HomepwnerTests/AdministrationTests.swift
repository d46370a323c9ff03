import CoreData
import CoreDataStudio
import Testing

@testable import Homepwner

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

/// The administration pages of the inventory, on the store that the program has open.
@MainActor @Suite struct AdministrationTests {
    /// The owner may do everything; the insurer sees items and exports them, but not what kinds there are.
    @Sendable nonisolated private static func mayDo(_ access: StudioAccess) -> Bool {
        switch access.user {
        case "owner": true
        case "insurer": access.entity == "Item" && [.read, .export].contains(access.action)
        default: false
        }
    }

    private func withStudio(_ body: (Studio, Inventory, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Homepwner.sqlite")
        let inventory = try Inventory(file: file)
        try inventory.add("Sofa", worth: 400, type: try inventory.assetType("Furniture"))
        try inventory.save()
        var options = StudioOptions()
        options.entrance = .server
        options.authorise = Self.mayDo
        try await body(Studio(container: inventory.container, options: options), inventory, file)
    }

    @Test func aNewItemKnowsWhenItWasMade() async throws {
        try await withStudio { studio, inventory, file in
            let owner = try await Visitor(studio, "owner")
            let values = #"{"name": "Ring", "valueInDollars": 900}"#
            let made = await owner.ask("objects", #"{"entity": "Item", "values": \#(values)}"#)
            #expect(made.status == 200, "\(made)")
            #expect(await owner.ask("save", "{}").text.contains(#""outcome":"saved""#))
            let query = "SELECT ZVALUEINDOLLARS FROM ZITEM WHERE ZNAME = 'Ring' AND ZDATECREATED > 700000000"
            #expect(try rows(query, in: file) == [["900"]])
            #expect(try inventory.items().compactMap(\.name).sorted() == ["Ring", "Sofa"])
        }
    }

    @Test func aKindIsChosenAndTheProgramSeesIt() async throws {
        try await withStudio { studio, inventory, file in
            let owner = try await Visitor(studio, "owner")
            let found = try rows("SELECT Z_PK FROM ZASSETTYPE WHERE ZLABEL = 'Jewelry'", in: file)
            let first = try #require(found.first?.first)
            let kind = try #require(first)
            let refused = await owner.ask("objects/Item/1", #"{"key": "valueInDollars", "value": -5}"#)
            #expect(refused.text.contains(#""message":"#), "\(refused)")
            #expect(await owner.ask("save", "{}").text.contains(#""outcome":"invalid""#))
            _ = await owner.ask("undo", "{}")
            _ = await owner.ask("objects/Item/1", #"{"key": "assetType", "value": "AssetType/\#(kind)"}"#)
            #expect(await owner.ask("save", "{}").text.contains(#""outcome":"saved""#))
            #expect(try rows("SELECT ZASSETTYPE FROM ZITEM", in: file) == [[kind]])
            inventory.context.refreshAllObjects()
            #expect(try inventory.items().first?.assetType?.label == "Jewelry")
        }
    }

    @Test func theInsurerLooksAndTakesAListAlong() async throws {
        try await withStudio { studio, _, file in
            let insurer = try await Visitor(studio, "insurer")
            let list = await insurer.ask("export/Item?form=csv&query=%7B%22entity%22:%22Item%22%7D")
            #expect(list.status == 200 && list.text.contains("Sofa"), "\(list)")
            #expect(!(await insurer.ask("objects/Item/1").text.contains("Furniture")))
            #expect(await insurer.ask("objects/AssetType/1").status == 403)
            #expect(await insurer.ask("objects/Item/1", #"{"key": "name", "value": "Mine"}"#).status == 403)
            #expect(await insurer.ask("deletions", #"{"ids": ["Item/1"]}"#).status == 403)
            #expect(try rows("SELECT ZNAME FROM ZITEM", in: file) == [["Sofa"]])
        }
    }
}
