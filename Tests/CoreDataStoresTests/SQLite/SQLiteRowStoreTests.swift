// The SQLite store without any class of Apple's: opened, read, written, kept and migrated in values.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

/// A store in a folder of its own, with its host.
private final class OpenStore {
    let folder: TemporaryFolder
    let host: SampleHost
    let store: SQLiteRowStore
    let model: ModelRuntime

    var book: EntityRuntime { model.runtimes[1] }
    var author: EntityRuntime { model.runtimes[0] }

    init(
        in folder: TemporaryFolder? = nil, model: ModelRuntime = SampleModel.make(),
        _ options: [AnyHashable: Any] = [:]
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        self.model = model
        host = SampleHost(url: self.folder.url.appendingPathComponent("Books.sqlite"), options: options)
        store = SQLiteRowStore(host: host)
        try store.open(StoreOpening(model: model))
    }

    deinit {
        host.exclusively { store.close() }
    }

    /// Saves new rows, and runs a closure before they stand.
    func insert(_ rows: [SampleRow], from first: Int64, before rest: () throws -> Void = {}) throws {
        var changes = StoreChanges()
        changes.inserted = rows.enumerated().map { $1.change(first + Int64($0)) }
        try withExtendedLifetime(rows) { try store.save(changes, before: rest) }
    }

    func save(_ titles: [String], author key: Int64? = nil) throws {
        let keys = try store.allocateKeys(root: book, count: titles.count)
        let rows = titles.map {
            SampleRow(book, ["title": .string($0)], links: key.map { ["author": $0] } ?? [:])
        }
        try insert(rows, from: keys.lowerBound)
    }

    func titles(in source: (any RowSource)? = nil) throws -> [String] {
        var fetch = StoreFetch(entity: book)
        fetch.sortKeys = [SortKey("title", ascending: true)]
        let slot = try #require(book.layout.slot(named: "title"))
        var titles: [String] = []
        try (source ?? store).fetchRows(fetch) { slab in
            for row in 0..<slab.count {
                titles.append(RowPointer(slab.row(row), slab: slab).string(slot))
            }
        }
        return titles
    }
}

struct SQLiteRowStoreTests {
    @Test func aStoreIsMadeAndOpenedAgain() throws {
        let folder = try TemporaryFolder()
        let uuid: String
        do {
            let made = try OpenStore(in: folder)
            try made.save(["Emma", "Mathilda"])
            uuid = made.store.metadata.uuid
            let url = try #require(made.host.url)
            let place = try #require(SQLiteRowStore.place(of: url))
            expect(made.host.opened, equals: [place])
            made.store.close()
            #expect(throws: NSError.self) { try made.titles() }
        }
        let again = try OpenStore(in: folder)
        expect(again.store.metadata.uuid, equals: uuid)
        try expect(again.titles(), equals: ["Emma", "Mathilda"])
        try expect(again.store.allocateKeys(root: again.book, count: 1), equals: 3..<4)
    }

    @Test func metadataIsWrittenByTheNextSave() throws {
        let open = try OpenStore()
        let url = try #require(open.host.url)
        open.store.metadata["shelf mark"] = .string("B7")
        open.store.hasChangedMetadata = true
        #expect(try SQLiteRowStore.metadata(at: url)["shelf mark"] == nil)
        try open.store.save(StoreChanges()) {}
        try expect(SQLiteRowStore.metadata(at: url)["shelf mark"], equals: .string("B7"))
        #expect(!open.store.hasChangedMetadata)
        try SQLiteRowStore.setMetadata([.init("shelf mark", value: .string("C1"))], at: url)
        try expect(SQLiteRowStore.metadata(at: url)["shelf mark"], equals: .string("C1"))
    }

    @Test func aSaveStandsOnlyIfWhatComesAfterItDoes() throws {
        struct Refused: Error {}
        let open = try OpenStore()
        let row = SampleRow(open.book, ["title": .string("Emma")])
        #expect(throws: Refused.self) { try open.insert([row], from: 1) { throw Refused() } }
        #expect(try open.titles().isEmpty)
        try open.insert([row], from: 1)
        try expect(open.titles(), equals: ["Emma"])
    }

