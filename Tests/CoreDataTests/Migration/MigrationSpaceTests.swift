// A migration that runs out of space leaves the older store whole, and nothing beside it.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Migrations in a process whose files may only have so many bytes.
private enum CrampedProcess {
    /// Ends the process unless files of this size are refused from now on.
    static func limitFiles(to bytes: Int) throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    }

    /// Migrates and expects the error of a migration that names the file and SQLite's reason.
    static func migrateInPlace(_ path: String, within bytes: Int) throws {
        try limitFiles(to: bytes)
        let error = #expect(throws: CocoaError.self) { try KilledStore.migrate(path) }
        try #require(error?.errorCode == NSMigrationError)
        try #require(error?.userInfo[NSFilePathErrorKey] as? String == path)
        var reason = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        while reason?.domain != NSSQLiteErrorDomain,
            let next = reason?.userInfo[NSUnderlyingErrorKey] as? NSError
        { reason = next }
        try #require(reason?.domain == NSSQLiteErrorDomain)
        try #require(reason.map { $0.code & 0xFF } == 10)
    }

    static func replace(_ path: String, _ type: String, within bytes: Int) throws {
        try limitFiles(to: bytes)
        let error = #expect(throws: CocoaError.self) { try LibraryModels.replace(path, type) }
        try #require(error?.userInfo[NSFilePathErrorKey] as? String != nil)
    }
}

@Suite struct MigrationSpaceTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    /// SQLite itself says that the disk is full where pages may not be added.
    @Test(arguments: [0, 5, 60])
    func aFullDiskLeavesTheOlderStore(pages: Int) throws {
        try KilledStore.make(at: url, rows: 20_000)
        let used = try #require(Int(rows(url, "PRAGMA page_count")[0][0]))
        var options: [AnyHashable: Any] = .migrating
        options[NSSQLitePragmasOption] = ["max_page_count": "\(used + pages)"]
        let error = try #require(throws: NSError.self) {
            try OpenStore(url, KilledStore.model(isNewer: true), options: options)
        }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSFileWriteOutOfSpaceError)
        expect(error.userInfo[NSFilePathErrorKey] as? String, equals: url.path)
        #expect(try !KilledStore.check(url, rows: 20_000))
        try expect(files(), equals: ["Store.sqlite"])
        try KilledStore.migrate(url.path)
        #expect(try KilledStore.check(url, rows: 20_000))
    }

    /// Every write may be the one that fails: of the log, of the file, at the transaction's end.
    @Test(arguments: [4096, 40_000, 400_000, 800_000])
    func aRefusedWriteLeavesTheOlderStore(bytes: Int) async throws {
        try KilledStore.make(at: url, rows: 20_000)
        await #expect(processExitsWith: .success) { [path = url.path as String, bytes = bytes as Int] in
            try CrampedProcess.migrateInPlace(path, within: bytes)
        }
        #expect(try !KilledStore.check(url, rows: 20_000))
        try expect(files(), equals: ["Store.sqlite"])
    }

    /// A migration by a mapping model writes a new file, which goes.
    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType], [4096, 20_000])
    func aNewFileWithoutSpaceGoes(type: String, bytes: Int) async throws {
        let opened = try LibraryModels.open(url, LibraryModels.first(), type)
        try LibraryModels.fill(opened, books: 400)
        try LibraryModels.close(opened)
        let before = try Data(contentsOf: url)
        await #expect(processExitsWith: .success) {
            [path = url.path as String, type = type as String, bytes = bytes as Int] in
            try CrampedProcess.replace(path, type, within: bytes)
        }
        try expect(files(), equals: ["Store.sqlite"])
        try expect(Data(contentsOf: url), equals: before)
        let old = try LibraryModels.open(url, LibraryModels.first(), type)
        try expect(LibraryModels.count("Book", old), equals: 400)
        try LibraryModels.close(old)
    }
}
