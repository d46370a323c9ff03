// The files of stores that are closed, without any class of Apple's: drafts, copies, destruction.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StoreFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// A closed store with a book of each title.
    private func make<Store: RowStore>(_ type: Store.Type, _ name: String, _ titles: [String]) throws {
        let host = SampleHost(url: url(name))
        let store = Store(host: host)
        let model = SampleModel.make()
        try store.open(StoreOpening(model: model))
        let rows = titles.map { SampleRow(model.runtimes[1], ["title": .string($0)]) }
        var changes = StoreChanges()
        changes.inserted = rows.enumerated().map { $1.change(Int64($0 + 1)) }
        try withExtendedLifetime(rows) { try store.save(changes) {} }
        host.exclusively { store.close() }
    }

    private func titles<Store: RowStore>(_ type: Store.Type, _ name: String) throws -> [String] {
        let host = SampleHost(url: url(name))
        let store = Store(host: host)
        let model = SampleModel.make()
        try store.open(StoreOpening(model: model))
        defer { host.exclusively { store.close() } }
        let slot = try #require(model.runtimes[1].layout.slot(named: "title"))
        var titles: [String] = []
        try store.fetchRows(StoreFetch(entity: model.runtimes[1])) { slab in
            titles += (0..<slab.count).map { RowPointer(slab.row($0), slab: slab).string(slot) }
        }
        return titles.sorted()
    }

    private func files<Store: RowStore>(_ type: Store.Type, _ name: String) throws -> any StoreFiles {
        try #require(Store.files).init(at: StoreLocation(url: url(name)))
    }

    /// Checks what every store in files must be able to do.
    private func replaces<Store: RowStore>(_ type: Store.Type) throws {
        try make(type, "old", ["Old"])
        try make(type, "new", ["A", "B"])
        let draft = try StoreDraft(of: files(type, "old"), copying: files(type, "new"))
        try expect(titles(type, "old"), equals: ["Old"])
        try draft.publish(replacing: .sameType)
        try expect(titles(type, "old"), equals: ["A", "B"])
        try expect(titles(type, "new"), equals: ["A", "B"])
        #expect(!FileManager.default.fileExists(atPath: draft.url.path))
    }

    @Test func aDraftTakesThePlaceOfAStore() throws {
        try replaces(SQLiteRowStore.self)
    }

    @Test func aDraftTakesThePlaceOfAWholeFile() throws {
        try replaces(WholeFileStore<XMLForm>.self)
        try FileManager.default.removeItem(at: url("old"))
        try FileManager.default.removeItem(at: url("new"))
        try replaces(WholeFileStore<BinaryForm>.self)
    }

    @Test func aDraftReplacesAnotherKindAndItsLog() throws {
        try make(SQLiteRowStore.self, "store", ["Old"])
        try make(WholeFileStore<XMLForm>.self, "new", ["New"])
        let draft = try StoreDraft(
            of: files(WholeFileStore<XMLForm>.self, "store"),
            copying: files(WholeFileStore<XMLForm>.self, "new"))
        try draft.publish(replacing: .anyType, kind: { _ in SQLiteRowStore.files })
        try expect(titles(WholeFileStore<XMLForm>.self, "store"), equals: ["New"])
        #expect(!FileManager.default.fileExists(atPath: url("store-wal").path))
    }

    @Test func aDraftIsRefusedWhereNothingMayBe() throws {
        try make(SQLiteRowStore.self, "store", ["Old"])
        let draft = try StoreDraft(of: files(SQLiteRowStore.self, "store"), replacing: false)
        let error = #expect(throws: NSError.self) { try draft.publish(replacing: .nothing) }
        expect(error?.code, equals: 516)
        draft.discard()
        try expect(titles(SQLiteRowStore.self, "store"), equals: ["Old"])
        #expect(
            try StoreLeftovers.all(
                of: [files(SQLiteRowStore.self, "store")], at: url("store"), removing: false
            ).isEmpty)
    }

    @Test func destroyingLeavesAnEmptyDatabaseOrNoFile() throws {
        try make(SQLiteRowStore.self, "store", ["Old"])
        try files(SQLiteRowStore.self, "store").destroy(force: false)
        #expect(FileManager.default.fileExists(atPath: url("store-wal").path))
        #expect(try titles(SQLiteRowStore.self, "store").isEmpty)
        try make(WholeFileStore<XMLForm>.self, "xml", ["Old"])
        try files(WholeFileStore<XMLForm>.self, "xml").destroy(force: false)
        #expect(!FileManager.default.fileExists(atPath: url("xml").path))
    }

    @Test func aFileThatIsNoStoreStaysUnlessForced() throws {
        for type: any RowStore.Type in [SQLiteRowStore.self, WholeFileStore<XMLForm>.self] {
            try Data("a letter".utf8).write(to: url("letter"))
            let kind = type.files
            let files = try #require(kind).init(at: StoreLocation(url: url("letter")))
            #expect(throws: NSError.self) { try files.destroy(force: false) }
            try expect(Data(contentsOf: url("letter")), equals: Data("a letter".utf8))
            try files.destroy(force: true)
            #expect(!FileManager.default.fileExists(atPath: url("letter").path))
        }
    }

    @Test func kindsAreToldByTheirFirstBytes() throws {
        try make(SQLiteRowStore.self, "a", [])
        try make(WholeFileStore<XMLForm>.self, "b", [])
        try make(WholeFileStore<BinaryForm>.self, "c", [])
        let kinds: [any RowStore.Type] = [
            SQLiteRowStore.self, WholeFileStore<XMLForm>.self, WholeFileStore<BinaryForm>.self,
        ]
        for (name, type) in zip(["a", "b", "c"], kinds) {
            let start = try StoreFile.start(url(name))
            expect(kinds.filter { $0.recognizes(start) }.map { $0.type }, equals: [type.type])
        }
        #expect(!MemoryRowStore.recognizes(Data()))
        #expect(MemoryRowStore.files == nil)
    }

    /// A process that is being started has copies of all descriptors until it runs its program.
    @Test func aCopyOfTheDescriptorKeepsNoFolderLocked() throws {
        let file = url("a")
        let path = folder.url.resolvingSymlinksInPath().path
        let copies = try StoreFile.exclusively(file) {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(name)")
                return target == path ? Int32(name).map { dup($0) } : nil
            }
        }
        defer { copies.forEach { close($0) } }
        #expect(!copies.isEmpty)
        var hasRun = false
        StoreFile.ifUnlocked(file) { hasRun = true }
        #expect(hasRun)
    }
}
