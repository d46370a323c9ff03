// A store of Apple's class whose rows somebody below keeps.

import CoreDataSQL
import CoreDataSchema
package import CoreDataStores
import CoreDataSupport
import Foundation

typealias SQLiteStore = EngineStore<SQLiteRowStore>
typealias InMemoryStore = EngineStore<MemoryRowStore>
typealias XMLStore = EngineStore<WholeFileStore<XMLForm>>
typealias BinaryStore = EngineStore<WholeFileStore<BinaryForm>>

/// The class of the stores of one engine.
///
/// The coordinator's lock guards everything that changes.
package final class EngineStore<Engine: RowStore>: NSPersistentStore, @unchecked Sendable {
    /// Set once, at the end of the initialiser: it is made for the store.
    private var made: Engine?

    var engine: Engine {
        guard let made else { raise(.internalInconsistency, "the store has no engine before it is made") }
        return made
    }

    package override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
        at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        made = Engine(host: self)
    }

    package override var type: String { Engine.type }
    override class var files: (any StoreFiles.Type)? { Engine.files }
    override class func recognizes(_ start: Data) -> Bool { Engine.recognizes(start) }
    override class func checkPlace(_ url: URL?) throws { try Engine.checkPlace(url) }
    override class func place(of url: URL) -> StorePlace? { Engine.place(of: url) }
    override class func replacement(
        at url: URL, options: [AnyHashable: Any]?, isReplaced: Bool
    ) throws -> (any StoreReplacement)? {
        try Engine.replacement(at: url, options: options, isReplaced: isReplaced)
    }

    override var rowStore: (any RowStore)? { made }

    override class func destroy(
        at url: URL, type: String, options: [AnyHashable: Any]?, force: Bool
    ) throws {
        if Engine.files == nil { return try Engine.destroy(at: url, options: options) }
        try super.destroy(at: url, type: type, options: options, force: force)
    }

    // MARK: Metadata

    package override var identifier: String! {  // Apple declares it implicitly unwrapped
        get { engine.metadata.uuid }
        set {
            engine.metadata.uuid = newValue ?? ""
            engine.hasChangedMetadata = true
        }
    }

    package override var metadata: [String: Any]! {  // Apple declares it implicitly unwrapped
        get { engine.metadata.dictionary }
        set {
            do {
                engine.metadata.setClientEntries(try PropertyList.entries(of: newValue ?? [:]))
                engine.hasChangedMetadata = true
            } catch {
                raise(
                    .invalidArgument, "Metadata of a store must be property list values: \(error)",
                    instead: "NSPersistentStoreCoordinator.setMetadata(_:type:at:options:)")
            }
        }
    }

    override var hasChangedMetadata: Bool {
        get { engine.hasChangedMetadata }
        set { engine.hasChangedMetadata = newValue }
    }

    package override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try Engine.metadata(at: url).dictionary
    }

    package override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws
    {
        try Engine.setMetadata(PropertyList.entries(of: metadata ?? [:]), at: url)
    }

    package override func loadMetadata() throws { try engine.loadMetadata() }

    // MARK: Life

    override func open(model: ModelRuntime) throws {
        removeLeftovers()
        try engine.open(
            StoreOpening(
                model: model, members: members(of: model),
                ignoresVersions: StoreOption.flag(options?[NSIgnorePersistentStoreVersioningOption])))
    }

    /// Files that killed processes left beside the store's file go before the file is opened for writing.
    private func removeLeftovers() {
        guard let url, !StoreOption.flag(options?[NSReadOnlyPersistentStoreOption]) else { return }
        Engine.files?.init(at: StoreLocation(url: url, options: options)).removeAfterKill()
    }

    package override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        engine.close()
        OpenStores.remove(self)
    }

    /// A file at the new place is replaced by the next save, unless the store is open where it was.
    package override var url: URL? {
        get { super.url }
        set {
            super.url = newValue
            engine.hasMoved()
        }
    }

    override func reopen(at url: URL) -> Bool {
        let before = super.url
        super.url = url
        do {
            removeLeftovers()
            try engine.reopen()
            return true
        } catch {
            super.url = before
            hasOpened(before.flatMap(Engine.place))
            return false
        }
    }

    override func move(to url: URL, _ publish: () throws -> Void) throws {
        try engine.move {
            try publish()
            self.url = url
        }
    }

    // MARK: Versions

    override func keptModel() throws -> NSManagedObjectModel? {
        try engine.keptModel().map(NSManagedObjectModel.init(schema:))
    }

    override func migrate(
        from source: ModelIndex, _ difference: SchemaDifference, to model: ModelRuntime
    ) throws {
        switch Engine.migration {
        case .none: try super.migrate(from: source, difference, to: model)
        case .inPlace: try engine.migrate(MigrationInPlace(from: source, by: difference, to: model))
        case .copy:
            guard let url else { return }
            // The objects go into a new store, which takes the place of the old one.
            let mapping = NSMappingModel(schema: MappingSchema(difference, from: source, to: model.index))
            try mapping.migrate(
                self, at: url, from: NSManagedObjectModel(schema: source.model), to: model.managed)
        }
    }

    // MARK: Requests of contexts

    /// The engine, unless this thread reads beside whoever has the lock, or for a context that is pinned to a state.
    override func source() throws -> any RowSource {
        if let reader = BorrowedReader.source(of: self) { return reader }
        if QueryGeneration.areUsed, engine.keepsSnapshots, let snapshot = try pinnedSnapshot() {
            return snapshot
        }
        return engine
    }

    private func pinnedSnapshot() throws -> (any ReadSnapshot)? {
        try persistentStoreCoordinator?.requester?.generation?.snapshot(of: self)
    }

    override func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try engine.allocateKeys(root: root, count: count)
    }

    override func save(
        _ changes: StoreChanges, of objects: SavedObjects, before rest: () throws -> Void
    ) throws { try engine.save(changes, before: rest) }

    override func execute(_ batch: StoreBatch) throws -> BatchChanges { try engine.execute(batch) }

    override var takesCopies: Bool { true }

    override func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try engine.takeCopies(body)
    }

    override func takeDerivedRows() -> DerivedRows { engine.takeDerivedRows() }
    override var savesBefore: Int { engine.savesBefore }
    override var keepsObjects: Bool { engine.keepsObjects }
    override var learnsKeys: Bool { engine.learnsKeys }
    override func interrupt() { engine.interrupt() }

    override func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result {
        if let reader = BorrowedReader.source(of: self) {
            return try reader.stopping(when: isCancelled, body)
        }
        return try engine.stopping(when: isCancelled, body)
    }
}

extension NSPersistentStore {
    /// The names of the configuration's entities; `nil` for all.
    final func members(of model: ModelRuntime) -> Set<String>? {
        if configurationName == NSManagedObjectModel.defaultConfigurationName { return nil }
        return Set(
            (model.managed.model.entities(forConfigurationName: configurationName) ?? []).compactMap(\.name))
    }
}

extension NSPersistentStore {
    /// Notes in the metadata which model the store is of, as every store says it.
    final func addModelMetadata(_ model: ModelRuntime) {
        var metadata: [String: Any] = self.metadata ?? [:]
        let hashes = VersionHash.hashes(of: model.index).mapValues(\.data)
        metadata[NSStoreModelVersionHashesKey] = hashes
        metadata[NSStoreModelVersionIdentifiersKey] = model.managed.model.versionIdentifiers.map { $0 }
        self.metadata = metadata
    }
}
