// A library of books in five versions, with changes of almost every kind between them.

import Foundation
import SwiftData

enum LibraryV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Author.self, Book.self, Shelf.self] }

    struct Address: Codable, Hashable {
        var city: String
        var zip: Int
    }

    @Model
    final class Author {
        var number: Int
        var name: String
        var age: Int16
        var email: String?
        var address: Address
        @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

        init(number: Int, name: String, age: Int16, address: Address) {
            (self.number, self.name, self.age, self.address) = (number, name, age, address)
        }
    }

    @Model
    final class Book {
        var number: Int
        var title: String
        var pages: Int32
        var genre: String
        var price: Float
        var tags: [String] = []
        var cover: Data?
        var author: Author?
        var shelf: Shelf?

        init(number: Int, title: String, pages: Int32, genre: String, price: Float) {
            (self.number, self.title, self.pages, self.genre) = (number, title, pages, genre)
            self.price = price
        }
    }

    @Model
    final class Shelf {
        var number: Int
        var room: String
        @Relationship(inverse: \Book.shelf) var books: [Book] = []

        init(number: Int, room: String) { (self.number, self.room) = (number, room) }
    }
}

/// Renamed properties, wider numbers, optional ones, an enumeration of the stored texts, a field more.
enum LibraryV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Author.self, Book.self, Shelf.self] }

    enum Genre: String, Codable { case novel, poem, essay }

    struct Address: Codable, Hashable {
        var city: String
        var zip: Int
        var street: String?
    }

    @Model
    final class Author {
        var number: Int
        @Attribute(originalName: "name") var fullName: String
        var age: Int?
        var email: String?
        var address: Address
        var isLiving = true
        @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

        init(number: Int, fullName: String, address: Address) {
            (self.number, self.fullName, self.address) = (number, fullName, address)
        }
    }

    @Model
    final class Book {
        var number: Int
        var title: String
        var pages: Int?
        var genre: Genre
        var price: Double
        var tags: [String] = []
        @Attribute(.externalStorage) var cover: Data?
        var author: Author?
        @Relationship(originalName: "shelf") var place: Shelf?

        init(number: Int, title: String, genre: Genre, price: Double) {
            (self.number, self.title, self.genre, self.price) = (number, title, genre, price)
        }
    }

    @Model
    final class Shelf {
        var number: Int
        var room: String
        @Relationship(originalName: "books", inverse: \Book.place) var content: [Book] = []

        init(number: Int, room: String) { (self.number, self.room) = (number, room) }
    }
}

/// A relationship to one leads to many, required what was optional, a new model, the structure is gone.
enum LibraryV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Author.self, Book.self, Shelf.self, Review.self] }

    @Model
    final class Author {
        var number: Int
        var fullName: String
        var age: Int = 18
        var email: String = "none"
        var isLiving = true
        var books: [Book] = []

        init(number: Int, fullName: String) { (self.number, self.fullName) = (number, fullName) }
    }

    @Model
    final class Book {
        var number: Int
        var title: String
        var pages: Int?
        var genre: LibraryV2.Genre
        var price: Double
        var tags: [String] = []
        @Attribute(.externalStorage) var cover: Data?
        @Relationship(originalName: "author", inverse: \Author.books) var authors: [Author] = []
        var place: Shelf?
        @Relationship(deleteRule: .cascade, inverse: \Review.book) var reviews: [Review] = []

        init(number: Int, title: String, genre: LibraryV2.Genre, price: Double) {
            (self.number, self.title, self.genre, self.price) = (number, title, genre, price)
        }
    }

    @Model
    final class Shelf {
        var number: Int
        var room: String
        @Relationship(inverse: \Book.place) var content: [Book] = []

        init(number: Int, room: String) { (self.number, self.room) = (number, room) }
    }

    @Model
    final class Review {
        var number: Int
        var stars: Int
        var book: Book?

        init(number: Int, stars: Int) { (self.number, self.stars) = (number, stars) }
    }
}
