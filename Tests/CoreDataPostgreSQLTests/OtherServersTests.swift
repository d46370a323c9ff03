// Every statement that a store sends, held against what servers refuse that speak PostgreSQL's language and aren't PostgreSQL.
// The lists are from their documentation; none of these servers was run.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Testing

/// A part of the language that a server lacks, as statements show it.
struct Refusal: Sendable {
    /// As Docs/PostgreSQL.md calls it.
    let feature: String
    let pattern: String
}

enum OtherServer: String, CaseIterable {
    case cockroachDB = "CockroachDB"
    case yugabyteDB = "YugabyteDB"
    case citus = "Citus"

    private static let listening = Refusal(feature: "`LISTEN` and `NOTIFY`", pattern: #"^LISTEN|pg_notify"#)
    private static let numbers = Refusal(
        feature: "transaction numbers", pattern: "pg_current_xact_id|pg_current_snapshot|pg_xact_status")
    private static let transitions = Refusal(
        feature: "triggers with transition tables", pattern: "REFERENCING (OLD|NEW) TABLE")

    /// The parts that are refused, wherever they stand.
    var refusals: [Refusal] {
        switch self {
        case .cockroachDB:
            [
                Self.listening, Self.numbers, Self.transitions,
                Refusal(feature: "foreign keys that can be deferred", pattern: "DEFERRABLE|SET CONSTRAINTS"),
                Refusal(feature: "collations of ICU", pattern: "CREATE COLLATION|x-icu"),
                Refusal(feature: "advisory locks", pattern: "pg_advisory_"),
            ]
        case .yugabyteDB: [Self.listening, Self.numbers, Self.transitions]
        case .citus:
            [
                Refusal(feature: "triggers on distributed tables", pattern: "CREATE TRIGGER"),
                Refusal(feature: "foreign keys without the distribution column", pattern: "FOREIGN KEY"),
                Refusal(feature: "locked rows of several shards", pattern: "FOR (NO KEY )?UPDATE"),
            ]
        }
    }

    /// The features that a store can't do without.
    var missed: Set<String> {
        switch self {
        case .cockroachDB:
            [
                "transaction numbers", "foreign keys that can be deferred", "collations of ICU",
                "advisory locks",
            ]
        case .yugabyteDB: ["transaction numbers"]
        case .citus: ["foreign keys without the distribution column"]
        }
    }
}

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct OtherServersTests {
    /// The statements of a program that does everything, as the server's log has them.
    private func statements(plain: Bool) throws -> Set<String> {
        let server = try PostgreSQLServer.own()
        let connection = try ServerConnection(ServerAddress(parsing: server.address()))
        for setting in ["log_statement = 'all'", "log_line_prefix = '@@ '"] {
            try connection.run("ALTER SYSTEM SET \(setting)")
        }
        try connection.run("SELECT pg_reload_conf()")
        while try connection.run("SELECT (current_setting('log_statement') = 'all')::int::bigint").integer(
            0, column: 0) == 0
        {
            usleep(10_000)
        }
        let shelf = Shelf(on: server)
        let model = Shelf.model()
        let title = try #require(model.entitiesByName["PrintedBook"]?.attributesByName["title"])
        model.entitiesByName["PrintedBook"]?.indexes = [
            NSFetchIndexDescription(
                name: "byTitle",
                elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)])
        ]
        var options: [String] = []
        if !plain {
            let derived = NSDerivedAttributeDescription()
            (derived.name, derived.attributeType, derived.isOptional) = (
                "bookCount", .integer64AttributeType, true
            )
            derived.derivationExpression = NSExpression(format: "books.@count")
            model.entitiesByName["Author"]?.properties.append(derived)
            options = [
                NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey,
            ]
        }
        let description = shelf.description()
        for option in options { description.setOption(NSNumber(value: true), forKey: option) }
        let context = try shelf.context(description, model)
        try shelf.fill(context)
        try context.performAndWait { try use(context, hasHistory: !plain) }
        let coordinator = try #require(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(
            at: try #require(description.url), ofType: PostgreSQLStore.type)
        server.stop(isImmediate: false)
        let log = String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: server.folder + "/log")), as: UTF8.self)
        let texts = log.components(separatedBy: "\n@@ ").compactMap { entry -> String? in
            guard entry.hasPrefix("LOG:  execute "),
                let colon = entry.range(
                    of: ": ", range: entry.index(entry.startIndex, offsetBy: 6)..<entry.endIndex)
            else { return nil }
            return String(entry[colon.upperBound...])
        }
        return Set(texts)
    }

    private func use(_ context: NSManagedObjectContext, hasHistory: Bool) throws {
        func fetch(_ format: String) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.predicate = NSPredicate(format: format)
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.fetchLimit = 10
            request.relationshipKeyPathsForPrefetching = ["tags", "firstAuthor"]
            return try context.fetch(request)
        }
        for format in [
            "title BEGINSWITH[cd] 'f'", "ANY tags.name == 'gothic'", "firstAuthor.name CONTAINS 'Shelley'",
            "price > 1 AND printed < now()", "title IN {'a', 'b'}", "tags.@count > 0", "title MATCHES 'F.*'",
        ] { _ = try fetch(format) }
        let books = try fetch("TRUEPREDICATE")
        for book in books { book.setValue(5, forKey: "pageCount") }
        books.last?.setValue(Set<NSManagedObject>(), forKey: "tags")
        try context.save()
        if let first = books.first { context.delete(first) }
        try context.save()
        try context.execute(
            NSBatchInsertRequest(entityName: "PrintedBook", objects: [["title": "x"], ["title": "y"]]))
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.execute(
            NSBatchInsertRequest(entityName: "PrintedBook", objects: [["title": "x", "pageCount": 1]]))
        let update = NSBatchUpdateRequest(entityName: "PrintedBook")
        update.propertiesToUpdate = ["pageCount": 9]
        try context.execute(update)
        try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Author")))
        let numbers = NSFetchRequest<NSDictionary>(entityName: "PrintedBook")
        numbers.resultType = .dictionaryResultType
        numbers.propertiesToFetch = ["isSold"]
        numbers.propertiesToGroupBy = ["isSold"]
        _ = try context.fetch(numbers)
        guard hasHistory else { return }
        _ = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
        _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date()))
    }

    private func features(_ server: OtherServer, _ statements: Set<String>) throws -> Set<String> {
        var found: Set<String> = []
        for refusal in server.refusals {
            let pattern = try NSRegularExpression(pattern: refusal.pattern)
            if statements.contains(where: {
                pattern.firstMatch(in: $0, range: NSRange($0.startIndex..., in: $0)) != nil
            }) {
                found.insert(refusal.feature)
            }
        }
        return found
    }

    /// The documentation names every part of the language that a server refuses and statements have, and no others.
    @Test func theDocumentationSaysWhatOthersRefuse() throws {
        let all = try statements(plain: false)
        let plain = try statements(plain: true)
        #expect(all.count > 40 && plain.count > 30)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Docs/PostgreSQL.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let chapter = try #require(
            page.components(separatedBy: "\n## ").first { $0.hasPrefix("Past one server") })
        for server in OtherServer.allCases {
            let found = try features(server, all)
            expect(
                found, equals: Set(server.refusals.map(\.feature)),
                "\(server.rawValue) refuses nothing else of what is sent")
            let line = try #require(
                chapter.components(separatedBy: "\n").first { $0.hasPrefix("| \(server.rawValue) ") })
            for feature in found { #expect(line.contains(feature), "\(server.rawValue): \(feature)") }
            try expect(features(server, plain).intersection(server.missed), equals: server.missed)
        }
    }

    /// The column that an entity's rows are distributed by is in every unique index; nothing refers to the key alone.
    @Test func distributedEntitiesHaveTheColumnInTheirKeys() throws {
        let shelf = try Shelf()
        func model(unique: [String]) -> NSManagedObjectModel {
            let model = Shelf.model()
            model.entitiesByName["PrintedBook"]?.userInfo = ["postgreSQLDistribution": "pageCount"]
            model.entitiesByName["PrintedBook"]?.uniquenessConstraints = [unique]
            return model
        }
        let error = try #require(throws: NSError.self) {
            try shelf.context(nil, model(unique: ["title"]))
        }
        expect(error.localizedFailureReason?.contains("must have \"pageCount\" as well"), equals: true)
        let context = try shelf.context(nil, model(unique: ["title", "pageCount"]))
        try shelf.fill(context)
        let keys = try shelf.rows(
            """
            SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indisunique
            AND indrelid = 'printed_book'::regclass ORDER BY 1
            """)
        #expect(keys.count == 2 && keys.allSatisfy { $0.contains("page_count") })
        #expect(
            try shelf.rows(
                """
                SELECT conname::text FROM pg_constraint WHERE contype = 'f'
                AND 'printed_book'::regclass IN (conrelid, confrelid)
                """
            ).isEmpty)
    }
}
