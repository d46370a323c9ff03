import CoreData
import XCTest

@testable import Upgrades

final class UpgradesTests: XCTestCase {
    private var folder: URL!
    private var url: URL { folder.appendingPathComponent("Diary.sqlite") }
    private let upgrader = Upgrader()

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    private func with<T>(_ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> T) throws
        -> T
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private func fill(_ model: NSManagedObjectModel, moods: [String?]) throws {
        try with(model) { context in
            for (number, mood) in moods.enumerated() {
                let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
                entry.setValue("Day \(number)", forKey: "text")
                entry.setValue(mood, forKey: "mood")
            }
            try context.save()
        }
    }

    func testEveryStep() throws {
        XCTAssertEqual(upgrader.versions.map(upgrader.number), [1, 2, 3])
        try fill(upgrader.versions[0], moods: ["glad", "sad", "glad", nil])
        XCTAssertTrue(try upgrader.needsUpgrade(url))
        try upgrader.upgrade(url)
        XCTAssertEqual(upgrader.steps, ["2 by mapping", "3 inferred"])
        XCTAssertEqual(upgrader.progress.last, 1)
        XCTAssertFalse(try upgrader.needsUpgrade(url))
        try with(upgrader.versions[2]) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
            request.sortDescriptors = [NSSortDescriptor(key: "body", ascending: true)]
            let entries = try context.fetch(request)
            XCTAssertEqual(
                entries.map { $0.value(forKey: "body") as? String }, ["Day 0", "Day 1", "Day 2", "Day 3"])
            XCTAssertEqual(
                entries.map { $0.value(forKeyPath: "mood.name") as? String }, ["glad", "sad", "glad", nil])
            XCTAssertEqual(entries.map { $0.value(forKey: "stars") as? Int }, [3, 3, 3, 3])
            XCTAssertEqual(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Mood")), 2)
        }
    }

    func testMethodsOfAPolicy() throws {
        let (second, third) = (upgrader.versions[1], upgrader.versions[2])
        try with(second) { context in
            let glad = NSEntityDescription.insertNewObject(forEntityName: "Mood", into: context)
            glad.setValue("glad", forKey: "name")
            for mood in [glad, nil] {
                let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
                entry.setValue("Morning", forKey: "text")
                entry.setValue(mood, forKey: "mood")
            }
            try context.save()
        }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: second, destinationModel: third)
        let entries = try XCTUnwrap(
            mapping.entityMappings.first { $0.destinationEntityName == "Entry" })
        entries.mappingType = .customEntityMappingType
        let (body, stars) = (NSPropertyMapping(), NSPropertyMapping())
        (body.name, stars.name) = ("body", "stars")
        stars.valueExpression = NSExpression(
            format: "FUNCTION($entityPolicy, \"starsForMood:\", $source.mood)")
        entries.attributeMappings = [body, stars]
        for (name, format) in [
            ("DigestPolicy", "FUNCTION($entityPolicy, \"digestOf:in:\", $source, $manager)"),
            ("Upgrades.DigestPolicy", "FUNCTION($entityPolicy, \"shortened:to:\", $source.text, 2)"),
        ] {
            entries.entityMigrationPolicyClassName = name
            body.valueExpression = NSExpression(format: format)
            let destination = folder.appendingPathComponent("\(name).sqlite")
            try NSMigrationManager(sourceModel: second, destinationModel: third).migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
                toDestinationURL: destination, destinationType: NSSQLiteStoreType, destinationOptions: nil)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: third)
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: destination, options: nil)
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Entry"))
            let text = name == "DigestPolicy" ? "Mor/2" : "Mo"
            XCTAssertEqual(found.map { $0.value(forKey: "body") as? String }, [text, text])
            XCTAssertEqual(Set(found.map { $0.value(forKey: "stars") as? Int }), Set([5, nil]))
        }
    }

    func testCancelling() throws {
        try fill(upgrader.versions[0], moods: ["glad"])
        let manager = NSMigrationManager(
            sourceModel: upgrader.versions[0], destinationModel: upgrader.versions[1])
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: upgrader.versions[1], destinationModel: upgrader.versions[2])
        let reason = NSError(domain: "Diary", code: 7)
        manager.cancelMigrationWithError(reason)
        XCTAssertThrowsError(
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
                toDestinationURL: folder.appendingPathComponent("new.sqlite"),
                destinationType: NSSQLiteStoreType, destinationOptions: nil))
        XCTAssertEqual(try upgrader.version(of: url), 1)
    }

    func testLightweightByOptions() throws {
        try with(upgrader.versions[1]) { context in
            let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
            entry.setValue("Kept", forKey: "text")
            try context.save()
        }
        let container = NSPersistentContainer(name: "Diary", managedObjectModel: upgrader.versions[2])
        let description = NSPersistentStoreDescription(url: url)
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        description.shouldAddStoreAsynchronously = true
        container.persistentStoreDescriptions = [description]
        let loaded = expectation(description: "loaded")
        container.loadPersistentStores { _, error in
            XCTAssertNil(error)
            loaded.fulfill()
        }
        wait(for: [loaded])
        let found = try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Entry"))
        XCTAssertEqual(found.map { $0.value(forKey: "body") as? String }, ["Kept"])
        try container.persistentStoreCoordinator.remove(
            container.persistentStoreCoordinator.persistentStores[0])
    }
}
