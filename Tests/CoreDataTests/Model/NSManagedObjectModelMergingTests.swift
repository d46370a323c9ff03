// Models made of several others.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Synchronization
import Testing

@testable import CoreData

@Suite struct NSManagedObjectModelMergingTests {
    private func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private func entity(_ name: String, _ attributes: String...) -> NSEntityDescription {
        let entity = NSEntityDescription(name)
        entity.properties = attributes.map { NSAttributeDescription($0, .string) }
        return entity
    }

    @Test func allEntitiesOnce() throws {
        let left = model(entity("A", "x"), entity("B", "y"))
        let right = model(entity("B", "y"), entity("C", "z"))
        left.versionIdentifiers = ["1"]
        right.versionIdentifiers = ["2"]
        left.localizationDictionary = ["Entity/A": "Ah"]
        left.setEntities(left.entities, forConfigurationName: "Local")
        right.setEntities(right.entities, forConfigurationName: "Local")
        let merged = try #require(NSManagedObjectModel(byMerging: [left, right]))
        expect(merged.entities.compactMap(\.name), equals: ["A", "B", "C"])
        expect(merged.versionIdentifiers, equals: ["1", "2"])
        expect(merged.localizationDictionary, equals: ["Entity/A": "Ah"])
        expect(merged.entities(forConfigurationName: "Local")?.compactMap(\.name), equals: ["A", "B", "C"])
        #expect(merged.entities[0] !== left.entities[0])
        merged.freeze()
        #expect(left.entities[0].managedObjectModel === left)
    }

    @Test func mergingLinksWhatEachModelSays() throws {
        let merged = try #require(NSManagedObjectModel(byMerging: [SampleModel.make(), SampleModel.make()]))
        expect(merged, equals: SampleModel.make())
        #expect(merged.entitiesByName["Car"]?.superentity === merged.entitiesByName["Vehicle"])
    }

