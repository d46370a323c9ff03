// The model's classes. Each property says which attribute or relationship of the model it stands for.

import CoreData

/// Somebody who wrote books. Deleting an author deletes the books: the rule of `books` is Cascade.
final class Author: NSManagedObject {
    var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }

    /// A to-many relationship as a native set.
    var books: Set<Book> { relatedObjects(forKey: "books") }
}

/// A book, by one author, on one shelf or none, with any number of tags.
final class Book: NSManagedObject {
    var title: String {
        get { value(forKey: "title") as? String ?? "" }
        set { setValue(newValue, forKey: "title") }
    }
    var year: Int {
        get { value(forKey: "year") as? Int ?? 0 }
        set { setValue(newValue, forKey: "year") }
    }
    var pages: Int {
        get { value(forKey: "pages") as? Int ?? 0 }
        set { setValue(newValue, forKey: "pages") }
    }
    var isRead: Bool {
        get { value(forKey: "isRead") as? Bool ?? false }
        set { setValue(newValue, forKey: "isRead") }
    }

    /// A to-one relationship. Setting it also changes the author's `books`, its inverse.
    var author: Author? {
        get { value(forKey: "author") as? Author }
        set { setValue(newValue, forKey: "author") }
    }
    var shelf: Shelf? { value(forKey: "shelf") as? Shelf }

    /// A many-to-many relationship: a tag knows its books as well.
    var tags: Set<Tag> {
        get { relatedObjects(forKey: "tags") }
        set { setValue(newValue, forKey: "tags") }
    }
}

/// A shelf, where books stand in an order.
final class Shelf: NSManagedObject {
    var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }

    /// An ordered to-many relationship. Changes of the set change the relationship.
    var books: NSMutableOrderedSet { mutableOrderedSetValue(forKey: "books") }
    var titles: [String] { books.compactMap { ($0 as? Book)?.title } }
}

/// A word that books are found by.
final class Tag: NSManagedObject {
    var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }
    var books: Set<Book> { relatedObjects(forKey: "books") }
}
