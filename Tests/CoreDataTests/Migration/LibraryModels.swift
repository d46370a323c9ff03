// Two versions of a model between which nothing can be inferred, and the mapping model that leads from one to the
// other.

import CoreData
import CoreDataTestSupport
import Foundation

/// Version 1: books with an author's name as text, members who borrow books, magazines as a kind of book.
/// Version 2: authors are objects; a book has a shelf mark in place of a number; members' names are in two parts.
enum LibraryModels {
    static func first() -> NSManagedObjectModel {
        let book = NSEntityDescription(
            "Book",
            [
                NSAttributeDescription("title", .string), NSAttributeDescription("number", .integer64),
                NSAttributeDescription("author", .string), NSAttributeDescription("price", .decimal),
                NSAttributeDescription("bought", .date),
            ])
        let magazine = NSEntityDescription("Magazine", [NSAttributeDescription("issue", .integer16)])
        let member = NSEntityDescription("Member", [NSAttributeDescription("name", .string)])
        NSRelationshipDescription.connect(member, "borrowed", .ordered, book, "borrowers", .many)
        book.subentities = [magazine]
        let model = NSManagedObjectModel()
        model.entities = [book, magazine, member]
        return model
    }

    static func second() -> NSManagedObjectModel {
        let author = NSEntityDescription("Author", [NSAttributeDescription("name", .string, optional: false)])
        let book = NSEntityDescription(
            "Book",
            [
                NSAttributeDescription("title", .string),
                NSAttributeDescription("mark", .string, optional: false),
                NSAttributeDescription("price", .decimal), NSAttributeDescription("bought", .date),
            ])
        let magazine = NSEntityDescription("Magazine", [NSAttributeDescription("issue", .integer16)])
        let reader = NSEntityDescription(
            "Reader",
            [
                NSAttributeDescription("first", .string), NSAttributeDescription("last", .string),
                NSAttributeDescription("count", .integer32),
            ])
        NSRelationshipDescription.connect(author, "books", .many, book, "author", .one)
        NSRelationshipDescription.connect(reader, "borrowed", .ordered, book, "readers", .many)
        book.subentities = [magazine]
        let model = NSManagedObjectModel()
        model.entities = [author, book, magazine, reader]
        return model
    }

    // MARK: Mapping

    static func mapping(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) -> NSMappingModel {
        let author = entityMapping("Author", nil, "Author", .addEntityMappingType, old, new)
        let book = bookMapping("Book", old, new)
        let magazine = bookMapping("Magazine", old, new)
        magazine.attributeMappings?.append(property("issue", "$source.issue"))
        let reader = entityMapping(
            "MemberToReader", "Member", "Reader", .transformEntityMappingType, old, new)
        reader.attributeMappings = [
            property("first", "FUNCTION($entityPolicy, 'part:of:', 0, $source.name)"),
            property("last", "FUNCTION($entityPolicy, 'part:of:', 1, $source.name)"),
            property("count", "$source.borrowed.@count"),
        ]
        reader.entityMigrationPolicyClassName = "Library.NamePolicy"
        reader.relationshipMappings = [
            property(
                "borrowed",
                "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'borrowed', "
                    + "$source.borrowed)")
        ]
        let model = NSMappingModel()
        model.entityMappings = [author, book, magazine, reader]
        return model
    }

    private static func bookMapping(
        _ name: String, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
    ) -> NSEntityMapping {
        let book = entityMapping("\(name)To\(name)", name, name, .customEntityMappingType, old, new)
        book.entityMigrationPolicyClassName = "BookPolicy"
        book.attributeMappings = [
            property("title", "$source.title"), property("price", "$source.price"),
            property("bought", "$source.bought"),
            property(
                "mark", "FUNCTION($entityPolicy, 'markFor:prefix:', $source, $entityMapping.userInfo.prefix)"),
        ]
        book.userInfo = ["prefix": String(name.prefix(1))]
        book.relationshipMappings = [
            property(
                "readers",
                "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'MemberToReader', "
                    + "$source.borrowers)")
        ]
        return book
    }

    static func entityMapping(
        _ name: String, _ source: String?, _ destination: String?, _ type: NSEntityMappingType,
        _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
    ) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = name
        mapping.mappingType = type
        mapping.sourceEntityName = source
        mapping.destinationEntityName = destination
        mapping.sourceEntityVersionHash = source.flatMap { old.entityVersionHashesByName[$0] }
        mapping.destinationEntityVersionHash = destination.flatMap { new.entityVersionHashesByName[$0] }
        return mapping
    }

    static func property(_ name: String, _ format: String) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.valueExpression = CoreData.NSExpression(format: format)
        return mapping
    }

    // MARK: Data

    /// As many books, a third of them magazines, by five authors, and members who borrow them in a certain order.
    static func fill(_ context: NSManagedObjectContext, books count: Int) throws {
        try context.performAndWait {
            var books: [NSManagedObject] = []
            for number in 0..<count {
                let book = NSEntityDescription.insertNewObject(
                    forEntityName: number % 3 == 2 ? "Magazine" : "Book", into: context)
                book.setValue("Title \(number)", forKey: "title")
                book.setValue(number, forKey: "number")
                book.setValue(number % 7 == 6 ? nil : "Author \(number % 5)", forKey: "author")
                book.setValue(Decimal(number) / 4, forKey: "price")
                book.setValue(Date(timeIntervalSinceReferenceDate: Double(number) * 1000), forKey: "bought")
                if number % 3 == 2 { book.setValue(number % 12, forKey: "issue") }
                books.append(book)
            }
            for number in 0..<(count / 4) {
                let member = NSEntityDescription.insertNewObject(forEntityName: "Member", into: context)
                member.setValue("First\(number) Last\(number)", forKey: "name")
                let borrowed = (0..<(number % 4)).map { books[(number * 5 + $0 * 11) % count] }
                member.setValue(NSOrderedSet(array: borrowed.reversed()), forKey: "borrowed")
            }
            try context.save()
        }
    }
}

/// Makes authors of authors' names, one for each name.
final class BookPolicy: NSEntityMigrationPolicy {
    override class func registerFunctions(in functions: inout MigrationFunctions) {
        functions.function("markFor:prefix:") { (policy: BookPolicy, book: NSManagedObject, prefix: String) in
            "\(prefix)-\(book.value(forKey: "number") as? Int ?? -1)"
        }
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        if manager.userInfo == nil { manager.userInfo = ["authors": NSMutableDictionary()] }
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let name = sInstance.value(forKey: "author") as? String,
            let book = manager.destinationInstances(
                forEntityMappingName: mapping.name, sourceInstances: [sInstance]
            ).first, let known = manager.userInfo?["authors"] as? NSMutableDictionary
        else { return }
        var author = known[name] as? NSManagedObject
        if author == nil {
            author = NSEntityDescription.insertNewObject(
                forEntityName: "Author", into: manager.destinationContext)
            author?.setValue(name, forKey: "name")
            known[name] = author
        }
        book.setValue(author, forKey: "author")
    }
}

/// Takes names apart. Known to mappings as `Library.NamePolicy`.
final class NamePolicy: NSEntityMigrationPolicy {
    override class func registerFunctions(in functions: inout MigrationFunctions) {
        functions.function("part:of:") { (policy: NamePolicy, part: Int, name: String?) -> String? in
            name.map { $0.split(separator: " ") }.flatMap { $0.count > part ? String($0[part]) : nil }
        }
    }
}
