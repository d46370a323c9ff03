// Containers and contexts over a client's own store.

import Foundation
@testable import SwiftData
import Testing

enum Mood: String, Codable {
    case calm, wild
}

struct Cover: Codable, Equatable {
    var title: String
    var pages: Int?
}

@Model
class Note {
    var text: String
    var mood: Mood
    var cover: Cover?
    var written: Date
    var tags: [String] = []
    var notebook: Notebook?

    init(_ text: String, mood: Mood = .calm, written: Date = Date(timeIntervalSince1970: 0)) {
        self.text = text
        self.mood = mood
        self.written = written
    }
}

@Model
final class Letter: Note {
    var address: String

    init(_ text: String, address: String) {
        self.address = address
        super.init(text)
    }
}

@Model
final class Notebook {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Note.notebook) var notes: [Note] = []

    init(name: String) { self.name = name }
}

@Suite struct ClientStoreTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let schema = Schema([Note.self, Letter.self, Notebook.self])

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Notes.json")
    }

    private func container() throws -> ModelContainer {
        try ModelContainer(for: schema, configurations: [JSONStoreConfiguration(schema: schema, url: url)])
    }

    private func texts(_ context: ModelContext, _ descriptor: FetchDescriptor<Note>) throws -> [String] {
        try context.fetch(descriptor).map(\.text)
    }

    @Test func modelsAreSavedAndReadBack() throws {
        let context = ModelContext(try container())
        let note = Note("milk", mood: .wild, written: Date(timeIntervalSince1970: 86_400))
        note.cover = Cover(title: "List", pages: 3)
        note.tags = ["a", "b"]
        context.insert(note)
        #expect(note.persistentModelID.storeIdentifier == nil)
        try context.save()
        #expect(note.persistentModelID.storeIdentifier == "Notes.json" && !context.hasChanges)

        let other = ModelContext(try container())
        let read = try #require(try other.fetch(FetchDescriptor<Note>()).first)
        #expect(read.text == "milk" && read.mood == .wild && read.cover == Cover(title: "List", pages: 3))
        #expect(
            read.written == Date(timeIntervalSince1970: 86_400) && read.tags == ["a", "b"]
                && read.notebook == nil)
        #expect(read.persistentModelID == note.persistentModelID)
        #expect((other.model(for: note.persistentModelID) as? Note)?.text == "milk")
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains("\"text\" : \"milk\"") && text.contains("\"mood\" : \"wild\""))
    }

    @Test func predicatesAndOrderAreAppliedInMemory() throws {
        let container = try container()
        let context = ModelContext(container)
        for text in ["c", "a", "b", "d"] { context.insert(Note(text, mood: text < "c" ? .calm : .wild)) }
        try context.save()
        let fresh = ModelContext(container)
        let order = [SortDescriptor(\Note.text)]
        #expect(
            try texts(fresh, FetchDescriptor(predicate: #Predicate { $0.text > "a" }, sortBy: order)) == [
                "b", "c", "d",
            ])
        var page = FetchDescriptor<Note>(predicate: #Predicate { $0.text > "a" }, sortBy: order)
        (page.fetchOffset, page.fetchLimit) = (1, 1)
        #expect(try texts(fresh, page) == ["c"])
        #expect(try fresh.fetchCount(FetchDescriptor<Note>(predicate: #Predicate { $0.text > "b" })) == 2)
        #expect(try fresh.fetchIdentifiers(FetchDescriptor<Note>()).count == 4)
        // Unsaved changes count.
        fresh.insert(Note("bb"))
        let first = try #require(
            try fresh.fetch(FetchDescriptor<Note>(predicate: #Predicate { $0.text == "b" })).first)
        first.text = "z"
        #expect(
            try texts(fresh, FetchDescriptor(predicate: #Predicate { $0.text > "a" }, sortBy: order)) == [
                "bb", "c", "d", "z",
            ])
        page.includePendingChanges = false
        page.fetchOffset = 0
        #expect(try texts(ModelContext(container), page) == ["b"])
    }

    @Test func updatesAndDeletions() throws {
        let container = try container()
        let context = ModelContext(container)
        let note = Note("old")
        context.insert(note)
        context.insert(Note("other"))
        try context.save()
        let id = note.persistentModelID
        note.text = "new"
        try context.save()
        #expect(note.persistentModelID == id)
        let reader = ModelContext(try self.container())
        #expect(try Set(texts(reader, FetchDescriptor())) == ["new", "other"])
        context.delete(note)
        try context.save()
        #expect(try texts(ModelContext(try self.container()), FetchDescriptor()) == ["other"])
    }

    @Test func relationships() throws {
        let context = ModelContext(try container())
        let book = Notebook(name: "Blue")
        book.notes = [Note("a"), Letter("b", address: "Rome")]
        context.insert(book)
        try context.save()
        let other = ModelContext(try container())
        let read = try #require(try other.fetch(FetchDescriptor<Notebook>()).first)
        #expect(Set(read.notes.map(\.text)) == ["a", "b"])
        #expect(read.notes.allSatisfy { $0.notebook == read })
        let letters = try other.fetch(FetchDescriptor<Letter>())
        #expect(letters.map(\.address) == ["Rome"] && letters.first?.notebook?.name == "Blue")
        #expect(
            try other.fetch(FetchDescriptor<Note>(predicate: #Predicate { $0.notebook?.name == "Blue" }))
                .count == 2)
        other.delete(read)
        try other.save()
        #expect(try ModelContext(try container()).fetchCount(FetchDescriptor<Note>()) == 0)
    }

    @Test func aSaveThatFailsKeepsTheChanges() throws {
        let context = ModelContext(try container())
        context.insert(Note("kept"))
        try context.save()
        try FileManager.default.removeItem(at: url.deletingLastPathComponent())
        context.insert(Note("waiting"))
        #expect(throws: (any Error).self) { try context.save() }
        #expect(context.hasChanges && context.insertedModelsArray.count == 1)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try context.save()
        #expect(try texts(ModelContext(try container()), FetchDescriptor()) == ["waiting"])
    }

    @Test func configurationsWithoutASchemaAreRefused() throws {
        #expect(throws: JSONStore.NoSchema.self) {
            try ModelContainer(for: schema, configurations: [JSONStoreConfiguration(url: url)])
        }
    }

    @Test func snapshotsTravel() throws {
        let context = ModelContext(try container())
        let note = Note("milk", mood: .wild)
        note.cover = Cover(title: "x")
        context.insert(note)
        try context.save()
        let list = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]]
        let stored = try #require(list?.first)
        #expect(
            stored["mood"] as? String == "wild"
                && (stored["cover"] as? [String: Any])?["title"] as? String == "x")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let snapshot = try #require(
            try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: url)).first)
        #expect(snapshot.persistentIdentifier == note.persistentModelID)
        let other = try PersistentIdentifier.identifier(for: "s", entityName: "Note", primaryKey: 7)
        #expect(snapshot.copy(persistentIdentifier: other).persistentIdentifier == other)
        #expect(DataStoreSnapshotCodingKey(stringValue: "persistentIdentifier") == .persistentIdentifier)
        #expect(DataStoreSnapshotCodingKey(stringValue: "text") == .modeledProperty("text"))
        #expect(
            DataStoreSnapshotCodingKey(intValue: 1) == nil
                && DataStoreSnapshotCodingKey.persistentIdentifier.intValue == nil)
        #expect(DataStoreSnapshotCodingKey.modeledProperty("text").stringValue == "text")
        #expect(throws: DecodingError.self) {
            try decoder.decode(DefaultSnapshot.self, from: Data("{}".utf8))
        }
    }

    @Test func theDefaultStoreIsOneToo() throws {
        let file = url.deletingLastPathComponent().appendingPathComponent("Notes.store")
        let configuration = ModelConfiguration("Notes", schema: schema, url: file)
        let context = ModelContext(try container())
        let book = Notebook(name: "Blue")
        book.notes = [Note("a")]
        context.insert(book)
        try context.save()

        let store = try DefaultStore(configuration, migrationPlan: nil)
        #expect(store.name == "Notes" && store.schema == schema && store.configuration == configuration)
        // Snapshots of one store become models of another.
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let snapshots = try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: url))
        let state = context.editingState
        let result = try store.save(
            DataStoreSaveChangesRequest(editingState: state, inserted: snapshots, updated: [], deleted: []))
        #expect(result.remappedIdentifiers.count == 2 && result.storeIdentifier == store.identifier)
        #expect(result.historyToken != nil && result.snapshotsToReregister.isEmpty)
        let fetched = try store.fetch(
            DataStoreFetchRequest(descriptor: FetchDescriptor<Note>(), editingState: state))
        #expect(fetched.fetchedSnapshots.count == 1 && fetched.relatedSnapshots.isEmpty)
        let model = try ModelContext(ModelContainer(for: schema, configurations: configuration))
        #expect(try model.fetch(FetchDescriptor<Note>()).first?.notebook?.name == "Blue")
        let id = try #require(fetched.fetchedSnapshots.first).persistentIdentifier
        #expect(try store.cachedSnapshots(for: [id], editingState: state)[id]?.persistentIdentifier == id)
        #expect(
            try store.fetchCount(
                DataStoreFetchRequest(descriptor: FetchDescriptor<Note>(), editingState: state)) == 1)
        try store.delete(
            DataStoreBatchDeleteRequest<Note>(predicate: nil, includeSubclasses: true, editingState: state))
        #expect(
            try store.fetchIdentifiers(
                DataStoreFetchRequest(descriptor: FetchDescriptor<Note>(), editingState: state)) == [])
        #expect(try store.fetchHistory(HistoryDescriptor()).count == 2)
        #expect(DefaultStore.historyType == DefaultHistoryTransaction.self)
        #expect(throws: SwiftDataError.unknownDataStoreSchema) {
            try DefaultStore(ModelConfiguration(url: file), migrationPlan: nil)
        }
    }
}