    @Test func keysOfRelatedRowsAreAskedWithoutTheirValues() throws {
        let open = try OpenStore()
        try open.insert([SampleRow(open.author, ["name": .string("Mary")])], from: 1)
        try open.save(["Frankenstein", "Mathilda"], author: 1)
        try open.save(["Emma"])
        let books = try #require(open.author.property("books")?.relation)
        let keys = try open.store.fetchRelatedKeys(books, of: open.author, source: 1)
        expect(Set(keys.primaryKeys), equals: [1, 2])
        #expect(try open.store.fetchRelatedKeys(books, of: open.author, source: 9).primaryKeys.isEmpty)
    }

    @Test func aStoreThatMayOnlyBeReadRefusesToWrite() throws {
        let folder = try TemporaryFolder()
        do { try OpenStore(in: folder).save(["Emma"]) }
        let open = try OpenStore(in: folder, [StoreOption.readOnly: true])
        #expect(open.host.isReadOnly)
        let failure = try #require(throws: NSError.self) { try open.save(["Mathilda"]) }
        expect(failure.code, equals: ErrorCode.save)
        try expect(open.titles(), equals: ["Emma"])
    }

    // MARK: Reading beside writers

    @Test func aReaderReadsInsideASave() throws {
        let open = try OpenStore()
        try open.save(["Emma"])
        try open.insert([SampleRow(open.book, ["title": .string("Mathilda")])], from: 2) {
            let reader = try #require(try open.store.takeReader())
            defer { reader.giveBack() }
            try expect(open.titles(in: reader), equals: ["Emma"])
        }
        try expect(open.titles(), equals: ["Emma", "Mathilda"])
    }

    @Test func aSnapshotKeepsItsState() throws {
        let open = try OpenStore()
        try open.save(["Emma"])
        let snapshot = try #require(try open.store.makeSnapshot())
        try open.save(["Mathilda"])
        try expect(open.titles(in: snapshot), equals: ["Emma"])
        try expect(open.titles(), equals: ["Emma", "Mathilda"])
        #expect(!snapshot.hasEnded)
    }

    @Test func snapshotsOfOneStateAreOne() throws {
        let open = try OpenStore()
        try open.save(["Emma"])
        let first = try #require(try open.store.makeSnapshot())
        #expect(try open.store.makeSnapshot() === first)
        try open.save(["Mathilda"])
        #expect(try open.store.makeSnapshot() !== first)
    }

    @Test func aSnapshotEndsWhenTheLogOutgrowsItsLimit() throws {
        let open = try OpenStore([StoreOption.snapshotLogLimit: 1])
        try open.save(["Emma"])
        let snapshot = try #require(try open.store.makeSnapshot())
        try open.save(["Mathilda"])
        let failure = try #require(throws: NSError.self) { try open.titles(in: snapshot) }
        #expect(StoreErrors.isExpiredSnapshot(failure))
        #expect(snapshot.hasEnded)
    }

    // MARK: History

    @Test func aHistoryNamesWhoSavedWhat() throws {
        let open = try OpenStore([StoreOption.historyTracking: true])
        open.host.requester = StoreRequester(author: "importer", contextName: "background")
        try open.save(["Emma", "Mathilda"])
        open.host.requester = StoreRequester()
        try open.save(["Frankenstein"])
        let history = try #require(open.store.history)
        try expect(history.lastTransaction(), equals: 2)
        expect(history.recordedTransaction, equals: 2)
        var found: [(author: String?, rows: [RowKey])] = []
        try history.readHistory { reader in
            let span = try reader.span()
            #expect(span.oldest == 1 && span.last == 2)
            try reader.transactions(after: nil, since: nil) { transaction in
                var rows: [RowKey] = []
                try reader.changes(of: transaction.number, after: 0) { change, entity in
                    expect(change.kind, equals: .insert)
                    expect(reader.number(ofEntity: entity.name), equals: change.entity)
                    rows.append(RowKey(entity, primaryKey: change.primaryKey))
                    return true
                }
                found.append((transaction.texts[.author], rows))
                return true
            }
        }
        expect(found.map(\.author), equals: ["importer", nil])
        expect(
            found.map(\.rows),
            equals: [
                [1, 2].map { RowKey(open.book, primaryKey: $0) }, [RowKey(open.book, primaryKey: 3)],
            ])
    }

