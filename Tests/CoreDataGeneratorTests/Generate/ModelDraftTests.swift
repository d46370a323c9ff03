import CoreDataFiles
import CoreDataGenerator
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ModelDraftTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func draft(_ text: String) throws -> ModelDraft {
        let file = folder.file("Classes.swift")
        try Data(text.utf8).write(to: file)
        return try ModelDraft(classesIn: [file])
    }

    private func written(_ draft: ModelDraft) throws -> ModelSchema {
        let url = folder.file("Library-\(UUID().uuidString).xcdatamodeld")
        try draft.write(to: url)
        return try ModelFile.read(url)
    }

    @Test func classesBecomeEntities() throws {
        let draft = try draft(
            """
            import CoreData
            class Item: NSManagedObject { @NSManaged var added: Date }
            final class Book: Item {
                @NSManaged public var title: String?
                @NSManaged var pages: Int32
                @NSManaged var price: NSDecimalNumber?
                @NSManaged var cover: Data?
                @NSManaged var tags: [String]?
                var isLong: Bool { pages > 500 }
            }
            extension Book { @NSManaged var author: Author? }
            class Author: NSManagedObject {
                @NSManaged var id: UUID
                @NSManaged var books: Set<Book>
            }
            struct Other {}
            """)
        let model = try written(draft)
        expect(model.entities.map(\.name), equals: ["Item", "Book", "Author"])
        let book = try #require(model.entities.first { $0.name == "Book" })
        expect(book.superentityName, equals: "Item")
        expect(book.className, equals: "Book")
        let types = Dictionary(uniqueKeysWithValues: book.properties.map { ($0.name, $0.attribute?.type) })
        expect(
            types,
            equals: [
                "title": .string, "pages": .integer32, "price": .decimal, "cover": .binaryData,
                "tags": .transformable, "author": nil,
            ])
        expect(book.properties.first { $0.name == "pages" }?.attribute?.usesScalarValueType, equals: true)
        let author = try #require(book.properties.first { $0.name == "author" }?.relationship)
        #expect(author.destinationEntityName == "Author" && author.inverseName == "books" && !author.isToMany)
        let writer = try #require(model.entities.first { $0.name == "Author" })
        expect(writer.properties.first { $0.name == "id" }?.isOptional, equals: false)
        let books = try #require(writer.properties.first { $0.name == "books" }?.relationship)
        #expect(books.inverseName == "author" && books.isToMany && !books.isOrdered)
        expect(draft.warnings.map(\.property), equals: ["tags"])
    }

    @Test func whatIsGuessedIsTold() throws {
        let draft = try draft(
            """
            import CoreData
            class Hero: NSManagedObject {
                @NSManaged var powers: NSOrderedSet?
                @NSManaged var things: NSSet?
            }
            class Power: NSManagedObject { @NSManaged var hero: Hero? }
            """)
        let model = try written(draft)
        let powers = try #require(model.entities[0].properties.first { $0.name == "powers" }?.relationship)
        #expect(powers.destinationEntityName == "Power" && powers.isOrdered && powers.inverseName == "hero")
        expect(draft.warnings.map(\.property), equals: ["powers", "things", "things"])
        #expect(draft.warnings.allSatisfy { $0.severity == .warning && $0.entity == "Hero" })
    }

    @Test func anEmptyModelIsOne() throws {
        try expect(written(ModelDraft()).entities, equals: [])
    }

    @Test func nothingIsReplaced() throws {
        let url = folder.file("A.xcdatamodeld")
        try ModelDraft().write(to: url)
        #expect(throws: GenerationFailure.self) { try ModelDraft().write(to: url) }
        #expect(throws: GenerationFailure.self) { try ModelDraft().write(to: folder.file("A.momd")) }
        #expect(throws: GenerationFailure.self) { try draft("struct A {}") }
        #expect(throws: GenerationFailure.self) { try ModelDraft(classesIn: [folder.file("none.swift")]) }
    }
}
