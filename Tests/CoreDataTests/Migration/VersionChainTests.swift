// Stores of the first version of each real model, filled, go through all versions to the newest: step by step and in
// one jump. Every value that has a place in the newest version is there afterwards.

import CoreData
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

/// A versioned model with its versions in order.
struct VersionChain: Sendable, CustomTestStringConvertible {
    var model: String
    var versions: [String]

    var testDescription: String { model }

    static let all = [
        VersionChain(model: "CareKit/CareKitStore", versions: ["CareKitStore2.1", "CareKitStore3.0"]),
        VersionChain(
            model: "CoreDataPlus/SampleModel", versions: ["SampleModel", "SampleModel2", "SampleModel3"]),
        VersionChain(
            model: "CoreDataPlus/SampleModel3",
            versions: ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"]),
        VersionChain(
            model: "CoreStore/Advanced.EvolutionDemo.V1",
            versions: ["Advanced.EvolutionDemo.V1", "Advanced.EvolutionDemo.V2"]),
        VersionChain(
            model: "DuckDuckGo/BookmarksModel",
            versions: ["BookmarksModel"] + (2...6).map { "BookmarksModel \($0)" }),
        VersionChain(
            model: "DuckDuckGo/SyncMetadata",
            versions: ["SyncMetadata"] + (2...4).map { "SyncMetadata \($0)" }),
        VersionChain(
            model: "Ensembles/CDEEventStoreModel", versions: (0...2).map { "CDEEventStoreModel_\($0)" }),
        VersionChain(model: "Ensembles/Model-4", versions: ["Model_0", "Model_1"]),
        VersionChain(model: "HalloApp/Chat", versions: ["Chat", "Chat2"]),
        VersionChain(model: "HalloApp/Feed", versions: ["Feed"] + (2...7).map { "Feed\($0)" }),
        VersionChain(model: "HalloApp/MediaHash", versions: ["MediaHash", "MediaHash2"]),
        VersionChain(
            model: "HalloApp/SharedData",
            versions: ["SharedDataModel", "SharedDataModel2", "SharedDataModel3"]),
        VersionChain(model: "LoopKit/Model", versions: ["Model", "Modelv4"]),
        VersionChain(model: "MagicalRecord/Recipes", versions: ["Recipes", "Recipes 2"]),
        VersionChain(
            model: "RestKit/VersionedModel",
            versions: ["VersionedModel"] + (2...4).map { "VersionedModel \($0)" }),
        VersionChain(model: "objcio/Moody-4", versions: ["Moody"] + (2...6).map { "Moody \($0)" }),
    ]

    func model(_ version: String) throws -> NSManagedObjectModel {
        let model = try NSManagedObjectModel.read(
            from: SharedFiles.url("models/\(self.model).xcdatamodeld/\(version).xcdatamodel"))
        RawBytesTransformer.register()
        for entity in model.entities {
            for attribute in entity.attributesByName.values
            where attribute.attributeType == .transformableAttributeType {
                attribute.valueTransformerName = RawBytesTransformer.name
            }
        }
        return model
    }
}

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct VersionChainTests {
    private func filled(
        _ chain: VersionChain, in folder: TemporaryFolder, _ kind: StoreKind = .sqlite,
        objects count: Int = 3
    ) throws -> URL {
        StoreKind.register()
        let url = try #require(try StoreKind.place(kind.type, folder, "Store.sqlite"))
        let model = try chain.model(chain.versions[0])
        let opened = try OpenStore(url, model)
        for round in 0..<count {
            _ = SampleObjects(opened.context, model, seed: 10 + round * 500)
            let problems = opened.save()
            // Some models leave no room for a second set of values that are all unique.
            if round > 0, !problems.isEmpty { opened.context.reset() } else { try #require(problems == []) }
        }
        try opened.close()
        return url
    }

    /// Opens the store with another version of its model and compares what was in it with what is.
    private func step(_ chain: VersionChain, _ url: URL, from: String, to: String) throws {
        let (old, new) = (try chain.model(from), try chain.model(to))
        let before = try StoreContents(url, old, options: nil)
        let after = try StoreContents(url, new, options: .migrating)
        let difference = try MappingInference.difference(from: old.index, to: new.index)
        let expected = before.translated(difference)
        expect(after.missing(from: expected), equals: [], "\(from) to \(to)")
        expect(after.rowCount, equals: expected.rowCount)
        let opened = try OpenStore(url, new)
        try expect(opened.coordinator.verify(opened.store), equals: [], "\(from) to \(to)")
        if !url.isFileURL { return try opened.close() }
        let inspector = try StoreInspector(url, new.entities.map(InspectedEntity.init))
        try expect(inspector.violations(), equals: [])
        try expect(ObjectComparison.differences(opened, inspector), equals: [])
        try opened.close()
    }

    /// In the gate each second model.
    @Test(arguments: sample(VersionChain.all, each: 2), StoreKind.inPlace)
    func stepByStep(_ chain: VersionChain, _ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let url = try filled(chain, in: folder, kind)
        for (from, to) in zip(chain.versions, chain.versions.dropFirst()) {
            try step(chain, url, from: from, to: to)
        }
    }

    /// In the gate in files only.
    @Test(arguments: VersionChain.all, StoreKind.inPlace.prefix(rounds(1, long: StoreKind.inPlace.count)))
    func inOneJump(_ chain: VersionChain, _ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let url = try filled(chain, in: folder, kind)
        try step(
            chain, url, from: chain.versions[0], to: try #require(chain.versions.last))
    }

    /// Tables, columns and numbers are those of a new store; names of indexes may differ.
    @Test(arguments: VersionChain.all) func theLayoutIsThatOfANewStore(_ chain: VersionChain) throws {
        let folder = try TemporaryFolder()
        let url = try filled(chain, in: folder, objects: 1)
        let newest = try chain.model(try #require(chain.versions.last))
        try OpenStore(url, newest, options: .migrating).close()
        let fresh = folder.file("Fresh.sqlite")
        try OpenStore(fresh, newest).close()
        try expect(StoreSchema(url), equals: StoreSchema(fresh))
    }

    /// Stores that Apple's framework made open under the newest version of their repository's model.
    @Test(arguments: [
        ("CoreDataPlus/SampleModel_V1", "CoreDataPlus/SampleModel"),
        ("CoreDataPlus/SampleModel_V2", "CoreDataPlus/SampleModel"),
        ("CoreDataPlus/SampleModel3_V1", "CoreDataPlus/SampleModel3"),
        ("DuckDuckGo/Bookmarks_V1", "DuckDuckGo/BookmarksModel"),
        ("DuckDuckGo/Bookmarks_V2", "DuckDuckGo/BookmarksModel"),
        ("DuckDuckGo/Bookmarks_V3", "DuckDuckGo/BookmarksModel"),
        ("LoopKit/Model_V1", "LoopKit/Model"), ("MagicalRecord/Recipes", "MagicalRecord/Recipes"),
    ]) func applesStoresOpenUnderTheNewestVersion(_ name: String, _ model: String) throws {
        let store = try AppleStore(name)
        let chain = try #require(VersionChain.all.first { $0.model == model })
        try migrate(store, to: try chain.model(try #require(chain.versions.last)))
    }

    /// The repository makes this model in code, so that its newest version is the one that a store keeps. The older
    /// store has a history, which is carried over.
    @Test func theStoreWithAHistoryOpensUnderTheNewestVersion() throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let store = try AppleStore("CoreDataPlus/SampleModel2_V1")
        let before = try history(store.url, store.model, options)
        #expect(before.count > 0)
        let newest = try AppleStore("CoreDataPlus/SampleModel2_V2").model
        try migrate(store, to: newest, options)
        try expect(history(store.url, newest, options), equals: before)
    }

    /// Written by a framework that kept no model in the store, so that its version has to lie beside the newest one.
    /// The repository has one version only, to which we add what a next one might.
    @Test func theOldestStoreOpensUnderTheNewestVersion() throws {
        let store = try AppleStore("RestKit/RKSeedDatabase")
        let versions = store.folder.file("Tweets.xcdatamodeld")
        try FileManager.default.createDirectory(at: versions, withIntermediateDirectories: false)
        try store.model.write(to: versions.appendingPathComponent("Tweets.xcdatamodel"))
        let next = try #require(store.model.copy() as? NSManagedObjectModel)
        let root = try #require(next.entities.first { $0.superentity == nil })
        root.properties.append(NSAttributeDescription("note", .stringAttributeType))
        next.entities.append(NSEntityDescription("Album"))
        let file = versions.appendingPathComponent("Tweets 2.xcdatamodel")
        try next.write(to: file)
        try migrate(store, to: NSManagedObjectModel.read(from: file))
    }

    private func migrate(
        _ store: AppleStore, to newest: NSManagedObjectModel, _ options: [AnyHashable: Any] = [:]
    ) throws {
        let before = try StoreContents(store.url, store.model, options: options)
        let difference = try MappingInference.difference(from: store.model.index, to: newest.index)
        let migrating = options.merging(.migrating) { first, _ in first }
        let after = try StoreContents(store.url, newest, options: migrating)
        #expect(after.rowCount > 0)
        expect(after.missing(from: before.translated(difference)), equals: [])
        let opened = try OpenStore(store.url, newest, options: options)
        try expect(opened.coordinator.verify(opened.store).filter(\.isHarmful), equals: [])
        try opened.close()
    }

    /// The changes of a store's history: entity, key and kind of each.
    private func history(
        _ url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]
    ) throws -> [String] {
        let opened = try OpenStore(url, model, options: options)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        let result = try #require(try opened.context.execute(request) as? NSPersistentHistoryResult)
        let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
        let changes = transactions.flatMap { transaction in
            (transaction.changes ?? []).map { change in
                let key = InspectedKey(change.changedObjectID)
                let kind = change.changeType.rawValue
                return "\(transaction.transactionNumber) \(key.entity) \(key.key) \(kind)"
            }
        }
        try opened.close()
        return changes
    }
}
