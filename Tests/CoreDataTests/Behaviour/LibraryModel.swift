// A model with every kind of property and relationship, and everything that a context sees of it as text.

import CoreData
import CoreDataTestSupport
import Foundation

/// Authors write books in an order, books have genres and a publisher; authors teach, befriend and like.
enum LibraryModel {
    static func make() -> NSManagedObjectModel {
        let author = entity("Author", NSAttributeDescription.all(("born", .dateAttributeType)) + values())
        author.attributesByName["name"]?.isOptional = false
        author.uniquenessConstraints = [["name"]]
        let book = entity(
            "Book",
            NSAttributeDescription.all(("pages", .integer32AttributeType), ("price", .decimalAttributeType)))
        book.attributesByName["pages"]?.setValidationPredicates(
            [NSPredicate(format: "SELF > 0")], withValidationWarnings: ["No pages"])
        let novel = entity("Novel", NSAttributeDescription.all(("hero", .stringAttributeType)), named: false)
        book.subentities = [novel]
        let (genre, publisher) = (entity("Genre", []), entity("Publisher", []))
        NSRelationshipDescription.connect(
            author, "books", .ordered, book, "author", .one, rule: .cascadeDeleteRule)
        NSRelationshipDescription.connect(author, "pupils", .many, author, "mentor", .one)
        NSRelationshipDescription.connect(author, "partner", .one, author, "partnerOf", .one)
        NSRelationshipDescription.connect(book, "genres", .many, genre, "books", .many)
        NSRelationshipDescription.connect(book, "sequels", .ordered, book, "prequels", .many)
        NSRelationshipDescription.connect(
            publisher, "books", .many, book, "publisher", .one, rule: .denyDeleteRule)
        let friends = NSRelationshipDescription("friends", to: author, .many)
        friends.inverseRelationship = friends
        let liked = NSRelationshipDescription("liked", to: genre, .many)
        let home = NSRelationshipDescription("home", to: publisher, .one)
        author.properties += [friends, liked, home]
        let model = NSManagedObjectModel()
        model.entities = [author, book, novel, genre, publisher]
        return model
    }

    /// The attributes that aren't plain values: a transformable, a composite, a transient attribute and
    /// one with files of its own.
    private static func values() -> [NSPropertyDescription] {
        let values = NSAttributeDescription.all(
            ("tags", .transformableAttributeType), ("portrait", .binaryDataAttributeType),
            ("draft", .stringAttributeType), ("key", .UUIDAttributeType), ("site", .URIAttributeType),
            ("height", .doubleAttributeType), ("alive", .booleanAttributeType))
        values[1].allowsExternalBinaryDataStorage = true
        values[2].isTransient = true
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = NSAttributeDescription.all(
            ("city", .stringAttributeType), ("floor", .integer16AttributeType))
        return values + [place]
    }

    private static func entity(
        _ name: String, _ properties: [NSPropertyDescription], named: Bool = true
    ) -> NSEntityDescription {
        NSEntityDescription(
            name, (named ? [NSAttributeDescription("name", .stringAttributeType)] : []) + properties)
    }
}

/// A library with something in every property.
enum Library {
    static let portrait = Data((0..<140_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    /// Ada wrote A, B and C, Bea wrote D; Cyd wrote nothing.
    static func fill(_ context: NSManagedObjectContext) throws {
        let (poems, crime) = (
            context.make("Genre", ["name": "Poems"]), context.make("Genre", ["name": "Crime"])
        )
        let press = context.make("Publisher", ["name": "Press"])
        let ada = context.make(
            "Author",
            [
                "name": "Ada", "born": Date(timeIntervalSinceReferenceDate: -1e8), "tags": ["x", "y"],
                "portrait": portrait, "key": UUID(uuidString: "6F0E4D6C-7D57-4F2B-9E5C-0A3C1B2D4E5F") as Any,
                "site": URL(string: "https://ada.example/?q=1") as Any, "height": 1.625, "alive": true,
                "place": ["city": "Köln", "floor": 3] as [String: Any], "liked": NSSet(object: poems),
                "home": press,
            ])
        let bea = context.make("Author", ["name": "Bea", "mentor": ada, "portrait": Data([1, 2, 3])])
        let cyd = context.make("Author", ["name": "Cyd", "mentor": ada, "partner": bea, "alive": false])
        ada.mutableSetValue(forKey: "friends").addObjects(from: [bea, cyd])
        let price = Decimal(string: "12.25")
        let books = ["C", "A", "B"].enumerated().map { number, name in
            context.make("Book", ["name": name, "pages": number + 1, "price": price as Any, "author": ada])
        }
        let novel = context.make("Novel", ["name": "D", "pages": 4, "hero": "Eve", "author": bea])
        for book in books { book.setValue(NSSet(array: [poems, crime]), forKey: "genres") }
        novel.setValue(NSSet(object: crime), forKey: "genres")
        novel.setValue(press, forKey: "publisher")
        books[0].setValue(NSOrderedSet(array: [novel, books[2], books[1]]), forKey: "sequels")
    }
}

extension NSManagedObjectContext {
    /// The object of a name. Throws if there is none.
    func named(_ entity: String, _ name: String) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        guard let found = try fetch(request).first else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        return found
    }

    /// All objects of the library by entity and name, with every value and the names of all they are related to.
    func library() throws -> [String: String] {
        var all: [String: String] = [:]
        for entity in ["Author", "Book", "Genre", "Publisher"] {
            for object in try self.all(entity) {
                let label = "\(object.entity.name ?? "") \(object.text("name") ?? "-")"
                all[label] = (all[label].map { $0 + " and " } ?? "") + object.everything
            }
        }
        return all
    }
}

extension NSManagedObject {
    /// Every value but transient ones, in one order.
    var everything: String {
        entity.propertiesByName.sorted { $0.key < $1.key }.filter { !$0.value.isTransient }
            .map { key, _ in "\(key)=\(Self.plain(value(forKey: key)))" }.joined(separator: " ")
    }

    /// The names of what a relationship leads to, in its order or else sorted.
    func members(_ key: String) -> [String] {
        let names = { (object: Any) in (object as? NSManagedObject)?.text("name") ?? "-" }
        return switch value(forKey: key) {
        case let set as NSOrderedSet: set.array.map(names)
        case let set as NSSet: set.allObjects.map(names).sorted()
        case let object?: [names(object)]
        case nil: []
        }
    }

    private static func plain(_ value: Any?) -> String {
        switch value {
        case let object as NSManagedObject: object.text("name") ?? "-"
        case let set as NSOrderedSet: "\(set.array.map(plain))"
        case let set as NSSet: "\(set.allObjects.map(plain).sorted())"
        case let data as Data: "\(data.count) bytes from \(data.first ?? 0) to \(data.last ?? 0)"
        case let list as [String]: list.joined(separator: "+")
        case let parts as [String: Any]: "\(parts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" })"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let value?: "\(value)"
        case nil: "nil"
        }
    }
}
