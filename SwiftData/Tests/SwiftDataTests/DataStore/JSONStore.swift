// A store in a JSON file, as a client would write it.

import Foundation
import SwiftData

/// The file of a JSON store, and what it can do by itself.
final class JSONStoreConfiguration: DataStoreConfiguration {
    typealias Store = JSONStore

    var name: String
    var schema: Schema?
    let url: URL
    /// Indicates that the store sorts and cuts, but doesn't filter.
    let sorts: Bool

    init(name: String = "JSON", schema: Schema? = nil, url: URL, sorts: Bool = false) {
        self.name = name
        self.schema = schema
        self.url = url
        self.sorts = sorts
    }

    static func == (lhs: JSONStoreConfiguration, rhs: JSONStoreConfiguration) -> Bool { lhs.url == rhs.url }

    func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

final class JSONStore: DataStore {
    typealias Configuration = JSONStoreConfiguration
    typealias Snapshot = DefaultSnapshot

    struct NoSchema: Error {}

    let configuration: JSONStoreConfiguration
    let schema: Schema
    let identifier: String
    private(set) var saves = 0

    init(_ configuration: JSONStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        guard let schema = configuration.schema else { throw NoSchema() }
        self.configuration = configuration
        self.schema = schema
        identifier = configuration.url.lastPathComponent
    }

    func fetch<T: PersistentModel>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let all = try read()
        let names = Self.names(of: schema.entity(for: T.self))
        var found = all.values.filter { names.contains($0.persistentIdentifier.entityName) }
        if let limit = request.descriptor.fetchLimit { found = Array(found.prefix(limit)) }
        return DataStoreFetchResult(
            descriptor: request.descriptor, fetchedSnapshots: found, relatedSnapshots: all)
    }

    private static func names(of entity: Schema.Entity?) -> Set<String> {
        guard let entity else { return [] }
        return entity.subentities.reduce(into: [entity.name]) { $0.formUnion(names(of: $1)) }
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var all = try read()
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            let old = snapshot.persistentIdentifier
            remapped[old] = try PersistentIdentifier.identifier(
                for: identifier, entityName: old.entityName, primaryKey: UUID())
        }
        for snapshot in request.inserted + request.updated {
            let id = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
            all[id] = snapshot.copy(persistentIdentifier: id, remappedIdentifiers: remapped)
        }
        for snapshot in request.deleted { all[snapshot.persistentIdentifier] = nil }
        try write(all)
        saves += 1
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    func erase() throws { try write([:]) }

    private func read() throws -> [PersistentIdentifier: DefaultSnapshot] {
        guard FileManager.default.fileExists(atPath: configuration.url.path) else { return [:] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let list = try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.url))
        return Dictionary(uniqueKeysWithValues: list.map { ($0.persistentIdentifier, $0) })
    }

    private func write(_ all: [PersistentIdentifier: DefaultSnapshot]) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(Array(all.values)).write(to: configuration.url, options: .atomic)
    }
}
