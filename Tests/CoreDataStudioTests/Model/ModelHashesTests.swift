// Version hashes beside a store's own, and the routes to what has no page of its own.

import CoreData
import CoreDataFiles
import CoreDataSchema
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct ModelHashesTests {
    @Test
    func hashesAreTheFrameworksAndTheStores() throws {
        let model = try SmallModel()
        let framework = NSManagedObjectModel(schema: try ModelFile.read(model.url))
        let store = model.folder.file("Heroes.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: framework)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: nil)
        let hashes = try ModelHashes(model.root, store: store)
        expect(hashes.checksum, equals: framework.versionChecksum)
        expect(hashes.entities.map(\.name), equals: ["Hero", "Power"])
        #expect(hashes.entities.allSatisfy { $0.stored == $0.hash })
        let expected = framework.entityVersionHashesByName.mapValues { $0.base64EncodedString() }
        expect(Dictionary(uniqueKeysWithValues: hashes.entities.map { ($0.name, $0.hash) }), equals: expected)
        let name = framework.entitiesByName["Hero"]?.attributesByName["name"]?.versionHash
        expect(
            hashes.entities[0].properties.first { $0.name == "name" }?.hash,
            equals: name?.base64EncodedString())
        try model.edit(
            .set(
                ids: [try model.entity("Hero").id], field: "versionHashModifier", value: .text("other")),
            .rename(id: try model.entity("Power").id, name: "Force", keepsIdentity: false))
        let edited = try ModelHashes(model.root, store: store)
        #expect(edited.entities[0].stored != edited.entities[0].hash)
        expect(edited.missing, equals: ["Power"])
    }

    @Test
    func customClassesHaveModules() throws {
        let model = try SmallModel()
        let hero = try model.entity("Hero").id
        let made = try model.edit(
            .add(
                kind: "attribute", parent: hero, name: "look",
                values: ["attributeType": .text("Transformable")]))
        try model.edit(.set(ids: made, field: "customClassName", value: .text("Look")))
        try model.edit(.set(ids: made, field: "customModule", value: .text(".")))
        try expect(model.property("look", of: "Hero")["customClassName"], equals: ".Look")
        let saved = try model.saved().entities.first { $0.name == "Hero" }
        expect(saved?.properties.first { $0.name == "look" }?.attribute?.valueClassName, equals: "Look")
        try model.edit(.set(ids: made, field: "customModule", value: .text("Kit")))
        try expect(model.property("look", of: "Hero")["customClassName"], equals: "Kit.Look")
        try model.edit(.set(ids: made, field: "customModule", value: .none))
        try model.edit(.set(ids: made, field: "customClassName", value: .text("[Swift.String]")))
        let field = try #require(ModelField.field("customModule", of: "attribute"))
        expect(field.value(in: try model.property("look", of: "Hero")), equals: .none)
    }

    @Test
    func pagesWaitForChanges() async throws {
        let model = try SmallModel()
        var options = StudioOptions()
        options.modelFile = model.url
        let browser = try await Browser(Studio(coordinator: nil, options: options))
        let waiting = Task { await browser.get("model/change?since=0&wait=20") }
        let edit = "{\"version\": \"Heroes\", \"commands\": [{\"do\": \"add\", \"kind\": \"entity\"}]}"
        await expect(browser.post("model/edit", edit).status, equals: 200)
        try expect(browser.object(await waiting.value)["change"] as? Int, equals: 1)
        await expect(browser.get("model/change?since=0&wait=900").status, equals: 400)
    }

    @Test
    func predicatesOfTheModelAreBuilt() async throws {
        let model = try SmallModel()
        var options = StudioOptions()
        options.modelFile = model.url
        let browser = try await Browser(Studio(coordinator: nil, options: options))
        let parsed = try browser.object(
            await browser.post("model/predicate/parse", "{\"text\": \"name BEGINSWITH 'a' OR rank > $min\"}"))
        expect(parsed["variables"] as? [String], equals: ["min"])
        let form = try #require(parsed["form"] as? [String: Any])
        let body = String(
            decoding: try JSONSerialization.data(withJSONObject: ["form": form]), as: UTF8.self)
        let printed = try browser.object(await browser.post("model/predicate/print", body))
        expect(printed["text"] as? String, equals: parsed["text"] as? String)
        let wrong = try browser.object(await browser.post("model/predicate/parse", "{\"text\": \"name ==\"}"))
        #expect((wrong["error"] as? [String: Any])?["position"] != nil)
    }
}
