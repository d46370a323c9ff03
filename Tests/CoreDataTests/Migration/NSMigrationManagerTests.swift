// Migrations by a mapping model: from every kind of store to every other, with policies and functions of the client's.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSMigrationManagerTests {
    static let kinds: [StoreKind] = [.sqlite, .tracked, .binary, .xml, .atomic] + StoreKind.onServers

    init() {
        NSEntityMigrationPolicy.register(BookPolicy.self)
        NSEntityMigrationPolicy.register(NamePolicy.self, name: "Library.NamePolicy")
        StoreKind.register()
    }

    /// A store of the first version.
    private func makeStore(_ kind: StoreKind, books: Int) throws -> (TemporaryFolder, URL) {
        let container = try kind.makeContainer(LibraryModels.first())
        try LibraryModels.fill(container.newBackgroundContext(), books: books)
        let store = container.store
        let url = try #require(store.url)
        var metadata = container.persistentStoreCoordinator.metadata(for: store)
        metadata["client"] = "kept"
        container.persistentStoreCoordinator.setMetadata(metadata, for: store)
        try container.newBackgroundContext().save()
        try container.persistentStoreCoordinator.remove(store)
        return (container.folder, url)
    }

    private func open(_ url: URL, _ type: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModels.second())
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func manager() -> NSMigrationManager {
        NSMigrationManager(sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
    }

    private func migrate(
        _ manager: NSMigrationManager, _ url: URL, _ type: String, to destination: URL,
        _ destinationType: String,
        _ mapping: NSMappingModel? = nil
    ) throws {
        try manager.migrateStore(
            from: url, sourceType: type,
            with: mapping ?? LibraryModels.mapping(manager.sourceModel, manager.destinationModel),
            toDestinationURL: destination, destinationType: destinationType)
    }

    /// Every value that `LibraryModels.fill` and the mapping lead to.
    private func check(_ context: NSManagedObjectContext, books count: Int) throws {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "bought", ascending: true)]
            let books = try context.fetch(request)
            expect(books.count, equals: count)
            for (number, book) in books.enumerated() {
                let isMagazine = number % 3 == 2
                expect(book.entity.name, equals: (isMagazine ? "Magazine" : "Book"))
                expect(book.value(forKey: "title") as? String, equals: "Title \(number)")
                expect(book.value(forKey: "mark") as? String, equals: "\(isMagazine ? "M" : "B")-\(number)")
                expect(book.value(forKey: "price") as? Decimal, equals: Decimal(number) / 4)
                let author = book.value(forKeyPath: "author.name") as? String
                expect(author, equals: (number % 7 == 6 ? nil : "Author \(number % 5)"))
                if isMagazine { expect(book.value(forKey: "issue") as? Int, equals: number % 12) }
            }
            let authors = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
            expect(authors.count, equals: 5)
            let readers = NSFetchRequest<NSManagedObject>(entityName: "Reader")
            let found = try context.fetch(readers)
            expect(found.count, equals: count / 4)
            for reader in found {
                let first = try #require(reader.value(forKey: "first") as? String)
                let number = try #require(Int(first.dropFirst(5)))
                expect(reader.value(forKey: "last") as? String, equals: "Last\(number)")
                expect(reader.value(forKey: "count") as? Int, equals: number % 4)
                let borrowed = try #require(reader.value(forKey: "borrowed") as? NSOrderedSet)
                let titles = borrowed.array.compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "title") as? String
                }
                expect(
                    titles,
                    equals: (0..<(number % 4)).reversed().map { "Title \((number * 5 + $0 * 11) % count)" })
            }
        }
    }

    @Test(arguments: kinds, kinds) func everyKindOfStoreBecomesEveryOther(
        _ kind: StoreKind, _ other: StoreKind
    ) throws {
        let (folder, url) = try makeStore(kind, books: 40)
        let before = url.isFileURL ? try Data(contentsOf: url) : nil
        let destination = try #require(try StoreKind.place(other.type, folder, "New.store"))
        let manager = manager()
        try migrate(manager, url, kind.type, to: destination, other.type)
        try check(open(destination, other.type), books: 40)
        if url.isFileURL { try expect(Data(contentsOf: url), equals: before) }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: other.type, at: destination)
        // The client's class that reads whole files doesn't keep it.
        if kind != .atomic { expect(metadata["client"] as? String, equals: "kept") }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.contains("migration-") })
    }

    /// More objects than a chunk, so that they are saved and forgotten in between.
    @Test func manyObjectsAreSavedBitByBit() throws {
        let (folder, url) = try makeStore(.sqlite, books: 1800)
        let destination = folder.file("New.sqlite")
        try migrate(manager(), url, NSSQLiteStoreType, to: destination, NSSQLiteStoreType)
        try check(open(destination, NSSQLiteStoreType), books: 1800)
    }

    @Test(arguments: StoreKind.inPlace) func aStoreCanBeReplacedByItsMigration(_ kind: StoreKind) throws {
        let (folder, url) = try makeStore(kind, books: 30)
        try withExtendedLifetime(folder) {
            try migrate(manager(), url, kind.type, to: url, kind.type)
            try check(open(url, kind.type), books: 30)
        }
    }

    @Test(arguments: StoreKind.inPlace) func objectsAreAddedToAStoreThatIsThere(_ kind: StoreKind) throws {
        let (folder, url) = try makeStore(kind, books: 12)
        let destination = try #require(try StoreKind.place(kind.type, folder, "New.sqlite"))
        let context = try open(destination, kind.type)
        try context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Nobody", forKey: "name")
            try context.save()
            for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
                try context.persistentStoreCoordinator?.remove(store)
            }
        }
        try migrate(manager(), url, kind.type, to: destination, kind.type)
        let after = try open(destination, kind.type)
        let counts = try after.performAndWait {
            try ["Author", "Book"].map {
                try after.count(for: NSFetchRequest<NSManagedObject>(entityName: $0))
            }
        }
        expect(counts, equals: [6, 12])
    }

    @Test func progressAndMappingCanBeObserved() throws {
        let (folder, url) = try makeStore(.sqlite, books: 40)
        let manager = manager()
        expect(manager.migrationProgress, equals: 0)
        expect(manager.currentEntityMapping.name, equals: "")
        var progress: [Float] = []
        var names: [String] = []
        let first = manager.observe(\.migrationProgress, options: [.old, .new]) { manager, change in
            expect(change.newValue, equals: manager.migrationProgress)
            progress.append(change.newValue ?? -1)
        }
        var mapped: Set<String> = []
        let second = manager.observe(\.currentEntityMapping, options: .new) { manager, change in
            if change.newValue?.name == "BookToBook" {
                mapped = Set(manager.mappingModel.entityMappingsByName.keys)
            }
            if names.last != change.newValue?.name { names.append(change.newValue?.name ?? "") }
        }
        try migrate(manager, url, NSSQLiteStoreType, to: folder.file("New.sqlite"), NSSQLiteStoreType)
        #expect(progress.first == 0 && progress.last == 1 && progress.count > 50)
        #expect(progress.dropFirst().elementsEqual(progress.dropFirst().sorted()))
        expect(
            Array(names.prefix(4)), equals: ["Author", "BookToBook", "MagazineToMagazine", "MemberToReader"])
        #expect(mapped.isSuperset(of: names.filter { !$0.isEmpty }))
        expect(manager.migrationProgress, equals: 1)
        first.invalidate()
        second.invalidate()
    }

    @Test func aCancelledMigrationThrowsItsErrorAndLeavesNothing() throws {
        struct Stop: Error, Equatable {}
        let (folder, url) = try makeStore(.sqlite, books: 40)
        let destination = folder.file("New.sqlite")
        let manager = manager()
        let observation = manager.observe(\.migrationProgress, options: .new) { manager, change in
            if change.newValue ?? 0 > 0.3 { manager.cancelMigrationWithError(Stop()) }
        }
        #expect(throws: Stop()) {
            try migrate(manager, url, NSSQLiteStoreType, to: destination, NSSQLiteStoreType)
        }
        #expect(!FileManager.default.fileExists(atPath: destination.path))
        observation.invalidate()
        // It was for that migration only. The policies' authors were of its context.
        manager.userInfo = nil
        try migrate(manager, url, NSSQLiteStoreType, to: destination, NSSQLiteStoreType)
        try check(open(destination, NSSQLiteStoreType), books: 40)
    }

    @Test func aMigrationIsCancelledBeforeItStarts() throws {
        struct Stop: Error, Equatable {}
        let (folder, url) = try makeStore(.sqlite, books: 40)
        let destination = folder.file("New.sqlite")
        let manager = manager()
        manager.cancelMigrationWithError(Stop())
        #expect(throws: Stop()) {
            try migrate(manager, url, NSSQLiteStoreType, to: destination, NSSQLiteStoreType)
        }
        #expect(!FileManager.default.fileExists(atPath: destination.path))
        try migrate(manager, url, NSSQLiteStoreType, to: destination, NSSQLiteStoreType)
        try check(open(destination, NSSQLiteStoreType), books: 40)
    }

    /// Between chunks and passes the objects that a policy holds stay as they are.
    @Test func objectsThatPoliciesHoldKeepTheirValues() throws {
        NSEntityMigrationPolicy.register(HoldingPolicy.self)
        let (folder, url) = try makeStore(.sqlite, books: 8)
        let manager = manager()
        let held = NSMutableArray()
        manager.userInfo = ["held": held]
        let mapping = LibraryModels.mapping(manager.sourceModel, manager.destinationModel)
        let reader = mapping.entityMappings?.first { $0.name == "MemberToReader" }
        reader?.entityMigrationPolicyClassName = "HoldingPolicy"
        for property in reader?.attributeMappings ?? [] where property.name != "count" {
            property.valueExpression = NSExpression(format: "$source.name")
        }
        try migrate(
            manager, url, NSSQLiteStoreType, to: folder.file("New.sqlite"), NSSQLiteStoreType, mapping)
        #expect(held.count > 0 && held.allSatisfy { $0 as? String == "read true" })
    }

    /// Calls of a policy in their order, and what the manager answers in between.
    @Test func passesCallPoliciesInOrder() throws {
        NSEntityMigrationPolicy.register(LoggingPolicy.self)
        let (folder, url) = try makeStore(.sqlite, books: 8)
        let manager = manager()
        let log = NSMutableArray()
        manager.userInfo = ["log": log]
        let mapping = LibraryModels.mapping(manager.sourceModel, manager.destinationModel)
        let members = try #require(mapping.entityMappingsByName["MemberToReader"])
        members.entityMigrationPolicyClassName = "LoggingPolicy"
        members.attributeMappings = [LibraryModels.property("first", "$source.name")]
        mapping.entityMappings = [members]
        members.relationshipMappings = nil
        try migrate(
            manager, url, NSSQLiteStoreType, to: folder.file("New.sqlite"), NSSQLiteStoreType, mapping)
        expect(
            log.compactMap { $0 as? String },
            equals: [
                "begin", "create First0 Last0", "create First1 Last1", "end creation", "relate First0 Last0",
                "relate First1 Last1", "end relating", "validate 2", "end 2",
            ])
    }

    @Test func resetForgetsAssociations() throws {
        NSEntityMigrationPolicy.register(ResettingPolicy.self)
        let (folder, url) = try makeStore(.sqlite, books: 8)
        let manager = manager()
        let mapping = LibraryModels.mapping(manager.sourceModel, manager.destinationModel)
        let members = try #require(mapping.entityMappingsByName["MemberToReader"])
        members.entityMigrationPolicyClassName = "ResettingPolicy"
        members.attributeMappings = []
        members.relationshipMappings = []
        mapping.entityMappings = [members]
        let log = NSMutableArray()
        manager.userInfo = ["log": log]
        try migrate(
            manager, url, NSSQLiteStoreType, to: folder.file("New.sqlite"), NSSQLiteStoreType, mapping)
        expect(log.compactMap { $0 as? Int }, equals: [2, 0])
    }

    @Test func aSubclassMayOfferFunctions() throws {
        let (folder, url) = try makeStore(.sqlite, books: 8)
        let manager = ShoutingManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        manager.userInfo = ["mark": "!"]
        manager.usesStoreSpecificMigrationManager = false
        let mapping = LibraryModels.mapping(manager.sourceModel, manager.destinationModel)
        let members = try #require(mapping.entityMappingsByName["MemberToReader"])
        members.entityMigrationPolicyClassName = nil
        members.attributeMappings = [
            LibraryModels.property("first", "FUNCTION($manager, 'shout:', $source.name)"),
            LibraryModels.property("last", "$manager.userInfo.mark"),
        ]
        members.relationshipMappings = nil
        members.sourceExpression = CoreData.NSExpression(
            format: "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Member', "
                + "'name BEGINSWITH \"First1\"'), $manager.sourceContext, NO)")
        mapping.entityMappings = [members]
        let destination = folder.file("New.sqlite")
        try manager.migrateStore(
            from: url, type: .sqlite, mapping: mapping, to: destination, type: .sqlite)
        let context = try open(destination, NSSQLiteStoreType)
        try context.performAndWait {
            let readers = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Reader"))
            expect(readers.map { $0.value(forKey: "first") as? String }, equals: ["FIRST1 LAST1"])
            expect(readers.map { $0.value(forKey: "last") as? String }, equals: ["!"])
        }
    }

    @Test func managersKnowTheEntitiesOfMappings() {
        let manager = manager()
        let mapping = NSEntityMapping()
        #expect(manager.sourceEntity(for: mapping) == nil && manager.destinationEntity(for: mapping) == nil)
        mapping.sourceEntityName = "Member"
        mapping.destinationEntityName = "Reader"
        expect(manager.sourceEntity(for: mapping)?.name, equals: "Member")
        expect(manager.destinationEntity(for: mapping)?.name, equals: "Reader")
        #expect(manager.usesStoreSpecificMigrationManager)
        expect(
            ObjectIdentifier(NSPersistentStore.migrationManagerClass()),
            equals: ObjectIdentifier(NSMigrationManager.self))
        manager.reset()
    }

    @Test func withoutAMigrationThereAreNoContexts() async {
        await #expect(processExitsWith: .failure) {
            let manager = NSMigrationManager(
                sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
            _ = manager.sourceContext
        }
    }

    @Test func otherKeyPathsCantBeObserved() async {
        await #expect(processExitsWith: .failure) {
            let manager = NSMigrationManager(
                sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
            _ = manager.observe(\.usesStoreSpecificMigrationManager) { _, _ in }
        }
    }
}

/// Writes down what it is called for.
final class LoggingPolicy: NSEntityMigrationPolicy {
    private func log(_ text: String, _ manager: NSMigrationManager) {
        (manager.userInfo?["log"] as? NSMutableArray)?.add(text)
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        log("begin", manager)
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        log("create \(sInstance.value(forKey: "name") ?? "")", manager)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws
    {
        log("end creation", manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        log("relate \(dInstance.value(forKey: "first") ?? "")", manager)
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws { log("end relating", manager) }

    override func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        log("validate \(made.count)", manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let from = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil)
        log("end \(from.count)", manager)
    }
}

/// Resets the manager after the first pass.
final class ResettingPolicy: NSEntityMigrationPolicy {
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws
    {
        for _ in 0..<2 {
            let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
            (manager.userInfo?["log"] as? NSMutableArray)?.add(made.count)
            manager.reset()
        }
    }
}

final class ShoutingManager: NSMigrationManager, @unchecked Sendable {
    override class func registerFunctions(in functions: inout MigrationFunctions) {
        functions.function("shout:") { (manager: ShoutingManager, text: String) in text.uppercased() }
    }
}
