// A store whose file is read and written whole: what XML and binary stores share.

package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// A store that keeps its rows in memory and writes all of them with every save.
package final class WholeFileStore<Form: StoreFileForm>: RowStore, MemoryRowSource {
    package static var type: String { Form.type }
    package static var files: (any StoreFiles.Type)? { WholeFiles<Form>.self }
    package static func recognizes(_ start: Data) -> Bool { Form.recognizes(start) }
    package static var migration: StoreMigration { .copy }

    private unowned let host: any StoreHost
    /// `nil` before the store is opened and once it is removed.
    private var contents: MemoryRows?
    package var metadata = StoreMetadata(uuid: "")
    package var hasChangedMetadata = false
    /// The state of the file that the rows are from; `nil` if there was none.
    private var stamp: FileStamp?
    /// The options that the store was opened with.
    private var opening: StoreOpening?

    package init(host: any StoreHost) {
        self.host = host
    }

    package static func metadata(at url: URL) throws -> StoreMetadata {
        try words(url) { try Form.metadata(StoreFile.read(url)) }
    }

    package static func setMetadata(_ entries: [PropertyList.Entry], at url: URL) throws {
        try words(url) {
            try StoreFile.exclusively(url) {
                var head = try Form.metadata(StoreFile.read(url))
                head.setClientEntries(entries)
                try StoreFile.replace(url, with: Form.data(StoreFile.read(url), renewing: head))
            }
        }
    }

    package func loadMetadata() throws {
        guard let url = host.url else { return }
        metadata = try Self.metadata(at: url)
    }

    package func close() { contents = nil }

    package func hasMoved() {
        stamp = host.url.flatMap { FileStamp($0) }
        hasChangedMetadata = true
    }

    // MARK: Opening

    package func open(_ opening: StoreOpening) throws {
        guard let url = host.url else { return }
        self.opening = opening
        let fresh = try memory(opening.model)
        if let stamp = FileStamp(url) {
            try read(url, into: fresh)
            self.stamp = stamp
        } else if host.isReadOnly {
            throw CoreDataError.make(
                NSFileReadNoSuchFileError, description: "The persistent store's file doesn't exist.",
                file: url)
        } else {
            try StoreFile.requireFolder(of: url)
            metadata = StoreMetadata(uuid: UUID().uuidString)
            metadata[StoreMetadata.Key.type] = .string(Form.type)
            metadata.name(opening.model)
            try StoreFile.exclusively(url) {
                try StoreFile.replace(url, with: Form.data(fresh, metadata: metadata))
            }
            stamp = FileStamp(url)
        }
        contents = fresh
    }

    private func memory(_ model: ModelRuntime) throws -> MemoryRows {
        try MemoryRows(model: model, host: host, firstSharedKey: Form.sharesKeys ? Form.firstKey : nil)
    }

    private func read(_ url: URL, into rows: MemoryRows) throws {
        try Self.words(url) {
            let data = try StoreFile.read(url)
            let check = opening.flatMap {
                $0.ignoresVersions ? nil : VersionCheck(rows.model.index, members: $0.members)
            }
            try check?.check(Form.metadata(data), file: url)
            do {
                metadata = try Form.read(data, into: rows)
            } catch let failure as StoreFileFailure where failure.kind == .model {
                // If uncertain hashes can't tell that it is of another version, entities
                // that the model lacks do.
                let found = try Form.metadata(data)
                guard let undecided = try check?.undecided(from: found), !undecided.isEmpty else {
                    throw failure
                }
                throw VersionCheck.incompatible(undecided, metadata: found, file: url)
            }
            try rows.deriveAll()
            // A file of an earlier release names its configuration's entities only; the next save names all.
            if try check?.isPart(metadata) == true, !host.isReadOnly {
                metadata.name(rows.model)
                hasChangedMetadata = true
            }
            if metadata[StoreMetadata.Key.type] == nil {
                metadata[StoreMetadata.Key.type] = .string(Form.type)
            }
        }
    }

    // MARK: Following the file

    /// Reads the file again if another process or coordinator has replaced it. A file that is gone is missed only
    /// by the next who opens it: the rows stay, and the next save writes them.
    private func follow() throws {
        guard let url = host.url, let before = contents, let now = FileStamp(url), now != stamp else {
            return
        }
        let (former, uuid) = (metadata, metadata.uuid)
        let fresh = try memory(before.model)
        do {
            try read(url, into: fresh)
            guard metadata.uuid == uuid else {
                throw CoreDataError.make(
                    ErrorCode.operation, description: "The persistent store could not be read.", file: url,
                    reason: "Another store has taken its place.")
            }
        } catch {
            metadata = former
            throw error
        }
        if !Form.keepsVersions { fresh.carryVersions(from: before) }
        fresh.state.lastKeys.merge(before.state.lastKeys, uniquingKeysWith: max)
        if hasChangedMetadata { metadata.setClientEntries(former.entries) }
        contents = fresh
        stamp = now
    }

    package func memory() throws -> MemoryRows {
        try follow()
        guard let contents else { throw StoreErrors.removed(host.url) }
        return contents
    }

    // MARK: Saving

    package func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try memory().allocateKeys(root: root, count: count)
    }

    package var savesBefore: Int { 2 }
    package var learnsKeys: Bool { true }

    package func takeDerivedRows() -> DerivedRows { contents?.takeDerivedRows() ?? DerivedRows() }

    package func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        if changes.isEmpty && !hasChangedMetadata { return try rest() }
        try replacing { rows in
            try take(changes, rows: rows)
            try rest()
        }
    }

    private func take(_ changes: StoreChanges, rows: MemoryRows) throws {
        for row in changes.inserted where rows.row(row.entity, primaryKey: row.primaryKey) != nil {
            throw CoreDataError.make(
                ErrorCode.saveConflicts, description: "The persistent store could not be saved.",
                file: host.url,
                entity: row.entity.name,
                reason: "Another writer has used the key \(row.primaryKey) meanwhile.")
        }
        try rows.save(changes)
    }

    package func execute(_ batch: StoreBatch) throws -> BatchChanges {
        if host.isReadOnly { throw ErrorMapping.readOnly(host.url, keepsHistory: false) }
        return try memory().execute(batch) { changes in try save(changes) {} }
    }

    package func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try replacing { rows in try body { try take($0, rows: rows) } }
    }

    /// Lets the closure change the rows and writes them; puts everything back if either fails.
    private func replacing(_ body: (MemoryRows) throws -> Void) throws {
        guard let url = host.url else { return }
        if host.isReadOnly { throw ErrorMapping.readOnly(url, keepsHistory: false) }
        try StoreFile.exclusively(url) {
            let rows = try memory()
            let state = rows.state
            do {
                try body(rows)
                try Self.words(url) { try StoreFile.replace(url, with: Form.data(rows, metadata: metadata)) }
            } catch {
                rows.state = state
                throw error
            }
            stamp = FileStamp(url)
            hasChangedMetadata = false
        }
    }

    private static func words<Result>(_ url: URL, body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as StoreFileFailure {
            throw failure.error(url)
        } catch {
            throw ErrorMapping.error(error, occasion: .opening, file: url)
        }
    }
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
        entity.layout.slots.allSatisfy { SlotValue.areEqual($0, left: pointer, right: other.pointer) }
    }
}
