// Reads from the file: as it is, as it was, and beside whoever writes to it.

import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSchema
package import CoreDataSupport
import Foundation

/// Reads rows from an open file.
package protocol SQLiteRowSource: RowSource {
    /// Runs the closure on the file to read from and gives its failures Apple's codes.
    func reading<Result>(_ body: (SQLiteFile) throws -> Result) throws -> Result
}

extension SQLiteRowSource {
    package func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws {
        try reading { try $0.fetchRows(fetch, body: body) }
    }

    package func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        try reading { try $0.fetchKeys(fetch) }
    }

    package func fetchCount(_ fetch: StoreFetch) throws -> Int {
        try reading { try $0.engine.fetchCount($0.statement(fetch, result: .count)) }
    }

    package func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        try reading { try $0.fetchDictionaries(fetch) }
    }

    package func fetchDictionaryCount(_ fetch: StoreDictionaryFetch) throws -> Int {
        try reading { try $0.engine.fetchCount($0.countStatement(fetch)) }
    }

    package func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws {
        try reading {
            try $0.engine.fetchRows(primaryKeys: primaryKeys, decoder: $0.decoder(entity), into: body)
        }
    }

    package func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        try reading { try $0.engine.fetchRow(primaryKey: primaryKey, decoder: $0.decoder(entity)) }
    }

    package func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        body: (RelatedRows) throws -> Void
    ) throws {
        try reading {
            try $0.fetchRelated(relation, of: entity, sources: sources, areAll: areAll, body: body)
        }
    }
}

extension SQLiteRowStore: SQLiteRowSource {
    package func reading<Result>(_ body: (SQLiteFile) throws -> Result) throws -> Result {
        guard let file else { throw StoreErrors.removed(host.url) }
        do {
            if let watch = file.watch { try watch.check() }
            return try file.readsWithoutLocks ? readingWithoutLocks(file, body: body) : body(file)
        } catch {
            throw mapped(error, occasion: .fetching)
        }
    }

    private func readingWithoutLocks<Result>(
        _ file: SQLiteFile, body: (SQLiteFile) throws -> Result
    ) throws -> Result {
        let file = try refreshReading() ? self.file ?? file : file
        readDepth += 1
        defer { readDepth -= 1 }
        let result = try body(file)
        if file.engine.isOverwritten {
            throw EngineFailure(
                .busy, message: "The file was written over while it was read without locks.",
                path: file.engine.path)
        }
        return result
    }

    /// Opens a file anew that is read without locks, once somebody has written to it. Returns whether it was. Called
    /// with the lock held.
    func refreshReading() throws -> Bool {
        // A read inside another one must not close what that one reads from.
        guard readDepth == 0, let old = file, old.readsWithoutLocks, old.engine.isOutdated else {
            return false
        }
        try openAgain()
        old.engine.close()
        return true
    }

    // MARK: Beside the lock

    /// Lets others read while a save has the file. Without a log they couldn't, and pinned or copied files are few.
    func openReaders() throws {
        guard let file, !host.isReadOnly, try file.engine.usesLog() else { return readers.open(nil) }
        readers.open(file)
    }

    package func takeReader() throws -> (any StoreReader)? {
        try readers.take().map { SQLiteReader(self, file: $0.file, generation: $0.generation) }
    }
}

/// A connection that one thread reads with.
package final class SQLiteReader: StoreReader, SQLiteRowSource {
    private let store: SQLiteRowStore
    private let file: SQLiteFile
    private let generation: Int

    fileprivate init(_ store: SQLiteRowStore, file: SQLiteFile, generation: Int) {
        self.store = store
        self.file = file
        self.generation = generation
    }

    package func reading<Result>(_ body: (SQLiteFile) throws -> Result) throws -> Result {
        try store.mapping(.fetching) { try body(file) }
    }

    package func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result { try file.engine.connection.stopping(when: isCancelled, body) }

    package func giveBack() { store.readers.giveBack(file, generation: generation) }
}
