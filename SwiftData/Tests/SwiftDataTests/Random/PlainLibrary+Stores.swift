// Writing a plain library with the models of a version, and reading that of the last one.

import Foundation
import SwiftData

extension PlainLibrary {
    static var versions: [any VersionedSchema.Type] { LibraryPlan.schemas }

    func write(to url: URL) throws {
        let context = ModelContext(
            try ModelContainer(
                for: Schema(versionedSchema: Self.versions[version - 1]),
                configurations: ModelConfiguration(url: url)))
        switch version {
        case 1: writeFirst(context)
        case 2: writeSecond(context)
        case 3: writeThird(context)
        case 4: writeFourth(context)
        default: writeFifth(context)
        }
        try context.save()
    }

    private func writeFirst(_ context: ModelContext) {
        typealias Version = LibraryV1
        let writers = authors.map { number, author in
            let model = Version.Author(
                number: number, name: author.name, age: Int16(author.age ?? 0),
                address: Version.Address(city: "c", zip: number))
            model.email = author.email
            context.insert(model)
            return (number, model)
        }
        let places = shelves.map { ($0, Version.Shelf(number: $0, room: $1)) }
        for (number, book) in books {
            let model = Version.Book(
                number: number, title: book.title, pages: Int32(book.pages ?? 0), genre: book.genre,
                price: Float(book.price))
            (model.tags, model.cover) = (book.tags, book.cover)
            context.insert(model)
            model.author = writers.first { book.authors.contains($0.0) }?.1
            model.shelf = places.first { $0.0 == book.shelf }?.1
        }
        for (_, place) in places { context.insert(place) }
    }

    private func writeSecond(_ context: ModelContext) {
        typealias Version = LibraryV2
        let writers = authors.map { number, author in
            let model = Version.Author(
                number: number, fullName: author.name, address: Version.Address(city: "c", zip: number))
            (model.email, model.age, model.isLiving) = (author.email, author.age, author.isLiving)
            context.insert(model)
            return (number, model)
        }
        let places = shelves.map { ($0, Version.Shelf(number: $0, room: $1)) }
        for (number, book) in books {
            let model = Version.Book(
                number: number, title: book.title, genre: .init(rawValue: book.genre) ?? .poem,
                price: book.price)
            (model.tags, model.cover, model.pages) = (book.tags, book.cover, book.pages)
            context.insert(model)
            model.author = writers.first { book.authors.contains($0.0) }?.1
            model.place = places.first { $0.0 == book.shelf }?.1
        }
        for (_, place) in places { context.insert(place) }
    }

    private func writeThird(_ context: ModelContext) {
        typealias Version = LibraryV3
        let writers = authors.map { number, author in
            let model = Version.Author(number: number, fullName: author.name)
            (model.email, model.age, model.isLiving) = (author.email ?? "", author.age ?? 0, author.isLiving)
            context.insert(model)
            return (number, model)
        }
        let places = shelves.map { ($0, Version.Shelf(number: $0, room: $1)) }
        for (number, book) in books {
            let model = Version.Book(
                number: number, title: book.title, genre: .init(rawValue: book.genre) ?? .poem,
                price: book.price)
            (model.tags, model.cover, model.pages) = (book.tags, book.cover, book.pages)
            context.insert(model)
            model.authors = writers.filter { book.authors.contains($0.0) }.map(\.1)
            model.place = places.first { $0.0 == book.shelf }?.1
            model.reviews = book.reviews.map { Version.Review(number: $0, stars: reviews[$0] ?? 0) }
        }
        for (_, place) in places { context.insert(place) }
    }

