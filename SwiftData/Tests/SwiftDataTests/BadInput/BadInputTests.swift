// Input that can't be used: an error says so, and nothing is lost.

import CoreData
import Foundation
import Testing

@testable import SwiftData

@Model
final class Stranger {
    var name: String
    init(name: String) { self.name = name }
}

enum BadInputV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Card.self] }

    @Model
    final class Card {
        var title: String
        init(title: String) { self.title = title }
    }
}

enum BadInputV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Card.self] }

    @Model
    final class Card {
        var title: String
        @Attribute(.codable) var size: Cover
        var number: Int?
        init(title: String, size: Cover) {
            self.title = title
            self.size = size
        }
    }
}

enum OldPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [BadInputV1.self] }
    static var stages: [MigrationStage] { [] }
}

@Suite struct BadInputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Cards.store") }

    private func container(_ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)? = nil) throws
        -> ModelContainer
    {
        try ModelContainer(
            for: schema, migrationPlan: plan, configurations: ModelConfiguration(schema: schema, url: url))
    }

    @Test func aClassOfNoContainer() throws {
        let context = ModelContext(try container(Schema(versionedSchema: BadInputV1.self)))
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<Stranger>()) }
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetchCount(FetchDescriptor<Stranger>()) }
        #expect(throws: SwiftDataError.unknownSchema) {
            try context.fetchIdentifiers(FetchDescriptor<Stranger>())
        }
        #expect(throws: SwiftDataError.unknownSchema) { try context.delete(model: Stranger.self) }
    }

    @Test func aFileThatIsNoStore() throws {
        let text = Data("This is no store, but somebody's text.\n".utf8)
        try text.write(to: url)
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try container(Schema(versionedSchema: BadInputV1.self))
        }
        let cause = error.map { ($0 as NSError).userInfo[NSUnderlyingErrorKey] } as? NSError
        #expect(cause?.domain == NSCocoaErrorDomain && cause?.code == NSFileReadCorruptFileError)
        #expect(try Data(contentsOf: url) == text)
    }

    @Test func aStoreOfALaterVersion() throws {
        let newer = ModelContext(try container(Schema(versionedSchema: BadInputV2.self)))
        newer.insert(BadInputV2.Card(title: "kept", size: Cover(title: "x")))
        try newer.save()
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try container(Schema(versionedSchema: BadInputV1.self), OldPlan.self)
        }
        let again = ModelContext(try container(Schema(versionedSchema: BadInputV2.self)))
        #expect(try again.fetch(FetchDescriptor<BadInputV2.Card>()).map(\.title) == ["kept"])
    }

    @Test func bytesThatDoNotDecode() throws {
        let schema = Schema(versionedSchema: BadInputV2.self)
        let context = ModelContext(try container(schema))
        context.insert(BadInputV2.Card(title: "a", size: Cover(title: "x")))
        try context.save()
        let managed = context.managed
        let object = try #require(
            try managed.fetch(NSFetchRequest<NSManagedObject>(entityName: "Card")).first)
        let garbage = Data([1, 2, 3])
        object.setValue(garbage as NSData, forKey: "size")
        try managed.save()

        let other = ModelContext(try container(schema))
        let card = try #require(try other.fetch(FetchDescriptor<BadInputV2.Card>()).first)
        card.number = 7
        try other.save()
        // Other properties are saved, and the bytes stay as they were.
        let third = ModelContext(try container(schema))
        let stored = try #require(
            try third.managed.fetch(NSFetchRequest<NSManagedObject>(entityName: "Card")).first)
        #expect(
            stored.value(forKey: "size") as? Data == garbage && stored.value(forKey: "number") as? Int == 7)
    }

    @Test func identifiersOfNoStore() throws {
        let context = ModelContext(try container(Schema(versionedSchema: BadInputV1.self)))
        let id = try PersistentIdentifier.identifier(
            for: UUID().uuidString, entityName: "Card", primaryKey: 5)
        let card: BadInputV1.Card? = context.registeredModel(for: id)
        #expect(card == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PersistentIdentifier.self, from: Data("{}".utf8))
        }
    }
}
