// Schemas in the usual shape, with a plan whose stages drop what is there twice.

import Foundation
import SwiftData
import Testing

// The usual shape: schemas as enumerations, the newest one's models under short names.

enum NotesSchemaV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Note.self, Folder.self] }

    @Model final class Note {
        var title: String
        var body: String
        var createdAt: Date
        var folder: Folder?
        init(title: String, body: String = "", createdAt: Date = .init(timeIntervalSinceReferenceDate: 0)) {
            self.title = title
            self.body = body
            self.createdAt = createdAt
        }
    }
    @Model final class Folder {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []
        init(name: String) { self.name = name }
    }
}

enum NotesSchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static let models: [any PersistentModel.Type] = [Note.self, Folder.self]

    @Model final class Note {
        @Attribute(.unique) var title: String
        @Attribute(originalName: "body") var text: String
        var createdAt: Date
        var words: Int?
        var folder: Folder?
        init(title: String, text: String = "") {
            self.title = title
            self.text = text
            createdAt = Date(timeIntervalSinceReferenceDate: 0)
        }
    }
    @Model final class Folder {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []
        init(name: String) { self.name = name }
    }
}

enum NotesSchemaV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static let models: [any PersistentModel.Type] = [Note.self, Folder.self, Label.self]

    enum Priority: Int, Codable { case low, normal, high }

    @Model final class Note {
        @Attribute(.unique) var title: String
        var text: String
        var createdAt: Date
        var words: Int = 0
        var priority: Priority = Priority.normal
        var reminders: [Date] = []
        var folder: Folder?
        @Relationship(inverse: \Label.notes) var labels: [Label] = []
        init(title: String, text: String = "") {
            self.title = title
            self.text = text
            createdAt = Date(timeIntervalSinceReferenceDate: 0)
        }
    }
    @Model final class Folder {
        var name: String
        var parent: Folder?
        @Relationship(deleteRule: .cascade, inverse: \Folder.parent) var children: [Folder] = []
        @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []
        init(name: String) { self.name = name }
    }
    @Model final class Label {
        @Attribute(.unique) var name: String
        var notes: [Note] = []
        init(name: String) { self.name = name }
    }
}

typealias Note = NotesSchemaV3.Note
typealias Folder = NotesSchemaV3.Folder
typealias Label = NotesSchemaV3.Label

enum NotesMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [NotesSchemaV1.self, NotesSchemaV2.self, NotesSchemaV3.self]
    }
    static var stages: [MigrationStage] { [v1ToV2, v2ToV3] }

    nonisolated(unsafe) static var wordCounts: [String: Int] = [:]

    static let v1ToV2 = MigrationStage.custom(
        fromVersion: NotesSchemaV1.self, toVersion: NotesSchemaV2.self,
        willMigrate: { context in
            let notes = try context.fetch(
                FetchDescriptor<NotesSchemaV1.Note>(sortBy: [SortDescriptor(\.createdAt)]))
            var used = Set<String>()
            for note in notes {
                if used.contains(note.title) {
                    context.delete(note)
                } else {
                    used.insert(note.title)
                    wordCounts[note.title] = note.body.split(separator: " ").count
                }
            }
            try context.save()
        },
        didMigrate: { context in
            for note in try context.fetch(FetchDescriptor<NotesSchemaV2.Note>()) {
                note.words = wordCounts[note.title]
            }
            try context.save()
        })
    static let v2ToV3 = MigrationStage.custom(
        fromVersion: NotesSchemaV2.self, toVersion: NotesSchemaV3.self, willMigrate: nil
    ) { context in
        let label = Label(name: "migrated")
        context.insert(label)
        let notes = try context.fetch(FetchDescriptor<Note>())
        for note in notes {
            note.labels.append(label)
            note.priority = note.words > 2 ? .high : .low
        }
        try context.save()
    }
}

@Suite(.serialized) struct NotesMigrationTests {
    let url = URL.temporaryDirectory.appending(component: "notes-\(UUID().uuidString).store")

    func removeStore() {
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(at: URL(filePath: url.path(percentEncoded: false) + end))
        }
    }

    private func container<S: VersionedSchema>(_ schema: S.Type, plan: (any SchemaMigrationPlan.Type)? = nil)
        throws -> ModelContainer
    {
        let schema = Schema(versionedSchema: schema)
        return try ModelContainer(
            for: schema, migrationPlan: plan, configurations: ModelConfiguration(schema: schema, url: url))
    }

    private func makeFirst() throws {
        let container = try container(NotesSchemaV1.self)
        let context = ModelContext(container)
        let folder = NotesSchemaV1.Folder(name: "F")
        context.insert(folder)
        for (n, title) in ["a", "b", "a", "c"].enumerated() {
            let note = NotesSchemaV1.Note(
                title: title, body: String(repeating: "w ", count: n),
                createdAt: .init(timeIntervalSinceReferenceDate: Double(n)))
            note.folder = folder
        }
        try context.save()
    }

    @Test func throughAll() throws {
        defer { removeStore() }
        try makeFirst()
        let context = ModelContext(try container(NotesSchemaV3.self, plan: NotesMigrationPlan.self))
        let notes = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)]))
        #expect(notes.map(\.title) == ["a", "b", "c"])
        #expect(notes.map(\.words) == [0, 1, 3])
        #expect(notes.map(\.priority) == [.low, .low, .high])
        #expect(notes.map(\.text) == ["", "w ", "w w w "])
        #expect(
            notes.allSatisfy {
                $0.labels.map(\.name) == ["migrated"] && $0.folder?.name == "F" && $0.reminders.isEmpty
            })
        #expect(try context.fetch(FetchDescriptor<Folder>()).first?.children.isEmpty == true)
    }

    @Test func fromTheMiddle() throws {
        defer { removeStore() }
        do {
            let context = ModelContext(try container(NotesSchemaV2.self))
            context.insert(NotesSchemaV2.Note(title: "x", text: "one two three"))
            try context.save()
        }
        let context = ModelContext(try container(NotesSchemaV3.self, plan: NotesMigrationPlan.self))
        let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
        #expect(note.text == "one two three")
        #expect(note.words == 0)
        #expect(note.labels.count == 1)
    }

    @Test func newStoresNeedNone() throws {
        defer { removeStore() }
        let container = try container(NotesSchemaV3.self, plan: NotesMigrationPlan.self)
        #expect(container.schema.version == Schema.Version(3, 0, 0))
        #expect(container.migrationPlan != nil)
        let context = ModelContext(container)
        context.insert(Note(title: "n"))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Label>()) == 0)
    }

    @Test func typesThatAreNotVersioned() throws {
        defer { removeStore() }
        try makeFirst()
        let container = try ModelContainer(
            for: Note.self, Folder.self, Label.self, migrationPlan: NotesMigrationPlan.self,
            configurations: ModelConfiguration(url: url))
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 3)
    }

    @Test func stageThatThrows() throws {
        struct Stop: Error {}
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [NotesSchemaV1.self, NotesSchemaV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: NotesSchemaV1.self, toVersion: NotesSchemaV2.self,
                        willMigrate: { _ in throw Stop() }, didMigrate: nil)
                ]
            }
        }
        defer { removeStore() }
        try makeFirst()
        #expect(throws: (any Error).self) { _ = try container(NotesSchemaV2.self, plan: Plan.self) }
        #expect(
            try ModelContext(try container(NotesSchemaV1.self)).fetchCount(
                FetchDescriptor<NotesSchemaV1.Note>()) == 4)
    }
}
