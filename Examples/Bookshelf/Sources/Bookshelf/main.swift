// A walk through a library: swift run Bookshelf [FILE]
//
// FILE is where the store is made, anew each time; a temporary file unless given.

import CoreData

func heading(_ text: String) { print("\n\(text)") }

func list(_ books: [Book]) {
    for book in books { print("  \(book.year)  \(book.title), \(book.author?.name ?? "?")") }
}

let file =
    CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
    ?? FileManager.default.temporaryDirectory.appendingPathComponent("Bookshelf.sqlite")
for ending in ["", "-wal", "-shm"] {
    try? FileManager.default.removeItem(atPath: file.path + ending)  // there may be none
}

// 1. Open a store and save objects in it.
let library = try Library(file: file)
let context = library.container.viewContext
try library.fill(in: context)
print("Made \(file.path)")

// 2. Ask for objects. The database answers; no object is read that doesn't match.
heading("Novels of more than 400 pages")
list(try library.books(where: "ANY tags.name == %@ AND pages > %@", ["novel", 400], in: context))
heading("Titles with an \"e\" from before 1850, whatever their case and accents")
list(try library.books(where: "title CONTAINS[cd] 'É' AND year < 1850", in: context))
heading("Books of authors who wrote more than one")
list(try library.books(where: "author.books.@count > 1", in: context))

// 3. Let the database sum up.
heading("Pages by author")
for (author, pages) in try library.pages(in: context) { print("  \(pages)  \(author)") }

// 4. Change objects: an attribute, the order on a shelf, a tag; and delete an author with her books.
let window = try library.shelf("By the window", in: context)
if let window, let first = window.books.firstObject as? Book {
    first.isRead = true
    first.tags = []
    window.books.moveObjects(at: IndexSet(integer: 0), to: 3)
}
if let emily = try library.books(where: "author.name BEGINSWITH 'Emily'", in: context).first?.author {
    context.delete(emily)
}
try context.save()

// 5. Read what the file holds now, in another context that knows nothing of the first.
let other = library.container.newBackgroundContext()
try other.performAndWait {
    heading("By the window, from left to right")
    for title in try library.shelf("By the window", in: other)?.titles ?? [] { print("  \(title)") }
    heading("Read")
    list(try library.books(where: "isRead == YES", in: other))
    heading("Science")
    for book in try library.books(where: "ANY tags.name == 'science'", in: other) {
        let tags = book.tags.map(\.name).sorted().joined(separator: ", ")
        print("  \(book.title): \(tags), on the shelf \"\(book.shelf?.name ?? "none")\"")
    }
}
