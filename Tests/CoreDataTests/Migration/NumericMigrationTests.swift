// Attributes whose numbers get another type: in place, and by a mapping model that was inferred.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NumericMigrationTests {
    enum Way {
        case inPlace, inPlaceOnServer, byManager, byManagerFromXML

        static let allCases =
            [Way.inPlace, .byManager, .byManagerFromXML]
            + (StoreKind.onServers.isEmpty ? [] : [.inPlaceOnServer])

        var type: String {
            switch self {
            case .inPlace, .byManager: NSSQLiteStoreType
            case .inPlaceOnServer: StoreKind.postgreSQL.type
            case .byManagerFromXML: NSXMLStoreType
            }
        }

        var isInPlace: Bool { self == .inPlace || self == .inPlaceOnServer }
    }

    private func place(_ way: Way) throws -> URL {
        StoreKind.register()
        return try #require(try StoreKind.place(way.type, folder, "Old.store"))
    }

    typealias Attribute = NSAttributeDescription.AttributeType

    struct Change {
        var from: Attribute
        var to: Attribute
        var value: any Sendable
        var expected: String

        init(_ from: Attribute, _ to: Attribute, _ value: any Sendable, _ expected: String) {
            self.from = from
            self.to = to
            self.value = value
            self.expected = expected
        }
    }

    private static let changes: [Change] = [
        .init(.integer16, .integer32, -7, "-7"), .init(.integer16, .integer64, 300, "300"),
        .init(.integer32, .integer16, -32768, "-32768"), .init(.integer32, .integer64, 70_000, "70000"),
        .init(.integer64, .integer16, 32767, "32767"), .init(.integer64, .integer32, 1 << 30, "1073741824"),
        .init(.integer16, .float, 12, "12.0"), .init(.integer32, .double, -3, "-3.0"),
        .init(.integer64, .double, 5_000_000_093, "5000000093.0"),
        .init(.integer64, .decimal, 5_000_000_093, "5000000093"), .init(.integer16, .decimal, -1, "-1"),
        .init(.float, .double, Float(0.1), "0.10000000149011612"),
        .init(.double, .float, 0.1, "0.10000000149011612"), .init(.double, .float, 2.5, "2.5"),
        .init(.float, .decimal, Float(19.99), "19.99"), .init(.double, .decimal, 19.99, "19.99"),
        .init(.double, .decimal, 3.0, "3"), .init(.boolean, .integer16, true, "1"),
        .init(.boolean, .integer64, false, "0"), .init(.boolean, .integer32, true, "1"),
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: Models and stores

    /// An entity with one attribute for each change, of the older or the newer type, one that is required from the newer
    /// version on, and a subentity.
    private func model(_ changes: [Change], isNew: Bool) -> NSManagedObjectModel {
        let attributes = changes.enumerated().map { number, change in
            NSAttributeDescription("c\(number)", isNew ? change.to : change.from)
        }
        let needed = NSAttributeDescription("needed", isNew ? .decimal : .float, optional: !isNew)
        if isNew { needed.defaultValue = Decimal(string: "0.7") }
        let row = NSEntityDescription("Row", attributes + [needed])
        row.indexes = [
            NSFetchIndexDescription(
                name: "byNeeded",
                elements: [NSFetchIndexElementDescription(property: needed, collationType: .binary)])
        ]
        let special = NSEntityDescription("Special")
        row.subentities = [special]
        let model = NSManagedObjectModel()
        model.entities = [row, special, NSEntityDescription("Other")]
        return model
    }

    private func context(
        _ url: URL, _ type: String, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil
    ) throws -> (NSManagedObjectContext, NSPersistentStore) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, store)
    }

    private func fill(_ url: URL, _ type: String, _ changes: [Change]) throws {
        let (context, store) = try context(url, type, model(changes, isNew: false))
        for entity in ["Row", "Special"] {
            let row = context.make(entity, ["needed": Float(0.5)])
            for (number, change) in changes.enumerated() { row.setValue(change.value, forKey: "c\(number)") }
            _ = context.make(entity, [:])
        }
        try context.save()
        try context.persistentStoreCoordinator?.remove(store)
    }

    /// Migrates the store and opens it with the newer model.
    private func migrate(
        _ url: URL, _ way: Way, _ changes: [Change]
    ) throws -> (NSManagedObjectContext, NSPersistentStore) {
        let (old, new) = (model(changes, isNew: false), model(changes, isNew: true))
        if way.isInPlace { return try context(url, way.type, new, .migrating) }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let target = folder.file("Migrated.store")
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, sourceType: way.type, options: nil, with: mapping, toDestinationURL: target,
            destinationType: way.type, destinationOptions: nil)
        return try context(target, way.type, new)
    }

    private func text(_ value: Any?) -> String? {
        if let decimal = value as? NSDecimalNumber { return "\(decimal.decimalValue)" }
        guard let number = value as? NSNumber else { return nil }
        let isFloating = ["f", "d"].contains(String(cString: number.objCType))
        return isFloating ? "\(number.doubleValue)" : "\(number.int64Value)"
    }

    // MARK: Tests

    @Test(arguments: Way.allCases)
    func numbersSayTheSame(way: Way) throws {
        let url = try place(way)
        try fill(url, way.type, Self.changes)
        let (context, store) = try migrate(url, way, Self.changes)
        if way != .byManagerFromXML {
            try expect(context.persistentStoreCoordinator?.verify(store), equals: [])
        }
        let rows = try context.all("Row")
        try #require(rows.count == 4)
        let (full, empty) = (
            rows.filter { $0.value(forKey: "c0") != nil }, rows.filter { $0.value(forKey: "c0") == nil }
        )
        #expect(full.count == 2 && empty.count == 2)
        for (number, change) in Self.changes.enumerated() {
            let found = full.map { text($0.value(forKey: "c\(number)")) }
            expect(found, equals: [change.expected, change.expected], "\(change.from) to \(change.to)")
            #expect(empty.allSatisfy { $0.value(forKey: "c\(number)") == nil })
        }
        expect(full.map { text($0.value(forKey: "needed")) }, equals: ["0.5", "0.5"])
        expect(empty.map { text($0.value(forKey: "needed")) }, equals: ["0.7", "0.7"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Row")
        request.predicate = NSPredicate(format: "c15 == %@", NSDecimalNumber(string: "19.99"))
        try expect(context.fetch(request).count, equals: 2)
    }

    @Test func columnsAreThoseOfANewStore() throws {
        let (url, other) = (folder.file("Old.store"), folder.file("New.store"))
        try fill(url, NSSQLiteStoreType, Self.changes)
        let (migrated, store) = try migrate(url, .inPlace, Self.changes)
        try migrated.persistentStoreCoordinator?.remove(store)
        let (context, made) = try context(other, NSSQLiteStoreType, model(Self.changes, isNew: true))
        try context.persistentStoreCoordinator?.remove(made)
        try expect(StoreSchema(url), equals: StoreSchema(other))
        try expect(
            rows(
                url, "SELECT DISTINCT typeof(ZC7), typeof(ZC9), typeof(ZC14) FROM ZROW WHERE ZC0 NOT NULL"),
            equals: [["real", "integer", "real"]])
    }

    @Test(
        arguments: Way.allCases,
        [
            .init(.integer64, .integer16, 32768, "32768"), .init(.integer32, .integer16, -70_000, "-70000"),
            .init(.integer64, .integer32, 1 << 40, "1099511627776"), .init(.double, .float, 1e300, "1e+300"),
            .init(.double, .decimal, -1e200, "-1e+200"),
        ] as [Change])
    func aNumberThatDoesNotFitIsNamed(way: Way, change: Change) throws {
        let url = try place(way)
        try fill(url, way.type, [change])
        let before = way == .inPlace ? try rows(url, "SELECT * FROM ZROW") : []
        let error = try #require(throws: NSError.self) { _ = try migrate(url, way, [change]) }
        expect(error.code, equals: NSMigrationError)
        #expect(["Row", "Special"].contains(error.userInfo["entity"] as? String))
        expect(error.userInfo["attribute"] as? String, equals: "c0")
        expect(error.userInfo["property"] as? String, equals: "c0")
        let object = try #require(error.userInfo["object"] as? URL)
        #expect(object.path.hasPrefix("/Row/p") || object.path.hasPrefix("/Special/p"), "\(object)")
        let value = try #require(error.userInfo["value"] as? String)
        expect(Double(value), equals: Double(change.expected))
        if way == .inPlace { try expect(rows(url, "SELECT * FROM ZROW"), equals: before) }
        let (context, _) = try context(url, way.type, model([change], isNew: false))
        try expect(context.all("Row").count, equals: 4)
    }

    @Test func theDryRunFailsOfTheSame() throws {
        let url = folder.file("Old.store")
        let change = Change(.integer64, .integer16, 1 << 20, "")
        try fill(url, NSSQLiteStoreType, [change])
        let error = try #require(throws: NSError.self) {
            try NSPersistentStoreCoordinator.migrationSteps(
                forStoreAt: url, from: model([change], isNew: false), to: model([change], isNew: true))
        }
        #expect(error.code == NSMigrationError && error.userInfo["attribute"] as? String == "c0")
    }

    /// A value that isn't a number can't become one, though the column would take it.
    @Test func aTextInANumbersColumnIsNamed() throws {
        let url = folder.file("Old.store")
        let change = Change(.integer32, .double, 1, "")
        try fill(url, NSSQLiteStoreType, [change])
        try RawDatabase(url).run("UPDATE ZROW SET ZC0 = 'many' WHERE Z_PK = 2")
        let error = try #require(throws: NSError.self) { _ = try migrate(url, .inPlace, [change]) }
        expect((error.userInfo["object"] as? URL)?.lastPathComponent, equals: "p2")
    }

    /// The version hash of an entity with composite attributes isn't certain, so that only what has no place in the store
    /// makes it one of another version.
    @Test(arguments: [true, false])
    func elementsOfCompositesToo(inPlace: Bool) throws {
        func model(_ number: Attribute, _ depth: Attribute, isNew: Bool = true) -> NSManagedObjectModel {
            let inner = NSCompositeAttributeDescription("inner", elements: [.init("depth", depth)])
            let place = NSCompositeAttributeDescription(
                "place", elements: [NSAttributeDescription("number", number), inner])
            let house = NSEntityDescription("House", [place])
            if isNew { house.properties.append(NSAttributeDescription("extra", .string)) }
            let model = NSManagedObjectModel()
            model.entities = [house]
            return model
        }
        let (url, target) = (folder.file("Houses"), folder.file("New"))
        let older = model(.integer64, .double, isNew: false)
        let (old, store) = try context(url, NSSQLiteStoreType, older)
        _ = old.make("House", ["place": ["number": 12, "inner": ["depth": 2.25]] as [String: Any]])
        _ = old.make("House", ["place": ["number": 1 << 40] as [String: Any]])
        try old.save()
        try old.persistentStoreCoordinator?.remove(store)
        func migrated(_ newer: NSManagedObjectModel) throws -> NSManagedObjectContext {
            if inPlace { return try context(url, NSSQLiteStoreType, newer, .migrating).0 }
            try NSMigrationManager(sourceModel: older, destinationModel: newer).migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil,
                with: NSMappingModel.inferredMappingModel(forSourceModel: older, destinationModel: newer),
                toDestinationURL: target, destinationType: NSSQLiteStoreType, destinationOptions: nil)
            return try context(target, NSSQLiteStoreType, newer).0
        }
        let error = try #require(throws: NSError.self) { _ = try migrated(model(.integer16, .decimal)) }
        expect(error.userInfo["attribute"] as? String, equals: "place.number")
        let houses = try migrated(model(.double, .decimal)).all("House").sorted {
            ($0.value(forKeyPath: "place.number") as? Double ?? 0)
                < ($1.value(forKeyPath: "place.number") as? Double ?? 0)
        }
        expect(
            houses.map { text($0.value(forKeyPath: "place.number")) }, equals: ["12.0", "1099511627776.0"])
        expect(text(houses[0].value(forKeyPath: "place.inner.depth")), equals: "2.25")
        #expect(houses[1].value(forKeyPath: "place.inner.depth") == nil)
    }
}
