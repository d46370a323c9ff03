// The store, and what this program does with it.

import CoreData

/// A library in a SQLite file.
struct Library {
    let container: NSPersistentContainer

    /// Opens the store in the file, or makes one. The container finds `Bookshelf.xcdatamodeld` beside the program.
    init(file: URL) throws {
        // There is no Objective-C runtime that would find classes by the names in the model, so we state them.
        Author.registerClass()
        Book.registerClass()
        Shelf.registerClass()
        Tag.registerClass()
        container = NSPersistentContainer(name: "Bookshelf")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Inserts three authors with their books, tags and a shelf, and saves them in one transaction.
    func fill(in context: NSManagedObjectContext) throws {
        let novel = Tag(context: context)
        novel.name = "novel"
        let science = Tag(context: context)
        science.name = "science"

        func add(_ title: String, _ year: Int, _ pages: Int, by author: Author, _ tags: Set<Tag>) -> Book {
            let book = Book(context: context)
            (book.title, book.year, book.pages) = (title, year, pages)
            (book.author, book.tags) = (author, tags)
            return book
        }
        let mary = Author(context: context)
        mary.name = "Mary Shelley"
        let frankenstein = add("Frankenstein", 1818, 280, by: mary, [novel, science])
        let lastMan = add("The Last Man", 1826, 479, by: mary, [novel])
        let charles = Author(context: context)
        charles.name = "Charles Darwin"
        let origin = add("On the Origin of Species", 1859, 502, by: charles, [science])
        let emily = Author(context: context)
        emily.name = "Emily Brontë"
        let heights = add("Wuthering Heights", 1847, 416, by: emily, [novel])

        let shelf = Shelf(context: context)
        shelf.name = "By the window"
        shelf.books.addObjects(from: [origin, heights, frankenstein, lastMan])
        try context.save()
    }

    /// The books that match a predicate, oldest first.
    func books(where format: String, _ arguments: [Any] = [], in context: NSManagedObjectContext) throws
        -> [Book]
    {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
        return try context.fetch(request)
    }

    /// Returns the number of pages that each author wrote: grouped and summed by the database.
    func pages(in context: NSManagedObjectContext) throws -> [(author: String, pages: Int)] {
        let sum = NSExpressionDescription()
        sum.name = "sum"
        sum.expression = NSExpression(format: "sum:(pages)")
        sum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["author.name"]
        request.propertiesToFetch = ["author.name", sum]
        request.sortDescriptors = [NSSortDescriptor(key: "author.name", ascending: true)]
        return try context.fetch(request).map {
            ($0["author.name"] as? String ?? "", $0["sum"] as? Int ?? 0)
        }
    }

    /// The shelf of that name.
    func shelf(_ name: String, in context: NSManagedObjectContext) throws -> Shelf? {
        let request = NSFetchRequest<Shelf>(entityName: "Shelf")
        request.predicate = NSPredicate(format: "name == %@", name)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }
}
