// Models in a PostgreSQL database on a server of the tests' own.

import Foundation
import SwiftData
import SwiftDataPostgreSQL
import Testing

enum Genre: String, Codable {
    case novel, poetry
}

struct Edition: Codable, Equatable {
    var year: Int
    var publisher: String?
}

@Model
class Work {
    #Unique<Work>([\.title])

    @Attribute(.preserveValueOnDeletion) var title: String
    var genre: Genre
    var price: Decimal?
    var pages: Int
    var published: Date
    var edition: Edition?
    var writer: Writer?

    init(
        title: String, genre: Genre = .novel, pages: Int = 100,
        published: Date = Date(timeIntervalSince1970: 0)
    ) {
        self.title = title
        self.genre = genre
        self.pages = pages
        self.published = published
    }
}

@Model
final class Translation: Work {
    var language: String

    init(title: String, language: String) {
        self.language = language
        super.init(title: title)
    }
}

@Model
final class Writer {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Work.writer) var works: [Work] = []

    init(name: String) { self.name = name }
}

@Suite(
    .enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"), .timeLimit(.minutes(20)))
struct PostgreSQLModelTests {
    private let configuration: ModelConfiguration

    init() throws {
        let name = "s_" + UUID().uuidString.prefix(8).lowercased()
        configuration = ModelConfiguration(
            postgreSQL: try PostgreSQLServer.shared().address(), databaseSchema: name, schema: Self.schema)
    }

    private static let schema = Schema([Work.self, Translation.self, Writer.self])

    private func container() throws -> ModelContainer {
        try ModelContainer(for: Self.schema, configurations: configuration)
    }

    @Test func modelsAreSavedAndReadBack() throws {
        let context = ModelContext(try container())
        let work = Work(
            title: "Odes", genre: .poetry, pages: 80, published: Date(timeIntervalSince1970: 1_000_000))
        work.edition = Edition(year: 1990, publisher: nil)
        work.price = Decimal(string: "12.50")
        let writer = Writer(name: "Sappho")
        writer.works = [work, Translation(title: "Songs", language: "en")]
        context.insert(writer)
        try context.save()

        let other = ModelContext(try container())
        let read = try #require(
            try other.fetch(FetchDescriptor<Work>(predicate: #Predicate { $0.title == "Odes" })).first)
        #expect(read.genre == .poetry && read.pages == 80 && read.price == Decimal(string: "12.50"))
        #expect(read.published == Date(timeIntervalSince1970: 1_000_000))
        #expect(read.edition == Edition(year: 1990, publisher: nil))
        #expect(Set(read.writer?.works.map(\.title) ?? []) == ["Odes", "Songs"])
        #expect(try other.fetch(FetchDescriptor<Translation>()).map(\.language) == ["en"])
        #expect(read.persistentModelID == work.persistentModelID)
        other.delete(try #require(read.writer))
        try other.save()
        #expect(try ModelContext(try container()).fetchCount(FetchDescriptor<Work>()) == 0)
    }

    @Test func predicatesRunOnTheServer() throws {
        let context = ModelContext(try container())
        for number in 1...20 { context.insert(Work(title: "W\(number)", pages: number * 10)) }
        try context.save()
        let fresh = ModelContext(try container())
        var descriptor = FetchDescriptor<Work>(
            predicate: #Predicate { $0.pages > 50 && $0.title.contains("1") },
            sortBy: [SortDescriptor(\.pages, order: .reverse)])
        descriptor.fetchLimit = 3
        #expect(try fresh.fetch(descriptor).map(\.title) == ["W19", "W18", "W17"])
        #expect(try fresh.fetchCount(FetchDescriptor<Work>(predicate: #Predicate { $0.writer == nil })) == 20)
    }

    @Test func uniqueValuesUpdateWhatIsThere() throws {
        let context = ModelContext(try container())
        context.insert(Work(title: "Odes", pages: 1))
        try context.save()
        let other = ModelContext(try container())
        other.insert(Work(title: "Odes", pages: 2))
        try other.save()
        #expect(try ModelContext(try container()).fetch(FetchDescriptor<Work>()).map(\.pages) == [2])
    }

    @Test func history() throws {
        let container = try container()
        let context = ModelContext(container)
        context.author = "importer"
        let work = Work(title: "Odes")
        context.insert(work)
        try context.save()
        let token = try #require(
            try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
        ).token
        context.delete(work)
        try context.save()
        let later = try context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
        #expect(later.count == 1 && later.first?.author == "importer")
        guard case .delete(let delete as DefaultHistoryDelete<Work>)? = later.first?.changes.first else {
            Issue.record("no deletion in \(later)")
            return
        }
        #expect(delete.tombstone[\.title] as? String == "Odes")
    }

    @Test func otherProcessesAreHeard() async throws {
        let query = LiveQuery(try container()) { try $0.fetchCount(FetchDescriptor<Work>()) }
        var counts = query.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        let other = ModelContext(try container())
        other.insert(Work(title: "Odes"))
        try other.save()
        #expect(try await counts.next() == 1)
    }

    @Test func secretsAreShownNowhere() {
        let hidden = ModelConfiguration(
            postgreSQL: "postgresql://ann:secret@db.example/library", databaseSchema: "books")
        #expect(hidden.name == "books" && !hidden.debugDescription.contains("secret"))
        #expect(!hidden.url.absoluteString.contains("secret") && !hidden.id.contains("secret"))
        #expect(hidden != ModelConfiguration(postgreSQL: "postgresql://db.example/other"))
    }

    @Test func addressesThatCannotBeReadAreErrors() {
        #expect(throws: (any Error).self) {
            try ModelContainer(
                for: Self.schema, configurations: ModelConfiguration(postgreSQL: "postgresql://[::"))
        }
    }
}
