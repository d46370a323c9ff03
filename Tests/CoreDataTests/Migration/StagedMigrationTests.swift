// Migrations in stages: which steps they take, and what handlers see.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StagedMigrationTests {
    /// Versions 1 to 4 of a note: it gets a kind, then the kind must be there, then an author's name.
    private static func model(_ version: Int) -> NSManagedObjectModel {
        let note = NSEntityDescription("Note", [NSAttributeDescription("text", .string)])
        if version > 1 {
            note.properties.append(NSAttributeDescription("kind", .string, optional: version == 2))
        }
        if version > 3 { note.properties.append(NSAttributeDescription("author", .string)) }
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    private static func checksum(_ version: Int) -> String { model(version).versionChecksum }

    private static func reference(_ version: Int) -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(model: model(version), versionChecksum: checksum(version))
    }

    private func place(_ folder: TemporaryFolder, _ kind: StoreKind) throws -> URL {
        StoreKind.register()
        return try #require(try StoreKind.place(kind.type, folder, "Notes.sqlite"))
    }

    private func makeStore(_ folder: TemporaryFolder, _ kind: StoreKind, version: Int) throws -> URL {
        let url = try place(folder, kind)
        let context = try add(url, version, type: kind.type)
        try context.performAndWait {
            for number in 0..<3 {
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue("Note \(number)", forKey: "text")
            }
            try context.save()
        }
        try close(context)
        return url
    }

    private func add(
        _ url: URL, _ version: Int, _ manager: NSStagedMigrationManager? = nil, type: String? = nil
    ) throws -> NSManagedObjectContext {
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: Self.model(version))
        let description = NSPersistentStoreDescription(url: url)
        if let type = type ?? (url.isFileURL ? nil : StoreKind.postgreSQL.type) { description.type = type }
        if let manager {
            description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
        }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container.newBackgroundContext()
    }

    private func close(_ context: NSManagedObjectContext) throws {
        context.performAndWait { context.reset() }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    private func values(_ key: String, _ context: NSManagedObjectContext) throws -> [String?] {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            return try context.fetch(request).map { $0.value(forKey: key) as? String }
        }
    }

    /// Gives notes their kind before it must be there.
    private func stages(_ log: NSMutableArray) -> [NSMigrationStage] {
        let custom = NSCustomMigrationStage(migratingFrom: Self.reference(2), to: Self.reference(3))
        custom.willMigrateHandler = { manager, stage in
            expect(stage.currentModel.versionChecksum, equals: Self.checksum(2))
            let container = try #require(manager.container)
            expect(container.managedObjectModel.versionChecksum, equals: Self.checksum(2))
            let context = container.newBackgroundContext()
            try context.performAndWait {
                for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
                where note.value(forKey: "kind") == nil { note.setValue("plain", forKey: "kind") }
                try context.save()
            }
            log.add("will")
        }
        custom.didMigrateHandler = { manager, _ in
            expect(manager.container?.managedObjectModel.versionChecksum, equals: Self.checksum(3))
            log.add("did")
        }
        return [
            NSLightweightMigrationStage([Self.checksum(1), Self.checksum(2)]), custom,
            NSLightweightMigrationStage([Self.checksum(3), Self.checksum(4)]),
        ]
    }

    @Test(arguments: [(1, ["will", "did"]), (2, ["will", "did"]), (4, [])], StoreKind.inPlace)
    func everyVersionBecomesTheNewest(_ start: (Int, [String]), _ kind: StoreKind) throws {
        let (version, calls) = start
        if version == 4 { return try alreadyThere(kind) }
        let folder = try TemporaryFolder()
        let url = try makeStore(folder, kind, version: version)
        let log = NSMutableArray()
        let manager = NSStagedMigrationManager(stages(log))
        let context = try add(url, 4, manager)
        expect(log.compactMap { $0 as? String }, equals: calls)
        #expect(manager.container == nil)
        try expect(values("kind", context), equals: ["plain", "plain", "plain"])
        try expect(values("text", context), equals: ["Note 0", "Note 1", "Note 2"])
        try expect(values("author", context), equals: [nil, nil, nil])
        try close(context)
    }

    private func alreadyThere(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let url = try place(folder, kind)
        try close(add(url, 4))
        let log = NSMutableArray()
        try close(add(url, 4, NSStagedMigrationManager(stages(log))))
        expect(log.count, equals: 0)
    }

    /// A file is as it was before the stage whose handler throws, which runs whole the next time. A store on a server is left
    /// where it was.
    @Test(arguments: StoreKind.inPlace)
    func whatAHandlerThrowsTakesTheStageBack(_ kind: StoreKind) throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        let url = try makeStore(folder, kind, version: 1)
        let log = NSMutableArray()
        let stages = stages(log)
        let handler = (stages[1] as? NSCustomMigrationStage)?.didMigrateHandler
        (stages[1] as? NSCustomMigrationStage)?.didMigrateHandler = { _, _ in throw Stop() }
        #expect(throws: Stop.self) { try add(url, 4, NSStagedMigrationManager(stages)) }
        let middle = try add(url, url.isFileURL ? 2 : 3)
        try expect(values("kind", middle), equals: Array(repeating: url.isFileURL ? nil : "plain", count: 3))
        try close(middle)
        if url.isFileURL {
            try expect(
                FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
                    .filter { $0.contains("draft") }, equals: [])
        }
        (stages[1] as? NSCustomMigrationStage)?.didMigrateHandler = handler
        let context = try add(url, 4, NSStagedMigrationManager(stages))
        try expect(values("text", context).count, equals: 3)
        expect(
            log.compactMap { $0 as? String }, equals: url.isFileURL ? ["will", "will", "did"] : ["will"])
        try close(context)
    }

    @Test(arguments: StoreKind.inPlace) func unknownAndNewerVersionsAreRefused(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let url = try makeStore(folder, kind, version: 1)
        let late = NSStagedMigrationManager([
            NSLightweightMigrationStage([Self.checksum(3), Self.checksum(4)])
        ])
        let unknown = #expect(throws: CocoaError.self) { try add(url, 4, late) }
        expect(unknown?.errorCode, equals: NSManagedObjectModelReferenceNotFoundError)
        let missing = NSCustomMigrationStage(
            migratingFrom: Self.reference(1),
            to: NSManagedObjectModelReference(name: "None", in: nil, versionChecksum: Self.checksum(4)))
        let nowhere = #expect(throws: CocoaError.self) {
            try add(url, 4, NSStagedMigrationManager([missing]))
        }
        expect(nowhere?.errorCode, equals: NSManagedObjectModelReferenceNotFoundError)
        let unchanged = try add(url, 1)
        try expect(values("text", unchanged).count, equals: 3)
        try close(unchanged)
        let other = try TemporaryFolder()
        let newer = try place(other, kind)
        try close(add(newer, 4))
        let back = #expect(throws: CocoaError.self) {
            try add(newer, 2, NSStagedMigrationManager(stages(NSMutableArray())))
        }
        expect(back?.errorCode, equals: NSStagedMigrationBackwardMigrationError)
    }

    /// Files that don't keep their model are of a version that a stage names.
    @Test(arguments: [StoreKind.xml, .binary]) func filesWithoutTheirModel(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let url = try makeStore(folder, kind, version: 2)
        let log = NSMutableArray()
        let custom = try #require(stages(log).compactMap { $0 as? NSCustomMigrationStage }.first)
        let context = try add(url, 4, NSStagedMigrationManager([custom]), type: kind.type)
        try expect(values("kind", context), equals: ["plain", "plain", "plain"])
        try expect(values("author", context), equals: [nil, nil, nil])
        expect(log as? [String], equals: ["will", "did"])
    }
}
