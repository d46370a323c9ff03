// A client's store with a history of its own.

import Foundation
import SwiftData
import Testing

final class JournalConfiguration: DataStoreConfiguration {
    typealias Store = JournalStore

    let name = "Journal"
    var schema: Schema?

    init(schema: Schema) { self.schema = schema }

    static func == (left: JournalConfiguration, right: JournalConfiguration) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Only what the protocols ask for.
struct JournalToken: HistoryToken {
    var tokenValue: Int?

    static func < (left: JournalToken, right: JournalToken) -> Bool {
        (left.tokenValue ?? 0) < (right.tokenValue ?? 0)
    }
}

struct JournalEntry: HistoryTransaction {
    var author: String?
    var changes: [HistoryChange] = []
    var storeIdentifier: String
    var timestamp = Date()
    var token: JournalToken
    var transactionIdentifier: Int

    static func == (left: JournalEntry, right: JournalEntry) -> Bool {
        left.transactionIdentifier == right.transactionIdentifier
    }

    func hash(into hasher: inout Hasher) { hasher.combine(transactionIdentifier) }
}

/// Keeps nothing but who saved.
final class JournalStore: DataStore, HistoryProviding {
    typealias Configuration = JournalConfiguration
    typealias Snapshot = DefaultSnapshot
    typealias HistoryType = JournalEntry

    let configuration: JournalConfiguration
    let schema: Schema
    let identifier = "journal"
    private var entries: [JournalEntry] = []

    init(_ configuration: JournalConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = try #require(configuration.schema)
    }

    func fetch<T: PersistentModel>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
        DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: [])
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
        }
        let number = entries.count + 1
        entries.append(
            JournalEntry(
                author: request.editingState.author, storeIdentifier: identifier,
                token: JournalToken(tokenValue: number), transactionIdentifier: number))
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    func fetchHistory(_ descriptor: HistoryDescriptor<JournalEntry>) throws -> [JournalEntry] {
        let found = try entries.filter { try descriptor.predicate?.evaluate($0) ?? true }
        return descriptor.sortBy.isEmpty ? found : found.sorted(using: descriptor.sortBy)
    }

    func deleteHistory(_ descriptor: HistoryDescriptor<JournalEntry>) throws {
        try entries.removeAll { try descriptor.predicate?.evaluate($0) ?? true }
    }
}

@Suite struct ClientHistoryTests {
    @Test func aStoresOwnTransactionsAreFoundAndDeleted() throws {
        let schema = Schema([Note.self, Notebook.self])
        let container = try ModelContainer(
            for: schema, configurations: [JournalConfiguration(schema: schema)])
        let context = ModelContext(container)
        for author in ["first", "second"] {
            context.author = author
            context.insert(Note(author))
            try context.save()
        }
        let backwards = HistoryDescriptor<JournalEntry>(sortBy: [SortDescriptor(\.id, order: .reverse)])
        let all = try context.fetchHistory(backwards)
        #expect(all.map(\.author) == ["second", "first"])
        let first = try #require(all.last?.token)
        #expect(first.id == first)
        let later = HistoryDescriptor<JournalEntry>(predicate: #Predicate { $0.token > first })
        #expect(try context.fetchHistory(later).map(\.author) == ["second"])
        try context.deleteHistory(
            HistoryDescriptor<JournalEntry>(predicate: #Predicate { $0.token <= first }))
        #expect(try context.fetchHistory(backwards).map(\.id) == [2])
    }
}
