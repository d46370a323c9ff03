// The store that lives as long as its coordinator.

package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// A store in memory.
package final class MemoryRowStore: RowStore, MemoryRowSource {
    package static let type = StoreTypeName.inMemory

    private unowned let host: any StoreHost
    private var contents: MemoryRows?
    package var metadata = StoreMetadata(uuid: UUID().uuidString)
    package var hasChangedMetadata = false

    package init(host: any StoreHost) {
        self.host = host
        metadata[StoreMetadata.Key.type] = .string(Self.type)
    }

    package static func metadata(at url: URL) throws -> StoreMetadata {
        throw CoreDataError.make(
            NSFileReadNoSuchFileError,
            description: "A store in memory has no file whose metadata could be read.",
            file: url)
    }

    package static func setMetadata(_ entries: [PropertyList.Entry], at url: URL) throws {
        throw CoreDataError.make(
            NSFileReadNoSuchFileError,
            description: "A store in memory has no file whose metadata could be set.", file: url
        )
    }

    package func loadMetadata() throws {}

    package func open(_ opening: StoreOpening) throws {
        metadata.name(opening.model)
        contents = try MemoryRows(model: opening.model, host: host)
    }

    package func close() { contents = nil }

    package func memory() throws -> MemoryRows {
        guard let contents else { throw StoreErrors.removed(host.url) }
        return contents
    }

    package func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try memory().allocateKeys(root: root, count: count)
    }

    package func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        try restoring { rows in
            try rows.save(changes)
            try rest()
        }
        hasChangedMetadata = false
    }

    package func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try restoring { rows in try body { try rows.save($0) } }
    }

    /// Puts the rows back if the closure fails.
    private func restoring(_ body: (MemoryRows) throws -> Void) throws {
        let rows = try memory()
        let earlier = rows.state
        do {
            try body(rows)
        } catch {
            rows.state = earlier
            throw error
        }
    }

    package func execute(_ batch: StoreBatch) throws -> BatchChanges {
        if host.isReadOnly { throw ErrorMapping.readOnly(host.url, keepsHistory: false) }
        return try memory().execute(batch) { changes in try save(changes) {} }
    }

    package func takeDerivedRows() -> DerivedRows { contents?.takeDerivedRows() ?? DerivedRows() }

    package var savesBefore: Int { 1 }
    package var keepsObjects: Bool { true }
    package var learnsKeys: Bool { true }
}
