// Stores that a process left when it died, or that lost their files, open again or say what is wrong.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StoreRecoveryTests {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    private func names(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        let context = StoreFixtures.context(coordinator)
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    /// The files of a store as a process leaves them that dies while it has the store open.
    private func leftBehind() throws -> URL {
        let (coordinator, _) = try StoreFixtures.open(url)
        try StoreFixtures.save(["Ada", "Bob"], to: coordinator)
        try RawDatabase(url).run("PRAGMA wal_checkpoint(FULL)")
        let target = folder.file("left.sqlite")
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: target.path + suffix)
        }
        return target
    }

    @Test(arguments: [0, 16, 32, 33, 4000])
    func aLogThatWasCutShortIsRecovered(length: Int) throws {
        let left = try leftBehind()
        truncate(left.path + "-wal", length)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: left)
        expect(metadata[NSStoreTypeKey] as? String, equals: NSSQLiteStoreType)
        let (reader, readOnly) = try StoreFixtures.open(
            left, options: [NSReadOnlyPersistentStoreOption: true])
        try expect(names(reader), equals: ["Ada", "Bob"])
        try reader.remove(readOnly)
        let (coordinator, _) = try StoreFixtures.open(left)
        try expect(names(coordinator), equals: ["Ada", "Bob"])
        try StoreFixtures.save(["Cleo"], to: coordinator)
        try expect(RawDatabase(left).number("SELECT COUNT(*) FROM ZPERSON"), equals: 3)
    }

    @Test func aLogWithoutItsMarkIsRecovered() throws {
        let left = try leftBehind()
        try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: left.path + "-wal"))
        let (coordinator, _) = try StoreFixtures.open(left)
        try expect(names(coordinator), equals: ["Ada", "Bob"])
    }

    /// Makes the remains of a store that was being made: a page without content, and the
    /// journal that takes it back.
    private func halfMade() throws -> URL {
        let raw = try RawDatabase(url)
        try raw.run("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE notes (text)")
        try raw.run(
            """
            INSERT INTO notes WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
            SELECT hex(zeroblob(1000)) FROM n
            """)
        let target = folder.file("half.sqlite")
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: target.path + suffix)
        }
        try raw.run("ROLLBACK")
        // The first page is written last.
        let file = try FileHandle(forUpdating: target)
        try file.write(contentsOf: Data(count: 4096))
        try file.close()
        return target
    }

    @Test func aStoreThatWasBeingMadeIsMade() throws {
        let half = try halfMade()
        let error = StoreFixtures.error {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: half)
        }
        expect(error?.code, equals: NSFileReadCorruptFileError)
        let (coordinator, _) = try StoreFixtures.open(half)
        try StoreFixtures.save(["Ada"], to: coordinator)
        try expect(names(coordinator), equals: ["Ada"])
        #expect(!FileManager.default.fileExists(atPath: half.path + "-journal"))
    }

    @Test func aStoreWhoseCreationFailsLeavesWhatWasThere() throws {
        let raw = try RawDatabase(url)
        try raw.run("PRAGMA user_version = 7; PRAGMA journal_mode = WAL")
        let model = StoreFixtures.model()
        let derived = NSDerivedAttributeDescription()
        derived.name = "wrong"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(format: "nothing.@count")
        model.entities.first { $0.name == "Pet" }?.properties.append(derived)
        #expect(StoreFixtures.error { _ = try StoreFixtures.open(url, model) } != nil)
        try expect(raw.number("PRAGMA user_version"), equals: 7)
        #expect(FileManager.default.fileExists(atPath: url.path))
        let fresh = folder.file("fresh.sqlite")
        #expect(StoreFixtures.error { _ = try StoreFixtures.open(fresh, model) } != nil)
        #expect(!FileManager.default.fileExists(atPath: fresh.path))
    }

    @Test(arguments: ["", "-wal"])
    func aSaveToAFileThatWasRemovedFails(suffix: String) throws {
        let (coordinator, _) = try StoreFixtures.open(url)
        try StoreFixtures.save(["Ada"], to: coordinator)
        try FileManager.default.removeItem(atPath: url.path + suffix)
        let context = StoreFixtures.context(coordinator)
        let error = context.performAndWait {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            return StoreFixtures.error { try context.save() }
        }
        expect(error?.code, equals: NSFileReadNoSuchFileError)
        expect(error?.localizedFailureReason?.contains("removed"), equals: true)
        expect(context.performAndWait { context.insertedObjects.count }, equals: 1)
    }

    @Test func aFileThatBecomesShorterIsAnError() throws {
        let (coordinator, _) = try StoreFixtures.open(url)
        try StoreFixtures.save(
            (0..<3000).map { "Person \($0) " + String(repeating: "x", count: 300) }, to: coordinator)
        try RawDatabase(url).run("PRAGMA wal_checkpoint(TRUNCATE)")
        // Another connection, which has no page in its cache yet.
        let (other, _) = try StoreFixtures.open(url)
        truncate(url.path, 3 * 4096)
        let error = StoreFixtures.error { _ = try names(other) }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSFileReadCorruptFileError)
    }

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType, NSSQLiteStoreType])
    func aPipeIsNoStoreAndStays(type: String) throws {
        try #require(mkfifo(url.path, 0o600) == 0)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
        let error = StoreFixtures.error {
            _ = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        }
        expect(error?.domain, equals: NSCocoaErrorDomain)
        var facts = stat()
        #expect(stat(url.path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
        try expect(FileManager.default.contentsOfDirectory(atPath: folder.url.path), equals: ["store.sqlite"])
    }

    @Test func openingWhileOthersCloseAlwaysWorks() async throws {
        let model = StoreFixtures.model()
        try StoreFixtures.save(["Ada"], to: StoreFixtures.open(url, model).coordinator)
        let url = url
        let failures = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    (0..<40).compactMap { _ in
                        StoreFixtures.error {
                            if worker % 2 == 0 {
                                let (coordinator, store) = try StoreFixtures.open(url, StoreFixtures.model())
                                try coordinator.remove(store)
                            } else {
                                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url)
                            }
                        }?.description
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(failures.isEmpty, "\(failures.count): \(failures.first ?? "")")
    }

    @Test func twoThatMakeAStoreAtOnceShareIt() async throws {
        for round in 0..<5 {
            let url = folder.file("new\(round).sqlite")
            let failures = await withTaskGroup(of: String?.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        StoreFixtures.error {
                            let (coordinator, _) = try StoreFixtures.open(url)
                            try StoreFixtures.save(["Person \(worker)"], to: coordinator)
                        }?.description
                    }
                }
                return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(failures.isEmpty, "\(failures)")
            try expect(RawDatabase(url).number("SELECT COUNT(*) FROM ZPERSON"), equals: 4)
        }
    }
}