    @Test func aHistoryIsPassedOverAndDeleted() throws {
        let open = try OpenStore([StoreOption.historyTracking: true])
        for title in ["Emma", "Mathilda", "Frankenstein"] { try open.save([title]) }
        let history = try #require(open.store.history)
        try history.readHistory { reader in
            let (one, five) = (
                try reader.passChanges(of: 1, count: 1), try reader.passChanges(of: 1, count: 5)
            )
            #expect(one.count == 1 && one.key != nil)
            #expect(five.count == 1 && five.key == nil)
        }
        try expect(history.deleteHistory(before: 3, or: nil), equals: 2)
        var numbers: [Int64] = []
        try history.readHistory { reader in
            try reader.transactions(after: nil, since: nil) {
                numbers.append($0.number)
                return true
            }
        }
        expect(numbers, equals: [3])
    }

    @Test func aStoreWithoutHistoryReadsNone() throws {
        let open = try OpenStore()
        let history = try #require(open.store.history)
        #expect(try history.lastTransaction() == nil)
        #expect(history.recordedTransaction == nil)
        var wasRead = false
        try history.readHistory { _ in wasRead = true }
        #expect(!wasRead)
    }

    // MARK: Versions

    private func migration(to model: ModelRuntime) throws -> MigrationInPlace {
        let source = SampleModel.make().index
        let difference = try MappingInference.difference(from: source, to: model.index)
        return MigrationInPlace(from: source, by: difference, to: model)
    }

    @Test func anOlderStoreIsRefusedAndMigratedInPlace() throws {
        let folder = try TemporaryFolder()
        do { try OpenStore(in: folder).save(["Emma"]) }
        let newer = SampleModel.make(renamesPages: true)
        let failure = try #require(throws: NSError.self) { try OpenStore(in: folder, model: newer) }
        expect(failure.code, equals: ErrorCode.incompatibleVersionHash)
        let host = SampleHost(url: folder.url.appendingPathComponent("Books.sqlite"))
        let closed = SQLiteRowStore(host: host)
        let kept = try #require(try closed.keptModel())
        expect(
            kept.entities.first { $0.name == "Book" }?.properties.contains { $0.name == "pages" },
            equals: true)
        #expect(try !closed.plannedSteps(of: migration(to: newer)).isEmpty)
        try closed.migrate(migration(to: newer))
        try expect(OpenStore(in: folder, model: newer).titles(), equals: ["Emma"])
    }

    @Test func aStoreInUseIsntMigrated() throws {
        let open = try OpenStore()
        try open.save(["Emma"])
        let newer = SampleModel.make(renamesPages: true)
        let host = SampleHost(url: open.host.url, options: [StoreOption.timeout: 0])
        let closed = SQLiteRowStore(host: host)
        let failure = try #require(throws: NSError.self) { try closed.migrate(migration(to: newer)) }
        expect(failure.code, equals: ErrorCode.timeout)
        try expect(open.titles(), equals: ["Emma"])
    }

    // MARK: Others

    @Test(.timeLimit(.minutes(20))) func savesOfOtherStoresOfTheFileAreAnnounced() async throws {
        let folder = try TemporaryFolder()
        let options: [AnyHashable: Any] = [
            StoreOption.historyTracking: true, StoreOption.remoteChangeNotification: true,
        ]
        let (one, other) = (try OpenStore(in: folder, options), try OpenStore(in: folder, options))
        try one.host.exclusively { try one.save(["Emma"]) }
        let change = RemoteChange(identifier: one.store.metadata.uuid, transaction: 1)
        while one.host.announced.isEmpty || other.host.announced.isEmpty {
            try await Task.sleep(for: .milliseconds(5))
        }
        expect(one.host.announced, equals: [change])
        expect(other.host.announced, equals: [change])
    }

    @Test func toolsSeeStatementsAndProblems() throws {
        let open = try OpenStore()
        let inspection = try #require(open.store.inspection as? any StoreTracing)
        var statements: [String] = []
        inspection.observe { statements.append($0.sql) }
        try open.save(["Emma"])
        #expect(statements.contains { $0.hasPrefix("INSERT INTO \"ZBOOK\"") })
        let found = try inspection.statement(
            for: FetchDescription(entityName: "Book", result: .count), deliversRows: false)
        #expect(found.statement.text.contains("FROM ZBOOK"))
        #expect(!found.plan.isEmpty)
        #expect(try inspection.findings().isEmpty)
    }
}
