// The built-in SQLite store: what coordinator and contexts see of it. The topics are in the `+` files.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

/// A store in an SQLite file in Apple's layout.
///
/// The coordinator's lock guards everything that changes.
final class SQLiteStore: NSPersistentStore, @unchecked Sendable {
    /// `nil` before the store is opened and once it is removed.
    var file: SQLiteFile?
    /// The entities that the file has a place for; `nil` for all of the model's.
    var placedEntities: Set<String>?
    /// What Z_METADATA says, with what a client changed since.
    var contents = StoreMetadata(uuid: "")
    /// What was written here lately, and whether anybody else has written at all (`SQLiteEngine.dataVersion`).
    var recentWrites = RecentWrites()
    var dataVersion: Int64?
    /// What reads while a save has the file.
    let readers = SQLiteReaders()
    /// The states of the file that contexts are pinned to, and the connection of a read from one that is going on.
    var readSnapshots = ReadSnapshots()
    let snapshotReading = Mutex<UncheckedReference<Connection>?>(nil)
    /// Whether the file has the tables of a persistent history.
    var keepsHistory = false
    /// Whether saves write into them.
    var tracksHistory = false
    /// The number of the history's transaction that a save of this store wrote last.
    var latestTransaction: Int64?
    /// Whether others' saves and its own are announced (`RemoteChanges`).
    var postsRemoteChanges = false
    let remoteWatch = Mutex(RemoteWatch())
    /// Reads from the file that are going on, one inside the other.
    private var readDepth = 0

    override var type: String { NSSQLiteStoreType }

    override var identifier: String! {  // Apple declares it implicitly unwrapped
        get { contents.uuid }
        set {
            contents.uuid = newValue ?? ""
            hasChangedMetadata = true
        }
    }

    override var metadata: [String: Any]! {  // Apple declares it implicitly unwrapped
        get { contents.dictionary }
        set { setMetadata(newValue ?? [:]) }
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try readMetadata(at: url).dictionary
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try writeMetadata(metadata ?? [:], at: url)
    }

    override func loadMetadata() throws {
        guard let url else { return }
        contents = try Self.readMetadata(at: url)
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        readers.open(nil)
        endReadSnapshots()
        file?.engine.close()
        file = nil
        OpenStores.remove(self)
        RemoteChanges.remove(self)
    }

    override func open(model: ModelRuntime) throws {
        try mapping(.opening) {
            try openFile(model)
            dataVersion = try file?.engine.dataVersion()
            try openReaders()
            if postsRemoteChanges { RemoteChanges.add(self) }
        }
    }

    override func keptModel() throws -> NSManagedObjectModel? {
        guard let url else { return nil }
        return try NSPersistentStoreCoordinator.model(inStoreAt: url, SQLiteStoreOptions(options))
    }

    override func migrate(
        from source: ModelIndex, _ difference: SchemaDifference, to model: ModelRuntime
    ) throws {
        try migrateFile(from: source, difference, to: model)
    }

    // MARK: Requests

    override func interrupt() {
        file?.engine.connection.interrupt()
        snapshotReading.withLock { $0?.value.interrupt() }
    }

