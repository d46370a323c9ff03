// Opening, losing and destroying stores, and their errors.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLOpeningTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    @Test func aStoreOfAnotherModelIsRefused() throws {
        try shelf.fill(try shelf.context())
        let other = Shelf.model()
        other.entities[2].properties.append(NSAttributeDescription())
        let added = try #require(other.entities[2].properties.last as? NSAttributeDescription)
        (added.name, added.attributeType, added.isOptional) = ("color", .stringAttributeType, true)
        let description = shelf.description()
        description.shouldMigrateStoreAutomatically = false
        let error = try #require(throws: NSError.self) { try shelf.context(description, other) }
        expect(error.domain, equals: NSCocoaErrorDomain)
        expect(error.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        try expect(shelf.rows("SELECT count(*) FROM printed_book"), equals: ["2"])
    }

    /// A file is replaced by a copy of another one; a store on a server has none.
    @Test func replacingIsRefusedByName() throws {
        try shelf.fill(try shelf.context())
        let description = shelf.description()
        let url = try #require(description.url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shelf.model())
        let error = #expect(throws: CocoaError.self) {
            try coordinator.replacePersistentStore(
                at: url, destinationOptions: description.options,
                withPersistentStoreFrom: URL(fileURLWithPath: "/tmp/None.sqlite"),
                ofType: PostgreSQLStore.type)
        }
        expect(error?.code, equals: .featureUnsupported)
        try expect(shelf.rows("SELECT count(*) FROM printed_book"), equals: ["2"])
    }

    @Test(arguments: [
        ("postgresql:///postgres?sslmod=require", "libpq knows no parameter \"sslmod\"."),
        (
            "postgresql://u:se?cret=1@h/postgres?sslmod=require",
            "The address is neither a connection URI nor a list of keywords and values."
        ),
    ])
    func anAddressThatCantBeReadSaysWhy(_ address: String, _ reason: String) throws {
        let description = NSPersistentStoreDescription(postgreSQL: address)
        let error = #expect(throws: CocoaError.self) { try shelf.context(description) }
        expect((error as NSError?)?.localizedFailureReason, equals: reason)
    }

    @Test func metadataAreKeptAndReadWithoutTheStore() throws {
        let context = try shelf.context()
        let coordinator = try #require(context.persistentStoreCoordinator)
        let store = coordinator.persistentStores[0]
        var metadata = coordinator.metadata(for: store)
        metadata["note"] = "hello"
        coordinator.setMetadata(metadata, for: store)
        try shelf.fill(context)
        let url = try #require(shelf.description().url)
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: PostgreSQLStore.type, at: url, options: nil)
        expect(read["note"] as? String, equals: "hello")
        expect(read[NSStoreTypeKey] as? String, equals: PostgreSQLStore.type)
        expect(read[NSStoreUUIDKey] as? String, equals: store.identifier)
    }

    /// The password is among the description's options, and in no URL.
    @Test func metadataAndModelAreReadByDescription() throws {
        try shelf.fill(try shelf.context())
        let description = NSPersistentStoreDescription(
            postgreSQL: shelf.server.address(user: "tester:unused"), schema: shelf.schema)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: description)
        expect(metadata[NSStoreTypeKey] as? String, equals: PostgreSQLStore.type)
        let model = try NSPersistentStoreCoordinator.model(inStoreWith: description)
        expect(model?.entityVersionHashesByName, equals: Shelf.model().entityVersionHashesByName)
        var titles: [SQLValue] = []
        try PostgreSQLStore.readSQL("SELECT title FROM printed_book ORDER BY 1 DESC", in: description) {
            titles += $0
        }
        expect(titles, equals: [.text("Frankenstein"), .text("")])
        let file = shelf.server.folder + "/written"
        for sql in [
            "COPY (SELECT 1) TO '\(file)'", "COPY (SELECT 1) TO PROGRAM 'cat > \(file)'", "BEGIN", "",
        ] {
            let error = try #require(throws: NSError.self) {
                try PostgreSQLStore.readSQL(sql, in: description) { _ in }
            }
            expect(error.code, equals: NSSQLiteError, "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: file))
        let none = NSPersistentStoreDescription(postgreSQL: shelf.server.address(), schema: "none")
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(with: none)
        }
        #expect(throws: NSError.self) { try NSPersistentStoreCoordinator.model(inStoreWith: none) }
    }

    @Test func aStoreIsDestroyedAndNothingElse() throws {
        try shelf.fill(try shelf.context())
        _ = try shelf.rows("CREATE TABLE mine (n bigint)")
        let url = try #require(shelf.description().url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shelf.model())
        for _ in 0..<2 { try coordinator.destroyPersistentStore(at: url, ofType: PostgreSQLStore.type) }
        try expect(
            shelf.rows(
                "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'S') "
                    + "AND relnamespace = current_schema()::regnamespace"), equals: ["mine"])
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: PostgreSQLStore.type, at: url, options: nil)
        }
        try shelf.fill(try shelf.context())
    }

    /// A program that has it open would go on in a store that is made in its place.
    @Test func aStoreThatIsOpenElsewhereIsNotDestroyed() throws {
        let context = try shelf.context()
        try shelf.fill(context)
        let url = try #require(shelf.description().url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shelf.model())
        let other = try shelf.connection()
        try other.run(PostgreSQLCatalogue(schemaOfTables: shelf.schema).holdOpen)
        let error = try #require(throws: NSError.self) {
            try coordinator.destroyPersistentStore(at: url, ofType: PostgreSQLStore.type)
        }
        expect(error.code, equals: NSPersistentStoreTimeoutError)
        #expect(error.localizedDescription.contains("can't be destroyed"))
        try expect(shelf.rows("SELECT count(*) FROM printed_book"), equals: ["2"])
        // Coordinators of the process have let go of it; others are overruled by the option.
        try coordinator.destroyPersistentStore(
            at: url, ofType: PostgreSQLStore.type, options: [NSPersistentStoreForceDestroyOption: true])
        try expect(
            shelf.rows(
                "SELECT count(*) FROM pg_class WHERE relname = 'printed_book' AND "
                    + "relnamespace = current_schema()::regnamespace"), equals: ["0"])
        other.close()
        try shelf.fill(try shelf.context())
        try coordinator.destroyPersistentStore(at: url, ofType: PostgreSQLStore.type)
    }

    /// Only who made the functions that all stores of a database use may replace them.
    @Test func anotherRoleMakesAStoreOfItsOwn() throws {
        _ = try shelf.context()
        let role = "r_" + UUID().uuidString.prefix(8).lowercased()
        for sql in ["CREATE ROLE \(role) LOGIN", "GRANT CREATE ON DATABASE postgres TO \(role)"] {
            _ = try shelf.rows(sql)
        }
        let description = NSPersistentStoreDescription(
            postgreSQL: shelf.server.address(user: role), schema: role)
        let context = try shelf.context(description)
        try shelf.fill(context)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.predicate = NSPredicate(format: "name CONTAINS[cd] 'NEE'")
        try expect(context.performAndWait { try context.count(for: request) }, equals: 1)
    }

    /// The server has these columns in each table.
    @Test func attributesMayHaveTheNamesOfSystemColumns() throws {
        let box = NSEntityDescription()
        box.name = "Box"
        let names = ["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid", "oid"]
        box.properties = names.map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (
                name, .doubleAttributeType, true
            )
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [box]
        let context = try shelf.context(nil, model)
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            for (number, name) in names.enumerated() { object.setValue(Double(number), forKey: name) }
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
            request.predicate = NSPredicate(format: "xmax == 1 AND tableoid == 5")
            context.reset()
            let found = try #require(try context.fetch(request).first)
            expect(names.map { found.value(forKey: $0) as? Double }, equals: [0, 1, 2, 3, 4, 5, 6])
        }
    }

    /// As in files, and as predicates in memory have it.
    @Test func whatIsNoNumberIsNil() throws {
        let context = try shelf.context()
        try context.performAndWait {
            for weight in [Double.nan, 1, -0.0, .infinity] {
                NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
                    .setValuesForKeys(["title": "\(weight)", "weight": weight])
            }
            try context.save()
            context.reset()
            func titles(_ format: String) throws -> [String] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
                request.predicate = NSPredicate(format: format)
                return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }.sorted()
            }
            try expect(titles("weight == nil"), equals: ["nan"])
            try expect(titles("weight > 0.5"), equals: ["1.0", "inf"])
            try expect(titles("NOT (weight > 0.5)"), equals: ["-0.0", "nan"])
        }
    }

    @Test func passwordsStayOutOfDescriptionsAndErrors() throws {
        let description = NSPersistentStoreDescription(
            postgreSQL: "host=\(shelf.server.folder) user=guarded password='very secret' dbname=postgres")
        let error = try #require(throws: NSError.self) { try shelf.context(description) }
        #expect(error.code == NSFileReadNoPermissionError || error.code == NSPersistentStoreOpenError)
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        for text in [
            "\(description)", "\(description.options)", "\(String(describing: copy.url))", "\(error)",
        ] {
            #expect(!text.contains("secret"))
        }
        let shown = NSPersistentStoreDescription(url: try #require(URL(string: "postgresql://a:secret@h/db")))
        shown.type = PostgreSQLStore.type
        let refused = try #require(throws: NSError.self) { try shelf.context(shown) }
        expect(refused.code, equals: NSPersistentStoreOpenError)
    }

    @Test func anAddressThatCantBeReadIsAnErrorOfTheStore() throws {
        let error = try #require(throws: NSError.self) {
            try shelf.context(NSPersistentStoreDescription(postgreSQL: "postgresql://%"))
        }
        expect(error.code, equals: NSPersistentStoreOpenError)
    }

    @Test func errorsOfTheServerTellItsCode() throws {
        let context = try shelf.context()
        try expect(shelf.rows("ALTER TABLE printed_book ADD CHECK (page_count > 0)"), equals: [])
        let error = try #require(throws: NSError.self) {
            try context.performAndWait {
                let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
                book.setValue(0, forKey: "pageCount")
                try context.save()
            }
        }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreSaveError)
        expect(error.userInfo[PostgreSQLStore.sqlStateKey] as? String, equals: "23514")
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        expect(underlying.domain, equals: PostgreSQLStore.errorDomain)
    }

    @Test func aConnectionThatIsLostIsReplaced() throws {
        let context = try shelf.context(shelf.description("&application_name=\(shelf.schema)"))
        try shelf.fill(context)
        let ended = try shelf.rows(
            "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE application_name = '\(shelf.schema)'"
        )
        #expect(ended != ["0"])
        context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            // The loss is told once.
            _ = try? context.count(for: request)
            #expect(throws: Never.self) { try context.count(for: request) }
            #expect(throws: Never.self) {
                for book in try context.fetch(request) { book.setValue(1, forKey: "pageCount") }
                try context.save()
            }
        }
        try expect(shelf.rows("SELECT min(page_count)::bigint FROM printed_book"), equals: ["1"])
    }

    /// The server commits, and its answer gets lost.
    @Test func aCommitWhoseAnswerIsLostIsLookedUp() throws {
        let relay = try SocketRelay(to: shelf.server)
        let description = NSPersistentStoreDescription(
            postgreSQL: "host=\(relay.folder) user=tester dbname=postgres", schema: shelf.schema)
        description.setOption(NSNumber(value: true), forKey: PostgreSQLStore.avoidsPreparedStatementsOption)
        let context = try shelf.context(description)
        relay.losesCommits.withLock { $0 = true }
        try shelf.fill(context)
        relay.losesCommits.withLock { $0 = false }
        try expect(shelf.rows("SELECT count(*) FROM printed_book"), equals: ["2"])
        try context.performAndWait {
            for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")) {
                book.setValue(7, forKey: "pageCount")
            }
            try context.save()
        }
        try expect(
            shelf.rows("SELECT min(page_count), max(object_version) FROM printed_book"), equals: ["7|2"])
    }

    @Test func readersAreOfChoice() throws {
        let description = shelf.description()
        description.setOption(NSNumber(value: 0), forKey: PostgreSQLStore.readerLimitOption)
        description.setOption(NSNumber(value: true), forKey: PostgreSQLStore.avoidsPreparedStatementsOption)
        try shelf.fill(try shelf.context(description))
        try expect(shelf.rows("SELECT count(*) FROM printed_book"), equals: ["2"])
        PostgreSQLStore.register()
    }
}
