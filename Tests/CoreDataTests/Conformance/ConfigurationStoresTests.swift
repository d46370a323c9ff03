// Stores that are opened with a configuration of their model.

import CoreData
import CoreDataFiles
import CoreDataSQL
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ConfigurationStoresTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Store.sqlite")
    }

    /// Two entities with a hierarchy and a relationship between them, and one apart.
    private func model(_ change: (NSManagedObjectModel) -> Void = { _ in }) -> NSManagedObjectModel {
        let document = NSEntityDescription("Document", [NSAttributeDescription("title", .string)])
        let report = NSEntityDescription("Report", [NSAttributeDescription("pages", .integer32)])
        let author = NSEntityDescription("Author", [NSAttributeDescription("title", .string)])
        let entry = NSEntityDescription("CacheEntry", [NSAttributeDescription("title", .string)])
        document.subentities = [report]
        NSRelationshipDescription.connect(document, "authors", .many, author, "documents", .many)
        let model = NSManagedObjectModel()
        model.entities = [document, report, author, entry]
        model.setEntities([document, report, author], forConfigurationName: "Main")
        model.setEntities([entry], forConfigurationName: "Cache")
        change(model)
        return model
    }

    @discardableResult
    private func using<Answer>(
        _ configuration: String?, type: String = NSSQLiteStoreType, with model: NSManagedObjectModel? = nil,
        options: [AnyHashable: Any]? = nil, _ body: (NSManagedObjectContext) throws -> Answer
    ) throws -> Answer {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model ?? self.model())
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: configuration, at: url, options: options)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.run { () throws in
            defer { context.reset() }
            return try body(context)
        }
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        let author = context.make("Author", ["title": "Ann"])
        let report = context.make("Report", ["title": "a", "pages": 3])
        report.setValue(NSSet(object: author), forKey: "authors")
        try context.save()
    }

    private func check(_ context: NSManagedObjectContext) throws {
        let reports = try context.all("Document", "ANY authors.title == 'Ann'")
        expect(reports.map { $0.value(forKey: "pages") as? Int }, equals: [3])
    }

    private func hashes(_ type: String = NSSQLiteStoreType) throws -> [String: Data]? {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)[
            NSStoreModelVersionHashesKey] as? [String: Data]
    }

    private var tables: [String] {
        get throws {
            try RawDatabase(url).rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap {
                $0[0]
            }.filter { $0.hasPrefix("Z") && !$0.hasPrefix("Z_M") && !$0.hasPrefix("Z_P") }.sorted()
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aStoreNamesTheWholeModel(_ type: String) throws {
        try using("Main", type: type, fill)
        try expect(hashes(type), equals: model().entityVersionHashesByName)
        try using(nil, type: type) { context in
            try check(context)
            _ = context.make("CacheEntry", ["title": "b"])
            try context.save()
        }
        try using("Main", type: type, check)
        try expect(using("Cache", type: type) { try $0.all("CacheEntry").count }, equals: 1)
    }

    @Test func aStoreInMemoryNamesTheWholeModel() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "Cache", at: nil)
        expect(
            store.metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            equals: model().entityVersionHashesByName)
    }

    @Test func aNewStoreIsTheSameWithAndWithoutConfiguration() throws {
        try using("Main", fill)
        let named = try tables
        try FileManager.default.removeItem(at: url)
        try using(nil, fill)
        try expect(tables, equals: named)
        #expect(named.contains("ZCACHEENTRY"))
    }

    /// Entities outside the configuration may be of another version.
    @Test func otherEntitiesMayDiffer() throws {
        try using("Main", fill)
        let changed = model {
            $0.entitiesByName["CacheEntry"]?.properties += [NSAttributeDescription("more", .string)]
        }
        try using("Main", with: changed, check)
        #expect(throws: (any Error).self) { try self.using(nil, with: changed) { _ in } }
        try using(
            nil, with: changed,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true,
            ]
        ) { context in
            try check(context)
            _ = context.make("CacheEntry", ["more": "b"])
            try context.save()
        }
        try expect(hashes(), equals: changed.entityVersionHashesByName)
    }

    @Test func itsOwnEntitiesMayNot() throws {
        try using("Main", fill)
        let changed = model {
            $0.entitiesByName["Author"]?.properties += [NSAttributeDescription("more", .string)]
        }
        let failure = #expect(throws: NSError.self) { try self.using("Main", with: changed) { _ in } }
        expect(failure?.code, equals: NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test func aManagerMigratesIt() throws {
        try using("Main", fill)
        let changed = model {
            $0.entitiesByName["Author"]?.properties += [NSAttributeDescription("more", .string)]
        }
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: model(), destinationModel: changed)
        let manager = NSMigrationManager(sourceModel: model(), destinationModel: changed)
        let target = folder.file("New.sqlite")
        try manager.migrateStore(
            from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: changed)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "Main", at: target)
    }

    // MARK: Stores of earlier releases

    /// A file with the tables and hashes of one configuration only.
    private func makeEarlierStore(_ configuration: String) throws {
        let schema = model().schema
        let index = ModelIndex(schema)
        let names = Set(
            model().entities(forConfigurationName: configuration)?.compactMap(\.name) ?? [])
        let blueprint = try LayoutBuilder.blueprint(for: index, entities: names)
        let hashes = model().entityVersionHashesByName.filter { names.contains($0.key) }
        let metadata = StoreMetadata(
            uuid: "9A1F3F60-2D67-4C7A-8E4B-0F2F5B1C0001", hashes: hashes, digest: "", checksum: "",
            identifiers: [])
        let statements = try SchemaStatements(
            blueprint, uuid: metadata.uuid, propertyList: metadata.propertyList(),
            modelCache: CachedModel.data(for: schema))
        let raw = try RawDatabase(url)
        try raw.run("PRAGMA journal_mode = WAL")
        for statement in statements.statements { try raw.run(statement.inlined) }
        if configuration == "Main" {
            try raw.run("INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'Ann')")
            try raw.run(
                "INSERT INTO ZDOCUMENT (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES) VALUES (1, 3, 1, 'a', 3)")
            try raw.run("INSERT INTO Z_1DOCUMENTS VALUES (1, 1)")
            try raw.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_SUPER = 0")
        }
    }

    @Test func anEarlierStoreIsBroughtUpToDate() throws {
        try makeEarlierStore("Main")
        try expect(tables, equals: ["ZAUTHOR", "ZDOCUMENT", "Z_1DOCUMENTS"])
        try using("Main") { context in
            try check(context)
            _ = context.make("Author", ["title": "Bob"])
            try context.save()
        }
        try expect(hashes(), equals: model().entityVersionHashesByName)
        try using(nil) { context in
            try check(context)
            _ = context.make("CacheEntry", ["title": "b"])
            try context.save()
            try expect(context.all("Author").count, equals: 2)
        }
        let entities = model().entities.map(InspectedEntity.init)
        try expect(StoreInspector(url, entities).violations(), equals: [])
    }

    @Test func anEarlierStoreThatMayNotBeWrittenOpens() throws {
        try makeEarlierStore("Main")
        try using("Main", options: [NSReadOnlyPersistentStoreOption: true], check)
        try expect(hashes()?.count, equals: 3)
    }

    @Test func anEarlierStoreInUseOpens() throws {
        try makeEarlierStore("Main")
        let other = try RawDatabase(url)
        try other.run("BEGIN; SELECT * FROM ZAUTHOR")
        try using("Main") { context in
            try check(context)
            _ = context.make("Author", ["title": "Bob"])
            try context.save()
        }
        try other.run("COMMIT")
        try expect(using("Main") { try $0.all("Author").count }, equals: 2)
    }
}

extension SQLStatement {
    /// The text with its bindings in place.
    fileprivate var inlined: String {
        var rest = bindings[...]
        return text.map { character in
            guard character == "?", let binding = rest.popFirst() else { return String(character) }
            switch binding {
            case .null: return "NULL"
            case .integer(let number): return String(number)
            case .double(let number): return String(number)
            case .text(let text): return "'\(text)'"
            case .blob(let data): return "x'" + data.map { String(format: "%02x", $0) }.joined() + "'"
            }
        }.joined()
    }
}
