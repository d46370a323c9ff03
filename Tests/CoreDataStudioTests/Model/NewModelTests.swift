// Models that are begun on the start page.

import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct NewModelTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("New.xcdatamodeld")
    }

    private func browser(_ container: NSPersistentContainer? = nil, isReadOnly: Bool = false) async throws
        -> Browser
    {
        var options = StudioOptions()
        options.modelFile = url
        options.isReadOnly = isReadOnly
        return try await Browser(
            Studio(coordinator: container?.persistentStoreCoordinator, options: options))
    }

    @Test
    func aModelIsBegunEmpty() async throws {
        let browser = try await browser()
        try await expect(browser.json("session")["newModel"] as? String, equals: url.path)
        let offer = try await browser.json("model/new")
        expect((offer["samples"] as? [Any])?.count, equals: 3)
        expect(offer["hasStore"] as? Bool, equals: false)
        _ = try await browser.json("model/new", ["from": "empty"])
        #expect(try await browser.json("session")["newModel"] == nil)
        #expect(try NSManagedObjectModel.read(from: url).entities.isEmpty)
        let model = try await browser.json("model")
        #expect(model["obstacle"] == nil)
        try await expect(browser.send("model/new", ["from": "empty"]).status, equals: 409)
    }

    @Test(arguments: ["Library", "Shop", "Journal"])
    func samplesAreSound(name: String) async throws {
        let browser = try await browser()
        _ = try await browser.json("model/new", ["from": "sample", "sample": name])
        let model = try NSManagedObjectModel.read(from: url)
        #expect(model.entities.count >= 2)
        let answer = try await browser.json("model")
        let checks = try #require(answer["checks"] as? [[String: Any]])
        #expect(checks.filter { $0["severity"] as? String != "note" }.isEmpty)
        // As Xcode lays it out: nothing is laid out anew.
        expect(answer["isReformatted"] as? Bool, equals: false)
        let store = folder.file("Store.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: .sqlite, at: store)
    }

    @Test
    func aModelIsBegunFromAStore() async throws {
        let club = try Club()
        let browser = try await browser(club.container)
        _ = try await browser.json("model/new", ["from": "store"])
        let names = try NSManagedObjectModel.read(from: url).entities.compactMap(\.name)
        expect(names.sorted(), equals: ["Coach", "Note", "Person", "Team"])
    }

    @Test
    func aModelIsBegunFromAStoresFile() async throws {
        let club = try Club()
        for store in club.container.persistentStoreCoordinator.persistentStores {
            try club.container.persistentStoreCoordinator.remove(store)
        }
        let browser = try await browser()
        let response = await browser.post("model/new/store", data: try Data(contentsOf: club.url))
        expect(response.status, equals: 200)
        #expect(try NSManagedObjectModel.read(from: url).entitiesByName["Person"] != nil)
        try FileManager.default.removeItem(at: url)
        #expect(await browser.post("model/new/store", data: Data("no store".utf8)).status != 200)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test
    func nothingIsMadeReadOnly() async throws {
        let browser = try await browser(isReadOnly: true)
        #expect(try await browser.json("session")["newModel"] == nil)
        try await expect(browser.send("model/new", ["from": "empty"]).status, equals: 403)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }
}
