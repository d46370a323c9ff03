// Migrations of large tables: what is done beside programs at work, and goes on after a process was killed amid it.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLLargeMigrationTests {
    private let store: NoteStore
    private let target = NoteVersion(number: .decimalAttributeType, hasIndex: true)
    /// Every table is large.
    static let options: [String: NSNumber] = [PostgreSQLStore.largeTableSizeOption: 0]

    /// An index that is made beside programs at work waits for all transactions of the database: no other suite's are on this server.
    private static let server = Result { try PostgreSQLServer.own() }

    init() throws { store = NoteStore(on: try Self.server.get()) }

    private var catalogue: String { "\"coredata_\(store.shelf.schema)\"" }

    private func check(notes count: Int) throws {
        let context = try store.context(target, Self.options)
        try expect(store.values("number", context).count, equals: count)
        try store.close(context)
        let sum = count * (count + 1) / 2
        try expect(
            store.shelf.rows("SELECT sum(number)::bigint, count(*) FROM note"), equals: ["\(sum)|\(count)"])
        try expect(
            store.shelf.rows(
                "SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = 'note'::regclass "
                    + "AND attname = 'number'"), equals: ["numeric"])
        try expect(store.shelf.rows("SELECT count(*) FROM \(catalogue).spare"), equals: ["0"])
        try expect(store.shelf.rows("SELECT count(*) FROM \(catalogue).work"), equals: ["0"])
        try expect(
            store.shelf.rows(
                "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'note'::regclass AND NOT tgisinternal"),
            equals: ["0"])
        try expect(
            store.shelf.rows(
                "SELECT indisvalid::int FROM pg_index WHERE indexrelid = 'note_by_number_fetch'::regclass"),
            equals: ["1"])
        try expect(
            store.shelf.rows(
                "SELECT count(*) FROM pg_attribute WHERE attrelid = 'note'::regclass "
                    + "AND attname LIKE 'coredata%' AND NOT attisdropped"), equals: ["0"])
    }

    @Test func columnsAreFilledBeforeAndIndexesMadeAfter() throws {
        try store.make(notes: 12_000)
        let steps = try NSPersistentStoreCoordinator.migrationSteps(
            forStoreAt: try #require(store.shelf.description().url),
            type: .init(rawValue: PostgreSQLStore.type), options: Self.options, to: target.model)
        let summaries = steps.map(\.summary)
        expect(summaries.first, equals: "beside programs at work: fill note.number")
        expect(summaries.last, equals: "beside programs at work: make index note_by_number_fetch")
        expect(steps.last?.statements.last?.hasPrefix("CREATE INDEX CONCURRENTLY"), equals: true)
        #expect(!steps.contains { $0.statements.contains { $0.hasPrefix("UPDATE \"note\"") } })
        // An older program goes on while columns are filled, and is in the way of the rest only.
        let old = try store.context(NoteVersion())
        let refused = #expect(throws: NSError.self) { try store.context(target, Self.options) }
        expect(refused?.code, equals: NSPersistentStoreTimeoutError)
        try expect(
            store.shelf.rows("SELECT is_filled::int, last_key FROM \(catalogue).spare"), equals: ["1|12000"])
        try store.add(["text": "late", "number": 12_001], to: old)
        try expect(store.values("number", old).count, equals: 12_001)
        try store.close(old)
        try check(notes: 12_001)
    }

    @Test func aKilledFillingGoesOn() async throws {
        try store.make(notes: 20_000)
        let (schema, folder) = (store.shelf.schema, store.shelf.server.folder)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [schema = schema as String, folder = folder as String] in
            try KilledMigration.run(schema, folder, afterBatches: 2)
        }
        try expect(
            store.shelf.rows("SELECT is_filled::int, last_key FROM \(catalogue).spare"), equals: ["0|10000"])
        // Programs of the older version work meanwhile; the trigger fills what they write.
        let old = try store.context(NoteVersion())
        try store.add(["text": "late", "number": 20_001], to: old)
        try store.close(old)
        try check(notes: 20_001)
    }

    @Test func anIndexThatWasBeingMadeIsMadeAtTheNextOpening() async throws {
        try store.make(notes: 200)
        let (schema, folder) = (store.shelf.schema, store.shelf.server.folder)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [schema = schema as String, folder = folder as String] in
            try KilledMigration.runUntilWork(schema, folder)
        }
        try expect(store.shelf.rows("SELECT count(*) FROM \(catalogue).work"), equals: ["1"])
        // The server finishes the statement that it is at before it notices that nobody waits for it.
        let busy = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)'"
        while try store.shelf.rows(busy) != ["0"] { try await Task.sleep(for: .milliseconds(20)) }
        try check(notes: 200)
    }
}

/// Migrations in processes that kill themselves.
enum KilledMigration {
    private static let target = NoteVersion(number: .decimalAttributeType, hasIndex: true)

    static func run(_ schema: String, _ folder: String, afterBatches count: Int) throws {
        PostgreSQLStore.register()
        let store = NoteStore(schema: schema, folder: folder)
        var left = count
        try NSPersistentStoreCoordinator.migrateStore(
            at: try #require(store.shelf.description().url), type: .init(rawValue: PostgreSQLStore.type),
            to: target.model, options: PostgreSQLLargeMigrationTests.options
        ) { _, _ in
            left -= 1
            if left == 0 { kill(getpid(), SIGKILL) }
        }
    }

    /// An older transaction, which has nothing to do with the table, keeps the index from being finished: then the process ends.
    static func runUntilWork(_ schema: String, _ folder: String) throws {
        PostgreSQLStore.register()
        let store = NoteStore(schema: schema, folder: folder)
        let reader = try store.shelf.connection()
        try reader.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try reader.run("SELECT 1")
        let watcher = try store.shelf.connection()
        Thread.detachNewThread {
            let query =
                "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('note_by_number_fetch') AND NOT indisvalid"
            while (try? watcher.run(query).rowCount) == 0 { usleep(1000) }
            kill(getpid(), SIGKILL)
        }
        _ = try store.context(target, PostgreSQLLargeMigrationTests.options)
        withExtendedLifetime(reader) {}
    }
}
