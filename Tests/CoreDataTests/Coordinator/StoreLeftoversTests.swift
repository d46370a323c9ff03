// The remains of killed processes are removed; the files of living ones are not.

import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StoreLeftoversTests {
    private let folder: TemporaryFolder
    private let store: FilledStore

    init() throws {
        folder = try TemporaryFolder()
        store = FilledStore(folder.file("Store.sqlite"))
    }

    private var external: URL { folder.file(".Store_SUPPORT/_EXTERNAL_DATA") }

    private func abandoned() throws -> [String] {
        try NSPersistentStoreCoordinator.abandonedFiles(ofPersistentStoreAt: store.url).map(
            \.lastPathComponent)
    }

    private func put(_ names: String..., old: Bool = true) throws {
        for name in names {
            try Data("left".utf8).write(to: folder.file(name))
            guard old else { continue }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -100_000)],
                ofItemAtPath: folder.file(name).path)
        }
    }

    @Test func aSaveThatWasKilledLeavesFilesThatTheNextOpeningRemoves() async throws {
        try store.make("old", 6)
        let path = store.url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let open = try FilledStore(URL(fileURLWithPath: path)).open()
            try FilledStore.insert("more", 6..<7, open)
            // As a save that wrote its files and was killed before its rows.
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try Data().write(
                to: folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA/\(UUID().uuidString)"))
            kill(getpid(), SIGKILL)
        }
        try expect(FileManager.default.contentsOfDirectory(atPath: external.path).count, equals: 3)
        try expect(abandoned().count, equals: 1)
        try expect(store.contents(), equals: ["old": 6, "more": 1])
        try expect(FileManager.default.contentsOfDirectory(atPath: external.path).count, equals: 2)
    }

    @Test func aDestructionThatWasKilledLeavesFilesThatTheNextOpeningRemoves() async throws {
        try store.make("old", 6)
        let path = store.url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            // As a destruction that emptied the database and was killed before it removed the files.
            let database = try RawDatabase(URL(fileURLWithPath: path))
            let names = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
            try database.run("PRAGMA journal_mode = WAL; BEGIN")
            for name in names.compactMap(\.first) { try database.run("DROP TABLE \(name ?? "")") }
            try database.run("COMMIT")
            kill(getpid(), SIGKILL)
        }
        try expect(FileManager.default.contentsOfDirectory(atPath: external.path).count, equals: 2)
        try expect(store.contents(), equals: [:])
        try expect(FileManager.default.contentsOfDirectory(atPath: external.path), equals: [])
        try expect(abandoned(), equals: [])
    }

    /// A new store takes its external files over before its own.
    @Test func filesOfAStoreThatNeverCameAreRemoved() throws {
        let name = UUID().uuidString
        try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: external.appendingPathComponent(name))
        let draft = folder.file(".Store.sqlite.draft-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: draft.path)
        try store.make("new", 6)
        try expect(FileManager.default.contentsOfDirectory(atPath: external.path).count, equals: 2)
        #expect(!FileManager.default.fileExists(atPath: external.appendingPathComponent(name).path))
        #expect(!FileManager.default.fileExists(atPath: draft.path))
    }

    @Test func aJournalThatWasEndedIsRemoved() throws {
        try store.make("old", 6)
        let journal = folder.file("Store.sqlite-journal")
        try Data(count: 512).write(to: journal)
        try expect(store.contents(), equals: ["old": 6])
        #expect(!FileManager.default.fileExists(atPath: journal.path))
    }

    @Test func filesOfAnOpenStoreStay() throws {
        let open = try store.open([NSPersistentStoreTimeoutOption: 1])
        try FilledStore.insert("old", 0..<6, open)
        let name = UUID().uuidString
        try Data().write(to: external.appendingPathComponent(name))
        let other = try store.open()
        try expect(abandoned(), equals: [name])
        for store in other.persistentStores { try other.remove(store) }
        #expect(FileManager.default.fileExists(atPath: external.appendingPathComponent(name).path))
        for store in open.persistentStores { try open.remove(store) }
        try expect(
            NSPersistentStoreCoordinator.removeAbandonedFiles(ofPersistentStoreAt: store.url)
                .map(\.lastPathComponent), equals: [name])
        try expect(store.contents(), equals: ["old": 6])
        try expect(abandoned(), equals: [])
    }

    /// Store.sqlite and Store.db have one folder of external values.
    @Test func filesOfAnotherStoreStay() throws {
        let other = FilledStore(folder.file("Store.db"))
        try store.make("old", 6)
        try other.make("other", 11)
        try expect(abandoned(), equals: [])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
        try coordinator.destroyPersistentStore(at: store.url, type: .sqlite)
        try expect(other.contents(), equals: ["other": 11])
        try expect(FileManager.default.contentsOfDirectory(atPath: external.path).count, equals: 3)
    }

    @Test func draftsOfLivingProcessesStay() throws {
        try store.make("old", 1)
        let living = try ScratchFolder(in: folder.url, named: ".Store.sqlite.draft-")
        let other = try ScratchFolder(in: folder.url, named: ".Other.sqlite.draft-")
        let left = folder.file(".Store.sqlite.draft-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try expect(abandoned(), equals: [])
        try FilledStore.age(folder.url)
        try expect(abandoned(), equals: [left.lastPathComponent])
        try expect(store.contents(), equals: ["old": 1])
        #expect(!FileManager.default.fileExists(atPath: left.path))
        for folder in [living, other] {
            #expect(FileManager.default.fileExists(atPath: folder.url.path))
            try folder.remove()
        }
    }

    @Test func copiesOfEarlierVersionsAreFound() throws {
        try store.make("old", 1)
        let number = UUID().uuidString
        try put("copy-\(number).sqlite", "copy-\(number).sqlite-wal", ".migration-7-\(number)")
        try put("copy-of-mine.sqlite", ".migration-notes", "copy-\(number).txt")
        try put("copy-\(UUID().uuidString).sqlite", old: false)
        let expected = [".migration-7-\(number)", "copy-\(number).sqlite", "copy-\(number).sqlite-wal"]
        try expect(abandoned(), equals: expected)
        let before = try FilledStore.files(in: folder.url)
        try NSPersistentStoreCoordinator.removeAbandonedFiles(ofPersistentStoreAt: store.url)
        try expect(FilledStore.files(in: folder.url), equals: before.filter { !expected.contains($0) })
    }

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func temporaryFilesOfStoresThatAreWrittenWhole(
        type: String
    ) throws {
        let store = FilledStore(folder.file("Store.file"), type: type)
        try store.make("old", 1)
        try put(".Store.file.\(UUID().uuidString)", ".Store.file.notes")
        try put(".Store.file.\(UUID().uuidString)", old: false)
        try expect(
            NSPersistentStoreCoordinator.abandonedFiles(ofPersistentStoreAt: store.url).count, equals: 1)
        try expect(store.contents(), equals: ["old": 1])
        try expect(
            NSPersistentStoreCoordinator.abandonedFiles(ofPersistentStoreAt: store.url).count, equals: 0)
        try expect(FilledStore.files(in: folder.url).count, equals: 3)
    }
}