    private func writeFourth(_ context: ModelContext) {
        typealias Version = LibraryV4
        let writers = authors.map { number, author in
            let model = Version.Author(number: number, fullName: author.name)
            (model.email, model.age, model.isLiving) = (author.email ?? "", author.age ?? 0, author.isLiving)
            context.insert(model)
            return (number, model)
        }
        let readers = readers.keys.map { Version.Reader(number: $0, fullName: "Reader") }
        for reader in readers { context.insert(reader) }
        let places = shelves.map { ($0, Version.Shelf(number: $0, room: $1)) }
        for (number, book) in books {
            let model = Version.Book(
                number: number, title: book.title, genre: .init(rawValue: book.genre) ?? .poem,
                price: book.price)
            (model.tags, model.cover, model.pages) = (book.tags, book.cover, book.pages)
            context.insert(model)
            model.authors = writers.filter { book.authors.contains($0.0) }.map(\.1)
            model.place = places.first { $0.0 == book.shelf }?.1
            model.reviews = book.reviews.map { Version.Review(number: $0, stars: reviews[$0] ?? 0) }
            for review in model.reviews {
                review.reader = readers.first { self.readers[$0.number]?.contains(review.number) == true }
            }
        }
        for (_, place) in places { context.insert(place) }
    }

    private func writeFifth(_ context: ModelContext) {
        typealias Version = LibraryV5
        let writers = authors.map { number, author in
            let model = Version.Author(number: number, fullName: author.name)
            (model.mail, model.age, model.isLiving) = (author.email ?? "", author.age ?? 0, author.isLiving)
            context.insert(model)
            return (number, model)
        }
        let readers = readers.keys.map { Version.Reader(number: $0, fullName: "Reader") }
        for reader in readers { context.insert(reader) }
        for (number, book) in books {
            let model = Version.Book(
                number: number, title: book.title, genre: .init(rawValue: book.genre) ?? .poem,
                price: book.price)
            (model.tags, model.cover, model.pages, model.room) = (
                book.tags, book.cover, book.pages, book.room
            )
            model.cost = .init(amount: Decimal(Int(book.price * 4)) / 4, currency: "USD")
            context.insert(model)
            model.authors = writers.filter { book.authors.contains($0.0) }.map(\.1)
            model.reviews = book.reviews.map { Version.Review(number: $0, stars: reviews[$0] ?? 0) }
            for review in model.reviews {
                review.reader = readers.first { self.readers[$0.number]?.contains(review.number) == true }
            }
        }
    }

    static func open(_ url: URL) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: LibraryV5.self), migrationPlan: LibraryPlan.self,
            configurations: ModelConfiguration(url: url))
    }

    /// What a store of the last version has; migrates it.
    init(readingFrom url: URL) throws {
        typealias Version = LibraryV5
        self.init(version: 5)
        let context = ModelContext(try Self.open(url))
        for model in try context.fetch(FetchDescriptor<Version.Author>()) {
            authors[model.number] = Author(
                name: model.fullName, age: model.age, email: model.mail, isLiving: model.isLiving)
        }
        for model in try context.fetch(FetchDescriptor<Version.Reader>()) {
            readers[model.number] = Set(model.reviews.map(\.number))
        }
        for model in try context.fetch(FetchDescriptor<Version.Review>()) {
            reviews[model.number] = model.stars
        }
        for model in try context.fetch(FetchDescriptor<Version.Book>()) {
            books[model.number] = Book(
                title: model.title, pages: model.pages, genre: model.genre.rawValue, price: model.price,
                tags: model.tags, cover: model.cover, authors: Set(model.authors.map(\.number)), shelf: nil,
                reviews: Set(model.reviews.map(\.number)), room: model.room)
            let cost = Version.Money(amount: Decimal(Int(model.price * 4)) / 4, currency: "USD")
            if model.cost != cost { books[model.number]?.title += " costs \(model.cost)" }
            for author in model.authors where !author.books.contains(model) {
                books[model.number]?.title += " isn't \(author.number)'s"
            }
        }
        let persons = try context.fetchCount(FetchDescriptor<Version.Person>())
        if persons != authors.count + readers.count { shelves[persons] = "persons" }
    }
}
