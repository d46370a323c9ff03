// Versions of a model of notes, and a store of the first of them in a schema of its own.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation

/// What a version of the model has.
struct NoteVersion {
    var text = "text"
    var number = NSAttributeType.integer64AttributeType
    /// An attribute with a default.
    var hasMood = false
    /// An entity whose objects lead to notes.
    var hasPages = false
    var hasIndex = false

    var model: NSManagedObjectModel {
        let note = NSEntityDescription()
        note.name = "Note"
        let words = NSAttributeDescription(text, .stringAttributeType)
        words.renamingIdentifier = "text"
        let count = NSAttributeDescription("number", number)
        note.properties = [words, count]
        if hasMood {
            let mood = NSAttributeDescription("mood", .stringAttributeType)
            mood.defaultValue = "calm"
            note.properties.append(mood)
        }
        if hasIndex {
            note.indexes = [
                NSFetchIndexDescription(
                    name: "byNumber",
                    elements: [NSFetchIndexElementDescription(property: count, collationType: .binary)])
            ]
        }
        let model = NSManagedObjectModel()
        model.entities = [note]
        if hasPages {
            // Before the note by its name, so that other numbers would follow from the model.
            let page = NSEntityDescription()
            page.name = "Leaf"
            let (owner, pages) = (NSRelationshipDescription(), NSRelationshipDescription())
            (owner.name, owner.destinationEntity, owner.maxCount, owner.isOptional) = ("note", note, 1, true)
            (pages.name, pages.destinationEntity, pages.maxCount, pages.isOptional) = (
                "leaves", page, 0, true
            )
            (owner.inverseRelationship, pages.inverseRelationship) = (pages, owner)
            page.properties = [owner]
            note.properties.append(pages)
            model.entities.append(page)
        }
        return model
    }
}

/// A store of notes.
struct NoteStore {
    let shelf: Shelf

    init() throws { shelf = try Shelf() }

    init(_ shelf: Shelf) { self.shelf = shelf }

    /// On a server of the test's own.
    init(on server: PostgreSQLServer) { shelf = Shelf(on: server) }

    /// In a process of a test that is to die.
    init(schema: String, folder: String) {
        shelf = Shelf(on: PostgreSQLServer(ofOtherProcessIn: folder), schema: schema)
    }

    func context(_ version: NoteVersion, _ options: [String: Any] = [:]) throws -> NSManagedObjectContext {
        let description = shelf.description("&application_name=\(shelf.schema)")
        for (key, value) in options { description.setOption(value as? NSObject, forKey: key) }
        return try shelf.context(description, version.model)
    }

    func close(_ context: NSManagedObjectContext) throws {
        context.performAndWait { context.reset() }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    func add(_ values: [String: Any], to context: NSManagedObjectContext) throws {
        try context.performAndWait {
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValuesForKeys(values)
            try context.save()
        }
    }

    func values(_ key: String, _ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            return try context.fetch(request).map { $0.value(forKey: key).map { "\($0)" } ?? "nil" }
        }
    }

    /// Makes a store of the first version with notes 1 to `count`.
    func make(notes count: Int) throws {
        try close(context(NoteVersion()))
        let connection = try shelf.connection()
        try connection.run("SELECT setval('note_key_seq', \(count))")
        try connection.run(
            """
            INSERT INTO note (object_id, text, number) SELECT i, 'note ' || i, i FROM generate_series(1, \(count)) AS i
            """)
    }
}
