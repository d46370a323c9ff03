// A store of books in a PostgreSQL database, in a schema of its own.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation

struct Shelf {
    let schema: String
    let server: PostgreSQLServer

    init() throws { self.init(on: try PostgreSQLServer.shared()) }

    /// On a server of the test's own.
    init(
        on server: PostgreSQLServer, schema: String = "s_" + UUID().uuidString.prefix(8).lowercased()
    ) {
        self.server = server
        self.schema = schema
    }

    static func model() -> NSManagedObjectModel {
        func relationship(
            _ name: String, _ destination: NSEntityDescription, _ most: Int
        ) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity, relationship.maxCount) = (
                name, destination, most
            )
            relationship.isOptional = true
            return relationship
        }
        let (author, book, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (author.name, book.name, tag.name) = ("Author", "PrintedBook", "Tag")
        let (books, writer) = (relationship("books", book, 0), relationship("firstAuthor", author, 1))
        let (tags, tagged) = (relationship("tags", tag, 0), relationship("books", book, 0))
        (books.inverseRelationship, writer.inverseRelationship) = (writer, books)
        (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
        author.properties = [NSAttributeDescription("name", .stringAttributeType), books]
        book.properties = [
            NSAttributeDescription("title", .stringAttributeType),
            NSAttributeDescription("pageCount", .integer32AttributeType),
            NSAttributeDescription("price", .decimalAttributeType),
            NSAttributeDescription("cover", .binaryDataAttributeType),
            NSAttributeDescription("printed", .dateAttributeType),
            NSAttributeDescription("isSold", .booleanAttributeType),
            NSAttributeDescription("weight", .doubleAttributeType),
            NSAttributeDescription("key", .UUIDAttributeType), writer, tags,
        ]
        book.uniquenessConstraints = [["title"]]
        tag.properties = [NSAttributeDescription("name", .stringAttributeType), tagged]
        let model = NSManagedObjectModel()
        model.entities = [author, book, tag]
        return model
    }

    func description(_ more: String = "") -> NSPersistentStoreDescription {
        NSPersistentStoreDescription(postgreSQL: server.address("postgres", more), schema: schema)
    }

    /// A description of the store with options that are set.
    func description(with options: String...) -> NSPersistentStoreDescription {
        let description = description("&application_name=\(schema)")
        for option in options { description.setOption(NSNumber(value: true), forKey: option) }
        return description
    }

    /// A connection beside the store.
    func connection() throws -> ServerConnection {
        try ServerConnection(ServerAddress(parsing: server.address()).with(schema: schema))
    }

    /// Returns once one of the store's connections waits for a lock.
    func waitForWaiting() async throws {
        let query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)' "
        while try rows(query + "AND wait_event_type = 'Lock'") == ["0"] {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Begins a save of an author, and returns once it waits for a connection that has locked the author.
    func saveThatWaits(
        _ context: NSManagedObjectContext
    ) async throws -> (locker: ServerConnection, saving: Task<Void, any Error>) {
        let locker = try connection()
        try locker.run("BEGIN")
        try locker.run("SELECT 1 FROM author FOR UPDATE")
        let saving = Task {
            try await context.perform {
                let author = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))[0]
                author.setValue("Mary", forKey: "name")
                try context.save()
            }
        }
        try await waitForWaiting()
        return (locker, saving)
    }

    func context(
        _ description: NSPersistentStoreDescription? = nil, _ model: NSManagedObjectModel? = nil
    ) throws -> NSManagedObjectContext {
        let container = NSPersistentContainer(name: "Shelf", managedObjectModel: model ?? Self.model())
        container.persistentStoreDescriptions = [description ?? self.description()]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container.newBackgroundContext()
    }

    func fill(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValuesForKeys(values)
                return object
            }
            let mary = make("Author", ["name": "Mary \"M.\" Shelley, née Godwin"])
            let gothic = make("Tag", ["name": "gothic"])
            _ = make(
                "PrintedBook",
                [
                    "title": "Frankenstein", "pageCount": 280, "price": Decimal(string: "9.99") ?? 0,
                    "firstAuthor": mary, "cover": Data([0, 1, 255]), "isSold": true, "weight": 0.1,
                    "printed": Date(timeIntervalSinceReferenceDate: -5_773_852_800.5),
                    "key": UUID(uuidString: "6F0E4D6C-7D57-4F2B-9E5C-0A3C1B2D4E5F") as Any,
                    "tags": NSSet(object: gothic),
                ])
            _ = make("PrintedBook", ["title": "", "pageCount": 3])
            try context.save()
        }
    }

    /// Values of the database as a person with `psql` sees them.
    func rows(_ text: String) throws -> [String] {
        try connection().fetchValues(SQLStatement(text)).map { row in
            row.map { value in
                switch value {
                case .null: "-"
                case .integer(let number): String(number)
                case .double(let number): String(number)
                case .text(let text): text
                case .blob(let data): "\(data.count) bytes"
                }
            }
            .joined(separator: "|")
        }
    }
}
