import Foundation
import SwiftData
import Testing

enum NotesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model
    final class Note {
        var title: String
        var body: String

        init(title: String, body: String) {
            self.title = title
            self.body = body
        }
    }
}

enum NotesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model
    final class Note {
        @Attribute(originalName: "title") var heading: String
        var body: String
        var stars: Int = 5

        init(heading: String, body: String) {
            self.heading = heading
            self.body = body
        }
    }
}

enum NotesV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model
    final class Note {
        @Attribute(.unique) var heading: String
        var body: String
        var stars: Int = 5
        var words: Int = 0

        init(heading: String, body: String) {
            self.heading = heading
            self.body = body
        }
    }
}

enum NotesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self, NotesV3.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(fromVersion: NotesV1.self, toVersion: NotesV2.self),
            .custom(
                fromVersion: NotesV2.self, toVersion: NotesV3.self,
                willMigrate: { context in
                    var seen: Set<String> = []
                    for note in try context.fetch(FetchDescriptor<NotesV2.Note>())
                    where !seen.insert(note.heading).inserted {
                        context.delete(note)
                    }
                    try context.save()
                },
                didMigrate: { context in
                    for note in try context.fetch(FetchDescriptor<NotesV3.Note>()) {
                        note.words = note.body.split(separator: " ").count
                    }
                    try context.save()
                }),
        ]
    }
}

@Suite struct MigrationTests {
    @Test func aStoreOfTheFirstVersionIsLedThroughAllStages() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("Notes.store"))
        do {
            let container = try ModelContainer(
                for: Schema(versionedSchema: NotesV1.self), configurations: configuration)
            let context = ModelContext(container)
            context.insert(NotesV1.Note(title: "a", body: "one two three"))
            context.insert(NotesV1.Note(title: "b", body: "four"))
            context.insert(NotesV1.Note(title: "b", body: "four"))
            try context.save()
        }
        let container = try ModelContainer(
            for: Schema(versionedSchema: NotesV3.self), migrationPlan: NotesPlan.self,
            configurations: configuration)
        let notes = try ModelContext(container).fetch(
            FetchDescriptor<NotesV3.Note>(sortBy: [SortDescriptor(\.heading)]))
        #expect(notes.map(\.heading) == ["a", "b"])
        #expect(notes.map(\.words) == [3, 1])
        #expect(notes.map(\.stars) == [5, 5])
    }

    @Test func aStoreOfALaterVersionIsRefused() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("Notes.store"))
        do {
            let container = try ModelContainer(
                for: Schema(versionedSchema: NotesV3.self), configurations: configuration)
            let context = ModelContext(container)
            context.insert(NotesV3.Note(heading: "a", body: ""))
            try context.save()
        }
        #expect(throws: (any Error).self) {
            try ModelContainer(
                for: Schema(versionedSchema: NotesV2.self), migrationPlan: NotesPlan.self,
                configurations: configuration)
        }
        // Nothing is lost.
        let container = try ModelContainer(
            for: Schema(versionedSchema: NotesV3.self), configurations: configuration)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<NotesV3.Note>()) == 1)
    }
}
