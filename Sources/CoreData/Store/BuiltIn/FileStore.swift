// A built-in store whose file is read and written whole: what XML and binary stores share.

import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A store that keeps its rows in memory and writes all of them with every save.
///
/// The coordinator's lock guards everything that changes.
class FileStore: NSPersistentStore, @unchecked Sendable {
    /// `nil` before the store is opened and once it is removed.
    private final var contents: MemoryRows?
    /// What the file says about itself, with what a client changed since.
    private final var head = StoreMetadata(uuid: "")
    /// Which state of the file the rows are; `nil` if there was none.
    private final var stamp: FileStamp?

    class var form: any StoreFileForm.Type { XMLForm.self }
    private final var form: any StoreFileForm.Type { Swift.type(of: self).form }

    override final var type: String { form.type }

    override final var identifier: String! {  // Apple declares it implicitly unwrapped
        get { head.uuid }
        set {
            head.uuid = newValue ?? ""
            hasChangedMetadata = true
        }
    }

    override final var metadata: [String: Any]! {  // Apple declares it implicitly unwrapped
        get { head.dictionary }
        set {
            do {
                head.setClientEntries(try PropertyList.entries(of: newValue ?? [:]))
                hasChangedMetadata = true
            } catch {
                raise(
                    .invalidArgument, "Metadata of a store must be property list values: \(error)",
                    instead: "NSPersistentStoreCoordinator.setMetadata(_:type:at:options:)")
            }
        }
    }

    /// What is at the new place is replaced by the next save.
    override final var url: URL? {
        get { super.url }
        set {
            super.url = newValue
            stamp = newValue.flatMap { FileStamp($0) }
            hasChangedMetadata = true
        }
    }

    /// The objects go into a new file, which takes the place of the old one.
    override final func migrate(
        from source: ModelIndex, _ difference: SchemaDifference, to model: ModelRuntime
    ) throws {
        guard let url else { return }
        let mapping = NSMappingModel(schema: MappingSchema(difference, from: source, to: model.index))
        try mapping.migrate(
            self, at: url, from: NSManagedObjectModel(schema: source.model), to: model.managed)
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try words(url) { try form.metadata(StoreFile.read(url)).dictionary }
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try words(url) {
            try StoreFile.exclusively(url) {
                var head = try form.metadata(StoreFile.read(url))
                head.setClientEntries(try PropertyList.entries(of: metadata ?? [:]))
                try StoreFile.replace(url, with: form.data(StoreFile.read(url), renewing: head))
            }
        }
    }

    override final func loadMetadata() throws {
        guard let url else { return }
        head = try Self.words(url) { try form.metadata(StoreFile.read(url)) }
    }