    override func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let file else { return try body() }
        return try file.engine.connection.stopping(when: isCancelled, body)
    }

    override func fetchRows(_ fetch: StoreFetch, _ body: (RowSlab) throws -> Void) throws {
        try using(.fetching) { try $0.fetchRows(fetch, body) }
    }

    override func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        try using(.fetching) { try $0.fetchKeys(fetch) }
    }

    override func fetchCount(_ fetch: StoreFetch) throws -> Int {
        try using(.fetching) { try $0.engine.fetchCount($0.statement(fetch, .count)) }
    }

    override func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        try using(.fetching) { try $0.fetchDictionaries(fetch) }
    }

    override func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws {
        try using(.fetching) {
            try $0.engine.fetchRows(primaryKeys: primaryKeys, decoder: $0.decoder(entity), into: body)
        }
    }

    override func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        try using(.fetching) { try $0.engine.fetchRow(primaryKey: primaryKey, decoder: $0.decoder(entity)) }
    }

    override func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        _ body: (RelatedRows) throws -> Void
    ) throws {
        try using(.fetching) {
            try $0.fetchRelated(relation, of: entity, sources: sources, areAll: areAll, body)
        }
    }

    override func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try using(.saving) { try $0.allocateKeys(root: root, count: count) }
    }

    override func save(_ changes: StoreChanges) throws { try save(changes) {} }

    override func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        if changes.isEmpty && !hasChangedMetadata { return try rest() }
        try using(.saving) { file in
            forgetDerivedRows(file)
            try write(changes, to: file, rest)
            file.noteStatedValues(changes)
            hasChangedMetadata = false
            recentWrites.note(changes)
        }
        boundLog()
        if !changes.writesNothing { RemoteChanges.announce(self) }
    }

    override func takeDerivedRows() -> DerivedRows {
        guard let file, file.keepsDerivedValues else { return DerivedRows() }
        return file.takeDerivedRows()
    }

    /// Those of batches and copies, which tell no context.
    private func forgetDerivedRows(_ file: SQLiteFile) {
        if file.keepsDerivedValues { _ = file.engine.takeDerivedValues() }
    }

    override func execute(_ batch: any StoreBatch) throws -> BatchChanges {
        let changes = try using(.saving) { try execute(batch, on: $0) }
        boundLog()
        if changes.count > 0 { RemoteChanges.announce(self) }
        return changes
    }

    override var takesCopies: Bool { true }

    override func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try using(.saving) { file in
            try recordingTransaction(in: file) {
                try recording(in: file, body)
                if hasChangedMetadata { try file.write(contents) }
            }
            hasChangedMetadata = false
        }
    }

    override func move(to url: URL, _ publish: () throws -> Void) throws {
        guard let model = file?.model else { return }
        willRemove(from: persistentStoreCoordinator)
        try publish()
        self.url = url
        try open(model: model)
    }

    override var savesBefore: Int { 0 }

    /// What writes a save to the file.
    func executor(_ file: SQLiteFile) -> SaveExecutor {
        SaveExecutor(file: file) { [unowned self] in try wrote($0, $1, file) }
    }

    /// Whether the state of a row that a save stumbled over was written here: noted as such, or nobody else ever
    /// wrote to the file.
    func wrote(_ row: StoreChanges.Row, _ current: RowSlab?, _ file: SQLiteFile) throws -> Bool {
        let version = current.map { Int64(bitPattern: $0.row(0)[0]) } ?? 0
        if recentWrites.contains(row.entity, row.primaryKey, version: version) { return true }
        return try file.engine.dataVersion() == dataVersion
    }

    // MARK: Errors

    /// Runs the closure on the open file and gives its failures Apple's codes.
    private func using<Result>(
        _ occasion: ErrorMapping.Occasion, _ body: (SQLiteFile) throws -> Result
    ) throws -> Result {
        if occasion == .fetching, let reader = BorrowedReader.file(of: self) {
            return try mapping(.fetching) { try body(reader) }
        }
        guard let file else { throw StoreErrors.removed(url) }
        if occasion == .saving && isReadOnly { throw ErrorMapping.readOnly(url, keepsHistory: keepsHistory) }
        if QueryGeneration.areUsed, occasion == .fetching, let pinned = try snapshotFile() {
            return try reading(pinned, body)
        }
        return try mapping(occasion) {
            if occasion == .saving { return try body(file) }
            if let watch = file.watch { try watch.check() }
            _ = try refreshReading()
            readDepth += 1
            defer { readDepth -= 1 }
            return try readingUnchanged(self.file ?? file, body)
        }
    }

    /// Runs a read, and fails if somebody wrote over a file meanwhile that is read without locks.
    private func readingUnchanged<Result>(
        _ file: SQLiteFile, _ body: (SQLiteFile) throws -> Result
    ) throws -> Result {
        let result = try body(file)
        if isReadOnly, file.engine.isOverwritten {
            throw EngineFailure(
                .busy, message: "The file was written over while it was read without locks.",
                path: file.engine.path)
        }
        return result
    }

    /// Opens a file anew that is read without locks, once somebody has written to it. Returns whether it was. Called
    /// with the coordinator's lock held.
    func refreshReading() throws -> Bool {
        // A read inside another one must not close what that one reads from.
        guard isReadOnly, readDepth == 0, let old = file, old.engine.isOutdated else { return false }
        try openFile(old.model)
        old.engine.close()
        return true
    }

    func mapping<Result>(_ occasion: ErrorMapping.Occasion, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw ErrorMapping.error(error, occasion, file: url, layout: file?.layout)
        }
    }
}