    @Test func twoDifferentEntitiesOfOneNameStopTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let left = SampleModel.make()
            let right = SampleModel.make()
            right.entitiesByName["Car"]?.isAbstract = true
            _ = NSManagedObjectModel(byMerging: [left, right])
        }
    }

    @Test func aStoresModelIsFoundAmongVersions() throws {
        let old = model(entity("A", "x"), entity("B", "y"))
        let new = model(entity("A", "x", "more"), entity("B", "y"))
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: new.entityVersionHashesByName]
        let found = try #require(NSManagedObjectModel(byMerging: [old, new], forStoreMetadata: metadata))
        expect(found, equals: new)
        #expect(found.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(NSManagedObjectModel(byMerging: [old], forStoreMetadata: metadata) == nil)
        #expect(NSManagedObjectModel(byMerging: [old, new], forStoreMetadata: [:]) == nil)
    }

    /// Apple's framework may compute another hash than ours where the formula isn't settled.
    @Test func aStoresModelIsFoundWhereItsHashDecidesNothing() throws {
        func version(_ attributes: String...) -> NSManagedObjectModel {
            let derived = NSDerivedAttributeDescription()
            (derived.name, derived.attributeType, derived.isOptional) = ("now", .dateAttributeType, true)
            derived.derivationExpression = NSExpression(format: "now()")
            let stamp = NSEntityDescription("Stamp")
            stamp.properties = [derived]
            return model(entity("A", attributes[0]), stamp)
        }
        let (old, new) = (version("x"), version("y"))
        var hashes = old.entityVersionHashesByName
        hashes["Stamp"] = Data(repeating: 7, count: 32)
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: hashes]
        let found = try #require(NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: metadata))
        expect(found, equals: old)
        #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata) == nil)
        // Of two versions that may be meant none is taken, nor is one with an entity more.
        let other = version("x")
        other.entitiesByName["Stamp"]?.properties += [NSAttributeDescription("more", .string)]
        #expect(NSManagedObjectModel(byMerging: [old, other], forStoreMetadata: metadata) == nil)
        let larger = version("x")
        larger.entities += [entity("B", "x")]
        #expect(NSManagedObjectModel(byMerging: [larger], forStoreMetadata: metadata) == nil)
    }

    @Test func modelsThatDontHoldTogetherAreLeftOut() throws {
        let folder = try TemporaryFolder()
        let resources = folder.file("Some.resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        var child = EntitySchema(name: "Broken")
        child.superentityName = "Gone"
        let broken = ModelSchema(entities: [child, EntitySchema(name: "Whole")])
        try ModelFile.write(broken, to: resources.appendingPathComponent("Broken.xcdatamodeld"))
        let bundle = try #require(Bundle(url: resources))
        let hashes = VersionHash.hashes(of: ModelIndex(broken)).mapValues(\.data)
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: hashes]
        let said = Mutex<[String]>([])
        Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) {
            #expect(NSManagedObjectModel.mergedModel(from: [bundle]) == nil)
            #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata) == nil)
        }
        #expect(said.withLock { $0 }.contains { $0.contains("Broken.xcdatamodeld") && $0.contains("Gone") })
        let others = folder.file("Other.resources")
        try FileManager.default.createDirectory(at: others, withIntermediateDirectories: true)
        try model(entity("Lone", "a")).write(to: others.appendingPathComponent("Lone.mom"))
        let merged = NSManagedObjectModel.mergedModel(from: [bundle, try #require(Bundle(url: others))])
        expect(merged?.entities.map(\.name), equals: ["Lone"])
    }

    @Test func aStoresModelIsPutTogether() throws {
        let left = model(entity("A", "x"), entity("B", "old"))
        let right = model(entity("B", "y"), entity("C", "z"))
        var hashes = left.entityVersionHashesByName.filter { $0.key == "A" }
        hashes.merge(right.entityVersionHashesByName) { first, _ in first }
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: hashes]
        let found = try #require(NSManagedObjectModel(byMerging: [left, right], forStoreMetadata: metadata))
        expect(Set(found.entitiesByName.keys), equals: ["A", "B", "C"])
        expect(found.entityVersionHashesByName, equals: hashes)
    }

    @Test func aModelWithMoreThanTheStoreServesItsConfiguration() throws {
        let whole = SampleModel.make()
        let part = whole.entityVersionHashesByName.filter { $0.key != "Owner" }
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: part]
        let found = try #require(NSManagedObjectModel(byMerging: [whole], forStoreMetadata: metadata))
        #expect(found.isConfiguration(withName: "Machines", compatibleWithStoreMetadata: metadata))
    }

    @Test func modelsAreFoundInBundles() throws {
        let folder = try TemporaryFolder()
        let resources = folder.file("Some.resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        try SampleModel.make().write(to: resources.appendingPathComponent("Cars.momd"))
        try model(entity("Lone", "a")).write(to: resources.appendingPathComponent("Lone.xcdatamodel"))
        let bundle = try #require(Bundle(url: resources))
        let merged = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
        expect(Set(merged.entitiesByName.keys), equals: ["Vehicle", "Car", "Owner", "Lone"])
        let metadata: [String: Any] = [
            NSStoreModelVersionHashesKey: model(entity("Lone", "a")).entityVersionHashesByName
        ]
        let found = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
        #expect(found?.entitiesByName["Lone"] != nil)
        #expect(NSManagedObjectModel.mergedModel(from: []) == nil)
    }

    /// Reading all of a hundred bundles would take longer than a small store's migration.
    @Test func nothingIsReadBehindTheStoresModel() throws {
        let folder = try TemporaryFolder()
        let resources = folder.file("Some.resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        try SampleModel.make().write(to: resources.appendingPathComponent("Cars.momd"))
        let file = resources.appendingPathComponent("Ships.momd")
        try model(entity("Ship", "a")).write(to: file)
        let read = Mutex<[String]>([])
        let cars = SampleModel.make().entityVersionHashesByName
        let ship = model(entity("Ship", "a")).entityVersionHashesByName
        let bundle = try #require(Bundle(url: resources))
        let models = BundleModels.versions(sharing: cars.merging(ship) { $1 }, in: [bundle]).lazy.map {
            schema in
            read.withLock { $0.append(contentsOf: schema.entities.map(\.name)) }
            return schema
        }
        #expect(ModelSchema.merging(models, forVersions: cars) != nil)
        #expect(!read.withLock { $0 }.contains("Ship"))
        // A part of it may be whole in a model that comes later, so all are read.
        let part = cars.filter { $0.key != "Owner" }
        #expect(ModelSchema.merging(models, forVersions: part) != nil)
        #expect(read.withLock { $0 }.contains("Ship"))
    }

    @Test func compiledAndSourceModelsAreTheSame() throws {
        let folder = try TemporaryFolder()
        func bundle(_ name: String) throws -> Bundle {
            let url = folder.file(name + ".resources")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            return try #require(Bundle(url: url))
        }
        let source = model(entity("Lone", "a"))
        source.entities[0].managedObjectClassName = "Lone"
        let compiled = model(entity("Lone", "a"))
        compiled.entities[0].managedObjectClassName = "App.Lone"
        let (app, tests) = (try bundle("App"), try bundle("Tests"))
        try source.write(to: tests.bundleURL.appendingPathComponent("Lone.xcdatamodeld"))
        try source.write(to: app.bundleURL.appendingPathComponent("Lone.xcdatamodeld"))
        try compiled.write(to: app.bundleURL.appendingPathComponent("Lone.momd"))
        for bundles in [[app], [tests, app]] {
            let merged = try #require(NSManagedObjectModel.mergedModel(from: bundles))
            expect(merged.entities.map(\.managedObjectClassName), equals: ["App.Lone"])
        }
    }

    @Test func modelsOfOneNameInSeveralBundlesAreAllTaken() throws {
        let folder = try TemporaryFolder()
        let bundles = try ["One", "Two"].map { name in
            let url = folder.file(name + ".resources")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try model(entity(name, "a")).write(to: url.appendingPathComponent("Model.momd"))
            return try #require(Bundle(url: url))
        }
        let merged = try #require(NSManagedObjectModel.mergedModel(from: bundles))
        expect(Set(merged.entitiesByName.keys), equals: ["One", "Two"])
    }
}