    override final func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        contents = nil
    }

    // MARK: Opening

    override final func open(model: ModelRuntime) throws {
        guard let url else { return }
        if !isReadOnly { StoreLeftovers.removeTemporaryFiles(of: StoreFiles.target(of: url)) }
        let fresh = try memory(model)
        if let stamp = FileStamp(url) {
            try read(url, into: fresh, checking: true)
            self.stamp = stamp
        } else if isReadOnly {
            throw CoreDataError.make(
                NSFileReadNoSuchFileError, "The persistent store's file doesn't exist.", file: url)
        } else {
            head = newHead(model)
            try StoreFile.exclusively(url) { try StoreFile.replace(url, with: form.data(fresh, head)) }
            stamp = FileStamp(url)
        }
        contents = fresh
    }

    /// Has the closure put the file elsewhere, and goes on there.
    override final func move(to url: URL, _ publish: () throws -> Void) throws {
        try publish()
        self.url = url
        stamp = FileStamp(url)
    }

    private final func memory(_ model: ModelRuntime) throws -> MemoryRows {
        try MemoryRows(model: model, host: self, firstSharedKey: form.sharesKeys ? form.firstKey : nil)
    }

    private final func newHead(_ model: ModelRuntime) -> StoreMetadata {
        var head = StoreMetadata(uuid: UUID().uuidString)
        head[StoreMetadata.Key.type] = .string(form.type)
        name(model, in: &head)
        return head
    }

    private final func name(_ model: ModelRuntime, in head: inout StoreMetadata) {
        let hashes = VersionHash.hashes(of: model.index).mapValues(\.data)
        head.setModel(
            hashes: hashes, digest: VersionHash.digest(of: hashes),
            checksum: VersionHash.checksum(of: hashes),
            identifiers: model.index.model.versionIdentifiers)
    }

    private final func read(_ url: URL, into rows: MemoryRows, checking: Bool) throws {
        try Self.words(url) {
            let data = try StoreFile.read(url)
            let ignores = options?[NSIgnorePersistentStoreVersioningOption] as? Bool ?? false
            let check = checking && !ignores ? VersionCheck(rows.model.index, members(of: rows.model)) : nil
            try check?.check(form.metadata(data), file: url)
            do {
                head = try form.read(data, into: rows)
            } catch let failure as StoreFileFailure where failure.kind == .model {
                // Where hashes that aren't certain can't tell that it is of another version, what the model lacks does.
                let metadata = try form.metadata(data)
                guard let undecided = try check?.undecided(from: metadata), !undecided.isEmpty else {
                    throw failure
                }
                throw VersionCheck.incompatible(undecided, metadata, file: url)
            }
            try rows.deriveAll()
            // A file of an earlier release names its configuration's entities only; the next save names all.
            if try check?.isPart(head) == true, !isReadOnly {
                name(rows.model, in: &head)
                hasChangedMetadata = true
            }
            if head[StoreMetadata.Key.type] == nil { head[StoreMetadata.Key.type] = .string(form.type) }
        }
    }

    // MARK: Following the file

    /// Reads the file again if another process or coordinator has replaced it. A file that is gone is missed only
    /// by the next who opens it: the rows stay, and the next save writes them.
    private final func follow() throws {
        guard let url, let before = contents, let now = FileStamp(url), now != stamp else { return }
        let (oldHead, uuid) = (head, head.uuid)
        let fresh = try memory(before.model)
        do {
            try read(url, into: fresh, checking: true)
            guard head.uuid == uuid else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError, "The persistent store could not be read.", file: url,
                    reason: "Another store has taken its place.")
            }
        } catch {
            head = oldHead
            throw error
        }
        if !form.keepsVersions { fresh.carryVersions(from: before) }
        fresh.state.lastKeys.merge(before.state.lastKeys, uniquingKeysWith: max)
        if hasChangedMetadata { head.setClientEntries(oldHead.entries) }
        contents = fresh
        stamp = now
    }

    override final func rows() throws -> MemoryRows {
        try follow()
        guard let contents else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store has been removed from its coordinator.", file: url
            )
        }
        return contents
    }

    // MARK: Saving

    override final func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try rows().allocateKeys(root: root, count: count)
    }

    override final var savesBefore: Int { 2 }

    override final func takeDerivedRows() -> DerivedRows { contents?.takeDerivedRows() ?? DerivedRows() }

    override final func save(_ changes: StoreChanges) throws { try save(changes) {} }

    override final func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        if changes.isEmpty && !hasChangedMetadata { return try rest() }
        try replacing { rows in
            try take(changes, rows)
            try rest()
        }
    }

    private final func take(_ changes: StoreChanges, _ rows: MemoryRows) throws {
        for row in changes.inserted where rows.row(row.entity, row.primaryKey) != nil {
            throw CoreDataError.make(
                NSPersistentStoreSaveConflictsError, "The persistent store could not be saved.", file: url,
                entity: row.entity.name,
                reason: "Another writer has used the key \(row.primaryKey) meanwhile.")
        }
        try rows.save(changes)
    }

    override final func execute(_ batch: any StoreBatch) throws -> BatchChanges {
        try rows().execute(batch) { try save($0) }
    }

    override final var takesCopies: Bool { true }

    override final func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try replacing { rows in try body { try take($0, rows) } }
    }

    /// Lets the closure change the rows and writes them; puts everything back if either fails.
    final func replacing(_ body: (MemoryRows) throws -> Void) throws {
        guard let url else { return }
        if isReadOnly { throw ErrorMapping.readOnly(url, keepsHistory: false) }
        try StoreFile.exclusively(url) {
            let rows = try rows()
            let state = rows.state
            do {
                try body(rows)
                try Self.words(url) { try StoreFile.replace(url, with: form.data(rows, head)) }
            } catch {
                rows.state = state
                throw error
            }
            stamp = FileStamp(url)
            hasChangedMetadata = false
        }
    }

    private class func words<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as StoreFileFailure {
            throw failure.error(url)
        } catch {
            throw ErrorMapping.error(error, .opening, file: url)
        }
    }
}

/// A store in an XML file.
final class XMLStore: FileStore, @unchecked Sendable {  // as its superclass
    override class var form: any StoreFileForm.Type { XMLForm.self }
}

/// A store in a file of our own binary form.
final class BinaryStore: FileStore, @unchecked Sendable {  // as its superclass
    override class var form: any StoreFileForm.Type { BinaryForm.self }
}

extension MemoryRows {
    /// Rows that are as they were keep their version; others get the next one.
    fileprivate func carryVersions(from earlier: MemoryRows) {
        for (root, table) in state.tables {
            for (key, row) in table.rows {
                guard let old = earlier.state.tables[root]?.rows[key] else { continue }
                let isSame = row.entity === old.entity && row.holdsSame(as: old)
                row.pointer.version = isSame ? old.version : RowVersion.next(after: old.version)
            }
        }
    }
}

extension StoredRow {
    fileprivate func holdsSame(as other: StoredRow) -> Bool {
        entity.layout.slots.allSatisfy { SlotValue.areEqual($0, pointer, other.pointer) }
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
