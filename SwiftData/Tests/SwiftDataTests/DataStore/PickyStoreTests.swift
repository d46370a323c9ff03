// A client's store that refuses some of what it is asked, and one beside a store of Core Data's.

import Foundation
import SwiftData
import Testing

final class PickyConfiguration: DataStoreConfiguration {
    typealias Store = PickyStore

    let name: String
    var schema: Schema?
    /// Indicates that saves fail.
    var isFull = false

    init(_ name: String, schema: Schema) {
        self.name = name
        self.schema = schema
    }

    static func == (left: PickyConfiguration, right: PickyConfiguration) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Keeps its models in memory, and deletes all of a class at once but not by conditions.
final class PickyStore: DataStore, DataStoreBatching {
    typealias Configuration = PickyConfiguration
    typealias Snapshot = DefaultSnapshot

    struct Full: Error, Equatable { let name: String }

    let configuration: PickyConfiguration
    let schema: Schema
    var identifier: String { configuration.name }
    private var all: [PersistentIdentifier: DefaultSnapshot] = [:]

    init(_ configuration: PickyConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = try #require(configuration.schema)
    }

    func fetch<T: PersistentModel>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        return DataStoreFetchResult(
            descriptor: request.descriptor,
            fetchedSnapshots: all.values.filter {
                $0.persistentIdentifier.entityName == Schema.entityName(for: T.self)
            })
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        if configuration.isFull { throw Full(name: configuration.name) }
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
        }
        for snapshot in request.inserted + request.updated {
            let id = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
            all[id] = snapshot.copy(persistentIdentifier: id, remappedIdentifiers: remapped)
        }
        for snapshot in request.deleted { all[snapshot.persistentIdentifier] = nil }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
        if request.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        all = all.filter { $0.key.entityName != Schema.entityName(for: T.self) }
    }
}

@Suite struct PickyStoreTests {
    private let configuration = PickyConfiguration("Picky", schema: Schema([Note.self, Notebook.self]))

    @Test func anErrorOfTheStoreIsThrownAsItIs() throws {
        let context = ModelContext(
            try ModelContainer(for: Note.self, Notebook.self, configurations: configuration))
        context.insert(Note("kept"))
        configuration.isFull = true
        #expect(throws: PickyStore.Full(name: "Picky")) { try context.save() }
        #expect(context.hasChanges)
        configuration.isFull = false
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Note>()).map(\.text) == ["kept"])
    }

    @Test func whatItDoesNotDeleteByConditionsIsDeletedOneByOne() throws {
        let container = try ModelContainer(for: Note.self, Notebook.self, configurations: configuration)
        let context = ModelContext(container)
        for text in ["a", "b", "c"] { context.insert(Note(text)) }
        try context.save()
        try context.delete(model: Note.self, where: #Predicate { $0.text != "b" })
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Note>()).map(\.text) == ["b"])
        try context.delete(model: Note.self)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 0)
    }

    /// Core Data asks all stores for rows with unique values.
    @Test func aStoreOfCoreDataBesideItHasUniqueModels() throws {
        let folder = try TemporaryFolder()
        let own = ModelConfiguration(
            "Own", schema: Schema([MeasuredUnit.self]), url: folder.file("Gauges.store"))
        let container = try ModelContainer(
            for: Schema([Note.self, Notebook.self, MeasuredUnit.self]), configurations: [configuration, own])
        let context = ModelContext(container)
        context.insert(Note("note"))
        context.insert(MeasuredUnit(name: "metre", factor: 1))
        try context.save()
        context.insert(MeasuredUnit(name: "metre", factor: 2))
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetch(FetchDescriptor<MeasuredUnit>()).map(\.factor) == [2])
        #expect(
            try other.fetchCount(FetchDescriptor<MeasuredUnit>(predicate: #Predicate { $0.factor > 1 })) == 1)
        #expect(try other.fetch(FetchDescriptor<Note>()).map(\.text) == ["note"])
    }
}

@Model
final class MeasuredUnit {
    @Attribute(.unique) var name: String
    var factor: Double

    init(name: String, factor: Double) {
        self.name = name
        self.factor = factor
    }
}
