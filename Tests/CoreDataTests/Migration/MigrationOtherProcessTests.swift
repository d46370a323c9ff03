// A migration and another process that has the store open: one of them is told, and nothing is lost.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// The signals of two processes by files in a folder.
private struct Signals: Sendable {
    let folder: String

    func give(_ name: String) throws {
        try Data().write(to: URL(fileURLWithPath: folder).appendingPathComponent(name + ".signal"))
    }

    func wait(for name: String) throws {
        let path = folder + "/" + name + ".signal"
        for _ in 0..<6000 where !FileManager.default.fileExists(atPath: path) { usleep(10_000) }
        try #require(FileManager.default.fileExists(atPath: path))
    }
}

/// The process that has the store open, with the older model.
private enum HoldingProcess {
    /// Checks the later fetch and save: the codes of the errors, 0 for none.
    static func run(_ folder: String, journal: String, fetch: Int, save: Int) throws {
        let signals = Signals(folder: folder)
        let url = URL(fileURLWithPath: folder + "/Store.sqlite")
        let context = try LibraryModels.open(
            url, LibraryModels.first(), options: [NSSQLitePragmasOption: ["journal_mode": journal]])
        try #require(LibraryModels.count("Book", context) == 40)
        try signals.give("open")
        try signals.wait(for: "tried")
        try #require(code { try fetchAll(context) } == fetch)
        try #require(
            code {
                _ = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                try context.save()
            } == save)
        try LibraryModels.close(context)
    }

    private static func fetchAll(_ context: NSManagedObjectContext) throws {
        _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }

    private static func code(_ body: () throws -> Void) -> Int {
        do {
            try body()
            return 0
        } catch {
            return (error as NSError).domain == NSCocoaErrorDomain ? (error as NSError).code : -1
        }
    }

    /// Stands in the middle of a transaction until the other process has tried.
    static func write(_ folder: String, journal: String) throws {
        let signals = Signals(folder: folder)
        let raw = try RawDatabase(URL(fileURLWithPath: folder + "/Store.sqlite"))
        try raw.run("PRAGMA journal_mode = \(journal); BEGIN IMMEDIATE; UPDATE ZBOOK SET ZNUMBER = 7")
        try signals.give("open")
        try signals.wait(for: "tried")
        try raw.run("COMMIT")
    }
}

@Suite struct MigrationOtherProcessTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Store.sqlite") }
    private var signals: Signals { Signals(folder: folder.url.path) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func options(_ journal: String) -> [AnyHashable: Any] {
        [NSSQLitePragmasOption: ["journal_mode": journal]]
    }

    private func makeStore(_ journal: String) throws {
        let context = try LibraryModels.open(url, LibraryModels.first(), options: options(journal))
        try LibraryModels.fill(context, books: 40)
        try LibraryModels.close(context)
    }

    /// A version that has one more entity, whose number moves the others.
    private func inferredModel() -> NSManagedObjectModel {
        let model = LibraryModels.first()
        model.entities.append(NSEntityDescription("Aisle"))
        return model
    }

    private func migrate(_ journal: String) throws {
        let options = options(journal).merging(.migrating) { first, _ in first }
        try LibraryModels.close(LibraryModels.open(url, inferredModel(), options: options))
    }

    private func count(_ model: NSManagedObjectModel, _ journal: String) throws -> Int {
        let context = try LibraryModels.open(url, model, options: options(journal))
        let count = try LibraryModels.count("Book", context)
        try LibraryModels.close(context)
        return count
    }

    /// Tries something once the other process has the store open, and tells it when that is over. On a thread of its
    /// own, since waiting for processes takes those of tests. The stream has the error, or nil.
    private func trying(_ body: @escaping @Sendable () throws -> Void) -> AsyncStream<NSError?> {
        let (stream, continuation) = AsyncStream.makeStream(of: NSError?.self)
        let signals = signals
        Thread.detachNewThread {
            do {
                try signals.wait(for: "open")
                try body()
                continuation.yield(nil)
            } catch {
                continuation.yield(error as NSError)
            }
            do { try signals.give("tried") } catch { continuation.yield(error as NSError) }
            continuation.finish()
        }
        return stream
    }

    private func outcome(_ attempt: AsyncStream<NSError?>) async throws -> NSError? {
        for await error in attempt { return error }
        throw CocoaError(.featureUnsupported)
    }

    @Test func aStoreThatAnotherProcessHasOpenIsNotMigrated() async throws {
        try makeStore("WAL")
        let attempt = trying { try migrate("WAL") }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            try HoldingProcess.run(path, journal: "WAL", fetch: 0, save: 0)
        }
        let error = try await outcome(attempt)
        expect(error?.code, equals: NSPersistentStoreTimeoutError)
        expect(error?.userInfo[NSFilePathErrorKey] as? String, equals: url.path)
        let reason = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        expect(reason?.code, equals: NSPersistentStoreTimeoutError)
        try expect(count(LibraryModels.first(), "WAL"), equals: 41)
        try migrate("WAL")
        try expect(count(inferredModel(), "WAL"), equals: 41)
    }

    @Test(arguments: ["WAL", "DELETE"])
    func aTransactionOfAnotherProcessKeepsAMigrationOut(journal: String) async throws {
        try makeStore(journal)
        let attempt = trying { try migrate(journal) }
        await #expect(processExitsWith: .success) {
            [path = folder.url.path as String, journal = journal as String] in
            try HoldingProcess.write(path, journal: journal)
        }
        try await expect(outcome(attempt)?.code, equals: NSPersistentStoreTimeoutError)
        try expect(count(LibraryModels.first(), journal), equals: 40)
        try expect(rows(url, "SELECT DISTINCT ZNUMBER FROM ZBOOK"), equals: [["7"]])
    }

    /// Without a log nobody sees who has the file open: then that process is told, before it reads or writes anything.
    @Test func whoHadTheStoreOpenIsTold() async throws {
        try makeStore("DELETE")
        let attempt = trying { try migrate("DELETE") }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            let code = NSPersistentStoreIncompatibleVersionHashError
            try HoldingProcess.run(path, journal: "DELETE", fetch: code, save: code)
        }
        #expect(try await outcome(attempt) == nil)
        try expect(count(inferredModel(), "DELETE"), equals: 40)
    }

    @Test func whoHadAReplacedStoreOpenIsTold() async throws {
        try makeStore("DELETE")
        let attempt = trying { try LibraryModels.replace(url.path, options: options("DELETE")) }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            let code = NSPersistentStoreIncompatibleVersionHashError
            try HoldingProcess.run(path, journal: "DELETE", fetch: code, save: code)
        }
        #expect(try await outcome(attempt) == nil)
        try expect(count(LibraryModels.second(), "DELETE"), equals: 40)
    }
}
