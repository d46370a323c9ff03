import CoreData
import Testing

@testable import Bookshelf

@Suite struct LibraryTests {
    /// Runs the body with a filled library in a file of its own.
    private func withLibrary(_ body: (Library) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Library(file: folder.appendingPathComponent("Bookshelf.sqlite"))
        let context = library.container.newBackgroundContext()
        try context.performAndWait { try library.fill(in: context) }
        try body(library)
    }

    @Test func predicatesFindBooks() throws {
        try withLibrary { library in
            let context = library.container.newBackgroundContext()
            try context.performAndWait {
                let long = try library.books(
                    where: "ANY tags.name == %@ AND pages > %@", ["novel", 400], in: context)
                #expect(long.map(\.title) == ["The Last Man", "Wuthering Heights"])
                let byMany = try library.books(where: "author.books.@count > 1", in: context)
                #expect(byMany.map(\.title) == ["Frankenstein", "The Last Man"])
                #expect(try library.books(where: "author.name ENDSWITH 'Bronte'", in: context).isEmpty)
                #expect(try library.books(where: "author.name ENDSWITH[d] 'Bronte'", in: context).count == 1)
            }
        }
    }

    @Test func pagesAreSummedByAuthor() throws {
        try withLibrary { library in
            let context = library.container.newBackgroundContext()
            try context.performAndWait {
                let pages = try library.pages(in: context)
                #expect(pages.map(\.author) == ["Charles Darwin", "Emily Brontë", "Mary Shelley"])
                #expect(pages.map(\.pages) == [502, 416, 759])
            }
        }
    }

    @Test func ordersAndInversesAreSaved() throws {
        try withLibrary { library in
            let context = library.container.newBackgroundContext()
            try context.performAndWait {
                let shelf = try #require(try library.shelf("By the window", in: context))
                shelf.books.moveObjects(at: IndexSet(integer: 0), to: 3)
                let mary = try #require(
                    try library.books(where: "title == 'Frankenstein'", in: context).first?.author)
                context.delete(mary)
                try context.save()
            }
            let other = library.container.newBackgroundContext()
            try other.performAndWait {
                let shelf = try #require(try library.shelf("By the window", in: other))
                #expect(shelf.titles == ["Wuthering Heights", "On the Origin of Species"])
                let darwin = try #require(try library.books(where: "year == 1859", in: other).first)
                #expect(darwin.shelf === shelf && darwin.author?.books == [darwin])
                #expect(darwin.tags.first?.books == [darwin])
            }
        }
    }
}
