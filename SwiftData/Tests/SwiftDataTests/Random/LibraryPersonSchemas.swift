// The versions of the library that have persons.

import Foundation
import SwiftData

/// Authors become persons with a superclass; titles become unique, which the stage before sees to.
enum LibraryV4: VersionedSchema {
    static let versionIdentifier = Schema.Version(4, 0, 0)
    static var models: [any PersistentModel.Type] {
        [Person.self, Author.self, Reader.self, Book.self, Shelf.self, Review.self]
    }

    @Model
    class Person {
        var number: Int
        var fullName: String
        var email: String = "none"

        init(number: Int, fullName: String) { (self.number, self.fullName) = (number, fullName) }
    }

    @Model
    final class Author: Person {
        var age: Int = 18
        var isLiving = true
        var books: [Book] = []

        override init(number: Int, fullName: String) { super.init(number: number, fullName: fullName) }
    }

    @Model
    final class Reader: Person {
        @Relationship(inverse: \Review.reader) var reviews: [Review] = []

        override init(number: Int, fullName: String) { super.init(number: number, fullName: fullName) }
    }

    @Model
    final class Book {
        var number: Int
        @Attribute(.unique) var title: String
        var pages: Int?
        var genre: LibraryV2.Genre
        var price: Double
        var tags: [String] = []
        @Attribute(.externalStorage) var cover: Data?
        @Relationship(inverse: \Author.books) var authors: [Author] = []
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
        var reader: Reader?

        init(number: Int, stars: Int) { (self.number, self.stars) = (number, stars) }
    }
}

/// A property of the subclass moves up, another is renamed, shelves go away, and a custom stage fills what is new.
enum LibraryV5: VersionedSchema {
    static let versionIdentifier = Schema.Version(5, 0, 0)
    static var models: [any PersistentModel.Type] {
        [Person.self, Author.self, Reader.self, Book.self, Review.self]
    }

    struct Money: Codable, Hashable {
        var amount: Decimal = 0
        var currency: String = "EUR"
    }

    @Model
    class Person {
        #Index<Person>([\.fullName])
        var number: Int
        var fullName: String
        @Attribute(originalName: "email") var mail: String = "none"
        var isLiving = true

        init(number: Int, fullName: String) { (self.number, self.fullName) = (number, fullName) }
    }

    @Model
    final class Author: Person {
        var age: Int = 18
        var books: [Book] = []

        override init(number: Int, fullName: String) { super.init(number: number, fullName: fullName) }
    }

    @Model
    final class Reader: Person {
        @Relationship(inverse: \Review.reader) var reviews: [Review] = []

        override init(number: Int, fullName: String) { super.init(number: number, fullName: fullName) }
    }

    @Model
    final class Book {
        var number: Int
        @Attribute(.unique) var title: String
        var pages: Int?
        var genre: LibraryV2.Genre
        var price: Double
        var cost: Money = Money()
        var room: String?
        var tags: [String] = []
        @Attribute(.externalStorage) var cover: Data?
        @Relationship(inverse: \Author.books) var authors: [Author] = []
        @Relationship(deleteRule: .cascade, inverse: \Review.book) var reviews: [Review] = []

        init(number: Int, title: String, genre: LibraryV2.Genre, price: Double) {
            (self.number, self.title, self.genre, self.price) = (number, title, genre, price)
        }
    }

    @Model
    final class Review {
        var number: Int
        var stars: Int
        var book: Book?
        var reader: Reader?

        init(number: Int, stars: Int) { (self.number, self.stars) = (number, stars) }
    }
}
