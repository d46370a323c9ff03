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
    static let renaming = MigrationStage.lightweight(fromVersion: NotesV1.self, toVersion: NotesV2.self)
    static var stages: [MigrationStage] {
        [
            renaming,
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

enum PlacesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Place.self] }

    struct Address: Codable, Equatable { var city: String }

    @Model
    final class Place {
        var name: String
        var address: Address

        init(name: String, address: Address) {
            self.name = name
            self.address = address
        }
    }
}

enum PlacesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Place.self] }

    struct Address: Codable, Equatable {
        var city: String
        var zip: Int?
    }

    @Model
    final class Place {
        var name: String
        var address: Address

        init(name: String, address: Address) {
            self.name = name
            self.address = address
        }
    }
}

enum PlacesV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Place.self] }

    enum Kind: Codable, Equatable {
        case city, other(String)
    }

    @Model
    final class Place {
        var name: String
        var address: PlacesV2.Address
        var added: Date = Date(timeIntervalSinceReferenceDate: 7)
        var number: UUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var page: URL = URL(fileURLWithPath: "/a")
        var content: Data = Data([1, 2])
        @Attribute(.externalStorage) var image: Data = Data([3])
        var tags: [String] = ["new"]
        var kind: Kind = Kind.other("x")

        init(name: String, address: PlacesV2.Address) {
            self.name = name
            self.address = address
        }
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

    private func makePlaces(_ configuration: ModelConfiguration) throws {
        let container = try ModelContainer(
            for: Schema(versionedSchema: PlacesV1.self), configurations: configuration)
        let context = ModelContext(container)
        context.insert(PlacesV1.Place(name: "a", address: .init(city: "Ulm")))
        try context.save()
    }

    /// The fields of a structure are elements of its attribute.
    @Test func aStructureGetsAField() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("Places.store"))
        try makePlaces(configuration)
        let container = try ModelContainer(
            for: Schema(versionedSchema: PlacesV2.self), configurations: configuration)
        let context = ModelContext(container)
        let place = try #require(try context.fetch(FetchDescriptor<PlacesV2.Place>()).first)
        #expect(place.address == PlacesV2.Address(city: "Ulm"))
        place.address.zip = 89073
        try context.save()
        let found = try ModelContext(container).fetch(
            FetchDescriptor<PlacesV2.Place>(predicate: #Predicate { $0.address.zip == 89073 }))
        #expect(found.count == 1)
    }

    @Test func newPropertiesHaveTheirInitialValues() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("Places.store"))
        try makePlaces(configuration)
        let container = try ModelContainer(
            for: Schema(versionedSchema: PlacesV3.self), configurations: configuration)
        let place = try #require(
            try ModelContext(container).fetch(FetchDescriptor<PlacesV3.Place>()).first)
        let new = PlacesV3.Place(name: "b", address: .init(city: "Bonn"))
        #expect(place.name == "a")
        #expect(place.added == new.added && place.number == new.number && place.page == new.page)
        #expect(place.content == Data([1, 2]) && place.image == Data([3]))
        #expect(place.tags == ["new"] && place.kind == .other("x"))
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
