// A store of Apple's class whose rows somebody below keeps.

import CoreDataSQL
import CoreDataSchema
package import CoreDataStores
import CoreDataSupport
import Foundation

typealias InMemoryStore = EngineStore<MemoryRowStore>
typealias XMLStore = EngineStore<WholeFileStore<XMLForm>>
typealias BinaryStore = EngineStore<WholeFileStore<BinaryForm>>

/// The class of the stores of one engine.
///
/// The coordinator's lock guards everything that changes.
package final class EngineStore<Engine: RowStore>: NSPersistentStore, @unchecked Sendable {
    /// Set once, at the end of the initialiser: it is made for the store.
    private var made: Engine?

    private var engine: Engine {
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
    override class var isWholeFile: Bool { Engine.isWholeFile }

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

    /// What is at the new place is replaced by the next save.
    package override var url: URL? {
        get { super.url }
        set {
            super.url = newValue
            engine.hasMoved()
        }
    }

    package override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try Engine.metadata(at: url).dictionary
    }

    package override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws
    {
        try Engine.setMetadata(PropertyList.entries(of: metadata ?? [:]), at: url)
    }

    package override func loadMetadata() throws { try engine.loadMetadata() }

    override func open(model: ModelRuntime) throws {
        if Engine.isWholeFile, !isReadOnly, let url {
            StoreLeftovers.removeTemporaryFiles(of: StoreFiles.target(of: url))
        }
        try engine.open(
            StoreOpening(
                model: model, members: members(of: model),
                ignoresVersions: options?[NSIgnorePersistentStoreVersioningOption] as? Bool ?? false))
    }

    package override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { engine.close() }

    override func migrate(
        from source: ModelIndex, _ difference: SchemaDifference, to model: ModelRuntime
    ) throws {
        switch Engine.migration {
        case .none: try super.migrate(from: source, difference, to: model)
        case .copy:
            guard let url else { return }
            // The objects go into a new store, which takes the place of the old one.
            let mapping = NSMappingModel(schema: MappingSchema(difference, from: source, to: model.index))
            try mapping.migrate(
                self, at: url, from: NSManagedObjectModel(schema: source.model), to: model.managed)
        }
    }

    override func move(to url: URL, _ publish: () throws -> Void) throws {
        try publish()
        self.url = url
    }

    // MARK: What contexts ask

    override func answers() throws -> any RowSource { engine }

    override func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try engine.allocateKeys(root: root, count: count)
    }

    override func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        try engine.save(changes, before: rest)
    }

    override func execute(_ batch: any StoreBatch) throws -> BatchChanges { try engine.execute(batch) }

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
    ) rethrows -> Result { try engine.stopping(when: isCancelled, body) }
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
