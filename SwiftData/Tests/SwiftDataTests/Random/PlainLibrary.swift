// The library as plain values, and what each version makes of it.

import Foundation
import ModelRuns

struct PlainLibrary: Equatable {
    struct Author: Equatable {
        var name: String
        var age: Int?
        var email: String?
        var isLiving = true
    }
    struct Book: Equatable {
        var title: String
        var pages: Int?
        var genre: String
        var price: Double
        var tags: [String]
        var cover: Data?
        var authors: Set<Int>
        var shelf: Int?
        var reviews: Set<Int> = []
        var room: String?
    }
    var version: Int
    var authors: [Int: Author] = [:]
    var books: [Int: Book] = [:]
    var shelves: [Int: String] = [:]
    var reviews: [Int: Int] = [:]
    var readers: [Int: Set<Int>] = [:]

    /// What a migration to the next version makes of it.
    func next() -> PlainLibrary {
        var new = self
        new.version += 1
        switch version {
        case 2:
            for (number, author) in authors {
                new.authors[number]?.age = author.age ?? 18
                new.authors[number]?.email = author.email ?? "none"
            }
        case 3:
            let sorted = books.sorted { ($0.value.title, $0.key) < ($1.value.title, $1.key) }
            var former: String?
            for (number, book) in sorted {
                if book.title == former { new.books[number]?.title += " (\(number))" }
                former = book.title
            }
            new.reviews[901] = 5
            new.readers[900] = [901]
            if let first = books.keys.min() { new.books[first]?.reviews.insert(901) }
        case 4:
            for (number, book) in books {
                new.books[number]?.room = book.shelf.flatMap { shelves[$0] }
                new.books[number]?.shelf = nil
            }
            new.shelves = [:]
        default: break
        }
        return new
    }

    func migrated(to last: Int) -> PlainLibrary {
        version >= last ? self : next().migrated(to: last)
    }
}

/// Random libraries.
extension PlainLibrary {
    init(version: Int, _ random: inout SeededGenerator) {
        self.init(version: version)
        for number in 1...(1 + random.pick(6)) {
            authors[number] = Author(
                name: "n\(random.pick(50))", age: random.pick(90), email: random.maybe { "e\($0.pick(9))" })
            if version > 1, random.pick(3) == 0 { authors[number]?.age = version > 2 ? 18 : nil }
            if version > 2, authors[number]?.email == nil { authors[number]?.email = "none" }
            if version > 1 { authors[number]?.isLiving = random.pick(2) == 0 }
        }
        for number in 100...(100 + random.pick(3)) { shelves[number] = "r\(random.pick(9))" }
        for number in 200...(200 + random.pick(12)) {
            let writers = Set(
                (0..<random.pick(version > 2 ? 4 : 2)).map { _ in random.pick(of: authors.keys.sorted()) })
            books[number] = Book(
                title: version > 3 ? "t\(number)" : "t\(random.pick(8))", pages: random.pick(900),
                genre: random.pick(of: ["novel", "poem", "essay"]), price: Double(random.pick(400)) / 8,
                tags: (0..<random.pick(3)).map { "g\($0)" },
                cover: random.maybe { Data(repeating: 7, count: [3, 300_000][$0.pick(2)]) }, authors: writers,
                shelf: random.maybe { $0.pick(of: self.shelves.keys.sorted()) })
            if version > 1, random.pick(4) == 0 { books[number]?.pages = nil }
            if version > 4 {
                books[number]?.room = random.maybe { "r\($0.pick(9))" }
                books[number]?.shelf = nil
            }
        }
        if version > 4 { shelves = [:] }
        if version > 2 {
            for number in 300..<(300 + random.pick(6)) {
                reviews[number] = random.pick(5)
                books[random.pick(of: books.keys.sorted())]?.reviews.insert(number)
            }
        }
        if version > 3 {
            for number in 800..<(800 + random.pick(3)) {
                let taken = Set(readers.values.joined())
                readers[number] = Set(
                    reviews.keys.sorted().filter { !taken.contains($0) && random.pick(2) == 0 })
            }
        }
    }
}
