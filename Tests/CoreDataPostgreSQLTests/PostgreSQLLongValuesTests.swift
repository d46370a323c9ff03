// Texts and data that are too long for the server's indexes.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLLongValuesTests {
    private let store: NoteStore
    private var shelf: Shelf { store.shelf }

    init() throws { store = try NoteStore() }

    /// Leaves with a text, data and a number, each in an index or none, in a version of their own.
    private func model(
        unique: [[String]] = [], indexes: [[String]] = [], step: Int = 1, name: String = "text"
    ) -> NSManagedObjectModel {
        let leaf = NSEntityDescription()
        leaf.name = "Leaf"
        leaf.properties = [
            NSAttributeDescription(name, .stringAttributeType),
            NSAttributeDescription("data", .binaryDataAttributeType),
            NSAttributeDescription("number", .integer64AttributeType),
            NSAttributeDescription("step\(step)", .integer64AttributeType),
        ]
        leaf.propertiesByName[name]?.renamingIdentifier = "text"
        leaf.uniquenessConstraints = unique
        leaf.indexes = indexes.map { names in
            NSFetchIndexDescription(
                name: names.joined(separator: "_"),
                elements: names.compactMap { leaf.propertiesByName[$0] }.map {
                    NSFetchIndexElementDescription(property: $0, collationType: .binary)
                })
        }
        let model = NSManagedObjectModel()
        model.entities = [leaf]
        return model
    }

    private func context(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        try shelf.context(shelf.description(), model)
    }

    /// A text that the server can't make shorter, whose beginning is the number.
    private func text(_ number: Int, count: Int) -> String {
        var generator = SeededGenerator(seed: UInt64(number))
        let letters = (0..<count).map { _ in
            Character(UnicodeScalar(UInt8.random(in: 33...126, using: &generator)))
        }
        return "\(number) \\ ä" + String(letters)
    }

    private func add(_ values: [String: Any], to context: NSManagedObjectContext) throws {
        try context.performAndWait {
            let leaf = NSEntityDescription.insertNewObject(forEntityName: "Leaf", into: context)
            leaf.setValuesForKeys(values)
            do {
                try context.save()
            } catch {
                context.rollback()
                throw error
            }
        }
    }

    private func numbers(
        _ context: NSManagedObjectContext, where format: String, _ arguments: Any...
    ) throws -> [Int] {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Leaf")
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            return try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
        }
    }

    private func indexes() throws -> [String] {
        try shelf.rows(
            "SELECT indexdef FROM pg_indexes WHERE schemaname = '\(shelf.schema)' AND indexname NOT LIKE '%pkey' "
                + "AND tablename = 'leaf' ORDER BY indexname"
        ).map { $0.replacing("\(shelf.schema).", with: "") }
    }

    @Test(arguments: [3000, 20_000, 300_000])
    func textsOfAnySizeAreSavedAndFound(count: Int) throws {
        let context = try context(model(indexes: [["text"], ["number", "text"], ["data"]]))
        try add(["text": "short", "number": 1], to: context)
        let long = text(2, count: count)
        try add(["text": long, "number": 2, "data": Data(long.utf8)], to: context)
        try expect(numbers(context, where: "text == %@", long), equals: [2])
        try expect(numbers(context, where: "text BEGINSWITH %@", String(long.prefix(2000))), equals: [2])
        try expect(numbers(context, where: "text > %@", "3"), equals: [1])
        try expect(numbers(context, where: "data == %@", Data(long.utf8)), equals: [2])
        let coordinator = try #require(context.persistentStoreCoordinator)
        try expect(coordinator.verify(coordinator.persistentStores[0]), equals: [])
    }

    /// The server says for a value of up to 8 KiB which index it is too long for.
    @Test func onlyTheIndexThatRefusedAValueIsAnother() throws {
        let context = try context(model(indexes: [["text"], ["data"]]))
        try add(["text": text(1, count: 3000), "number": 1, "data": Data([1])], to: context)
        try expect(
            indexes(),
            equals: [
                "CREATE INDEX leaf_data_fetch ON leaf USING btree (data NULLS FIRST)",
                "CREATE INDEX leaf_text_fetch ON leaf USING spgist (text)",
            ])
    }

    @Test(arguments: [["text"], ["text", "number"], ["number", "text"], ["data"]])
    func longValuesAreUnique(constraint: [String]) throws {
        let context = try context(model(unique: [constraint]))
        for number in 1...3 {
            let long = text(number, count: 10_000)
            try add(["text": long, "number": number, "data": Data(long.utf8)], to: context)
        }
        let taken = text(2, count: 10_000)
        let error = try #require(throws: NSError.self) {
            try add(["text": taken, "number": 2, "data": Data(taken.utf8)], to: context)
        }
        expect(error.code, equals: NSManagedObjectConstraintMergeError)
        // Values that are nil differ, and the last letter counts.
        try add(["number": 4], to: context)
        try add(["number": 4], to: context)
        try add(["text": taken + "!", "number": 2, "data": Data((taken + "!").utf8)], to: context)
        try expect(numbers(context, where: "text == %@", taken), equals: [2])
    }

    @Test func aMergePolicyFindsTheLongValue() throws {
        let context = try context(model(unique: [["text"]]))
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let long = text(1, count: 10_000)
        try add(["text": long, "number": 1], to: context)
        try add(["text": long, "number": 7], to: context)
        try expect(numbers(context, where: "text == %@", long), equals: [7])
    }

    @Test func migrationsMakeIndexesOverLongValues() throws {
        let old = try context(model())
        for number in 1...2 {
            try add(["text": text(number, count: number * 3500), "number": number], to: old)
        }
        try store.close(old)
        let new = try context(model(unique: [["text"]], indexes: [["text", "number"]], step: 2))
        try expect(numbers(new, where: "text BEGINSWITH %@", "2 "), equals: [2])
        let error = try #require(throws: NSError.self) {
            try add(["text": text(2, count: 7000), "number": 5], to: new)
        }
        expect(error.code, equals: NSManagedObjectConstraintMergeError)
        let found = try indexes()
        try store.close(new)
        // A further migration takes them over.
        let newest = try context(model(unique: [["text"]], indexes: [["text", "number"]], step: 3))
        try expect(indexes(), equals: found)
        try add(["text": text(3, count: 9000), "number": 3], to: newest)
    }

    @Test func aConstraintGoesWithTheIndexBesideIt() throws {
        let old = try context(model(unique: [["text"]]))
        try add(["text": text(1, count: 9000), "number": 1], to: old)
        try expect(indexes().count, equals: 2)
        try store.close(old)
        let renamed = model(unique: [["title"]], step: 2, name: "title")
        let new = try context(renamed)
        try expect(
            shelf.rows(
                "SELECT indexname FROM pg_indexes WHERE schemaname = '\(shelf.schema)' AND tablename = 'leaf' ORDER BY 1"
            ),
            equals: ["leaf_pkey", "leaf_title_key", "leaf_title_key_lookup"])
        try add(["title": text(2, count: 9000), "number": 2], to: new)
        try store.close(new)
        let last = try context(model(step: 3, name: "title"))
        try expect(indexes(), equals: [])
        try add(["title": text(2, count: 9000), "number": 3], to: last)
    }

    /// Beside programs at work, on a server of its own: it waits for all transactions of the database.
    @Test func indexesOfLargeTablesAreMadeAfterwards() throws {
        let server = try PostgreSQLServer.own()
        defer { server.stop() }
        let shelf = Shelf(on: server)
        let old = try shelf.context(shelf.description(), model())
        try add(["text": text(1, count: 9000), "number": 1], to: old)
        try store.close(old)
        let description = shelf.description()
        description.setOption(NSNumber(value: 0), forKey: PostgreSQLStore.largeTableSizeOption)
        let new = try shelf.context(description, model(indexes: [["text"], ["number"]], step: 2))
        try expect(
            shelf.rows(
                "SELECT indexdef FROM pg_indexes WHERE tablename = 'leaf' AND indexname LIKE '%fetch' ORDER BY 1"
            ).map { $0.replacing("\(shelf.schema).", with: "") },
            equals: [
                "CREATE INDEX leaf_number_fetch ON leaf USING btree (number NULLS FIRST)",
                "CREATE INDEX leaf_text_fetch ON leaf USING spgist (text)",
            ])
        try expect(shelf.rows("SELECT count(*) FROM \"coredata_\(shelf.schema)\".work"), equals: ["0"])
        try store.close(new)
    }

    @Test func batches() throws {
        let context = try context(model(indexes: [["text"]]))
        let long = text(1, count: 10_000)
        let insertion = NSBatchInsertRequest(
            entityName: "Leaf", objects: [["text": "a", "number": 1], ["text": long, "number": 2]])
        // Its rows come once.
        let error = try #require(throws: NSError.self) { try context.execute(insertion) }
        #expect(error.localizedFailureReason?.contains("try the same again") == true)
        try expect(numbers(context, where: "TRUEPREDICATE"), equals: [])
        try context.execute(insertion)
        try expect(numbers(context, where: "text == %@", long), equals: [2])
    }

    @Test func anUpdateOfManyRows() throws {
        let context = try context(model(indexes: [["text"]]))
        try add(["text": "a", "number": 1], to: context)
        let long = text(1, count: 10_000)
        let update = NSBatchUpdateRequest(entityName: "Leaf")
        update.propertiesToUpdate = ["text": long]
        try context.execute(update)
        try expect(numbers(context, where: "text == %@", long), equals: [1])
    }
}
