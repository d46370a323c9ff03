// The way in which a migration writes the new store: fetch indexes come when the rows are there, unless somebody may fetch meanwhile.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MigrationDraftTests {
    private let folder: TemporaryFolder

    /// A client's class, which might fetch in the destination context: find or make what objects share.
    private final class FindingPolicy: NSEntityMigrationPolicy {}

    init() throws {
        folder = try TemporaryFolder()
        NSEntityMigrationPolicy.register(FindingPolicy.self)
    }

    private static func model(_ version: String) -> NSManagedObjectModel {
        let track = NSEntityDescription(
            "Track",
            [
                NSAttributeDescription("title", .string), NSAttributeDescription("code", .string),
                NSAttributeDescription("length", .double),
            ])
        let album = NSEntityDescription("Album", [NSAttributeDescription("title", .string)])
        NSRelationshipDescription.connect(album, "tracks", .many, track, "album", .one)
        track.indexes = ["title", "length"].compactMap { name in
            track.attributesByName[name].map {
                NSFetchIndexDescription(
                    name: "by\(name)",
                    elements: [NSFetchIndexElementDescription(property: $0, collationType: .binary)])
            }
        }
        track.uniquenessConstraints = [["code"]]
        track.versionHashModifier = version
        let model = NSManagedObjectModel()
        model.entities = [track, album]
        return model
    }

    private let old = Self.model("1")
    private let new = Self.model("2")

    private func makeStore(tracks count: Int) throws -> URL {
        let url = folder.file("Old.sqlite")
        let opened = try OpenStore(url, old)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = opened.coordinator
        try context.performAndWait {
            let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
            for number in 0..<count {
                let track = NSEntityDescription.insertNewObject(forEntityName: "Track", into: context)
                track.setValue("Title \(number % 7)", forKey: "title")
                track.setValue("code-\(number)", forKey: "code")
                track.setValue(Double(number), forKey: "length")
                if number % 3 == 0 { track.setValue(album, forKey: "album") }
            }
            try context.save()
        }
        try opened.close()
        return url
    }

    private func mapping(code: String = "$source.code", policy: String? = nil) -> NSMappingModel {
        let track = LibraryModels.entityMapping(
            "TrackToTrack", "Track", "Track", .customEntityMappingType, old, new)
        track.entityMigrationPolicyClassName = policy
        track.attributeMappings = [
            LibraryModels.property("title", "$source.title"), LibraryModels.property("code", code),
            LibraryModels.property("length", "$source.length"),
        ]
        track.relationshipMappings = [
            LibraryModels.property(
                "album",
                "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'AlbumToAlbum', "
                    + "$source.album)")
        ]
        let album = LibraryModels.entityMapping(
            "AlbumToAlbum", "Album", "Album", .transformEntityMappingType, old, new)
        album.attributeMappings = [LibraryModels.property("title", "$source.title")]
        let model = NSMappingModel()
        model.entityMappings = [album, track]
        return model
    }

    /// Names and texts of a file's indexes and tables.
    private static func schema(_ url: URL) throws -> [[String?]] {
        try RawDatabase(url).rows("SELECT name, sql FROM sqlite_master ORDER BY name")
    }

    private static let fetchIndexes = """
        SELECT COUNT(*) FROM sqlite_master WHERE type = 'index' AND name LIKE 'Z\\_Track\\_by%' ESCAPE '\\'
        """

    /// Migrates, and returns how many fetch indexes the new store had half-way.
    private func migrate(_ url: URL, by mapping: NSMappingModel, to destination: URL) throws -> Int {
        var count = -1
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        let observation = manager.observe(\.migrationProgress) { manager, _ in
            guard count < 0, manager.migrationProgress > 0.7, manager.migrationProgress < 1,
                let draft = manager.destinationContext.persistentStoreCoordinator?.persistentStores.first?.url
            else { return }
            count = (try? RawDatabase(draft).number(Self.fetchIndexes)) ?? -2
        }
        defer { observation.invalidate() }
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: destination,
            destinationType: NSSQLiteStoreType)
        return count
    }

    @Test func theNewStoreHasThemInTheEnd() throws {
        let url = try makeStore(tracks: 1200)
        let destination = folder.file("New.sqlite")
        try expect(migrate(url, by: mapping(), to: destination), equals: 0)
        let fresh = folder.file("Fresh.sqlite")
        try OpenStore(fresh, new).close()
        try expect(Self.schema(destination), equals: Self.schema(fresh))
        let raw = try RawDatabase(destination)
        try expect(raw.rows("PRAGMA integrity_check"), equals: [["ok"]])
        try expect(raw.rows("PRAGMA journal_mode"), equals: [["wal"]])
        try expect(raw.number("SELECT COUNT(*) FROM ZTRACK WHERE ZTITLE = 'Title 3'"), equals: 171)
        try expect(raw.number("SELECT COUNT(*) FROM ZTRACK WHERE ZALBUM IS NOT NULL"), equals: 400)
        let opened = try OpenStore(destination, new)
        try expect(opened.coordinator.verify(opened.store), equals: [])
    }

    /// A policy that looks objects up while it makes others would read the whole table each time.
    @Test func theyAreThereFromTheBeginningForPolicies() throws {
        let url = try makeStore(tracks: 1200)
        let destination = folder.file("New.sqlite")
        try expect(migrate(url, by: mapping(policy: "FindingPolicy"), to: destination), equals: 2)
        try expect(RawDatabase(destination).number(Self.fetchIndexes), equals: 2)
    }

    /// A store that is added to keeps the indexes that it has.
    @Test func aStoreThatIsAddedToHasThem() throws {
        let url = try makeStore(tracks: 1200)
        let destination = folder.file("New.sqlite")
        try OpenStore(destination, new).close()
        try expect(migrate(url, by: mapping(), to: destination), equals: 2)
        try expect(RawDatabase(destination).number(Self.fetchIndexes), equals: 2)
    }

    @Test func uniqueValuesAreStillDemanded() throws {
        let url = try makeStore(tracks: 20)
        let destination = folder.file("New.sqlite")
        let error = #expect(throws: NSError.self) {
            _ = try migrate(url, by: mapping(code: "$source.title"), to: destination)
        }
        expect(error?.domain, equals: NSCocoaErrorDomain)
        #expect(!FileManager.default.fileExists(atPath: destination.path))
    }

    /// Those that say how a draft is written are for stores of ours.
    @Test func aStoreOfAClientsClassGetsTheClientsOptionsOnly() throws {
        JSONStore.register()
        let url = try makeStore(tracks: 5)
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        var options: Set<String> = []
        let observation = manager.observe(\.migrationProgress) { manager, _ in
            if manager.migrationProgress == 0 { return }
            let store = manager.destinationContext.persistentStoreCoordinator?.persistentStores.first
            for key in (store?.options ?? [:]).keys { options.insert("\(key)") }
        }
        defer { observation.invalidate() }
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, with: mapping(),
            toDestinationURL: folder.file("New.json"), destinationType: JSONStore.type,
            destinationOptions: ["Key": 1])
        expect(options, equals: ["Key"])
    }
}
