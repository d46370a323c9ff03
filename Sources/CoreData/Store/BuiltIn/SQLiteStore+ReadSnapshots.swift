// Generations in a file: connections that go on reading the file's state at one moment.

import CoreDataSQLiteEngine
import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

extension SQLiteStore {
    /// Pins the file's state. Contexts that are pinned while nobody writes share a connection. `nil` if the file
    /// can't be pinned.
    func makeReadSnapshot() throws -> ReadSnapshot? {
        return try mapping(.fetching) {
            _ = try refreshReading()
            guard let file else { return nil }
            let engine = file.engine
            let mark = try engine.stateMark()
            let living = readSnapshots.living
            if let last = living.last, last.origin === engine, last.mark == mark, last.file.engine.isPinned {
                return last
            }
            if living.isEmpty {
                releaseUnusedSnapshots()
                readSnapshots.limitLog(
                    from: engine.logSize, by: SQLiteStoreOptions(options).generationLogLimit)
            }
            guard let pinned = try engine.pinned() else { return nil }
            let snapshot = ReadSnapshot(
                SQLiteFile(engine: pinned, model: file.model, layout: file.layout, host: self), mark: mark,
                of: engine)
            readSnapshots.add(snapshot)
            engine.keepsSuperfluousFiles = true
            return snapshot
        }
    }

    /// What the context that asks is to read from; `nil` if the file as it is.
    func snapshotFile() throws -> SQLiteFile? {
        guard let generation = persistentStoreCoordinator?.requester?.generation else { return nil }
        guard let snapshot = try generation.snapshot(of: self) else { return nil }
        // A read inside another one must not close what that one reads from.
        if readSnapshots.isCheckDue(), snapshotReading.withLock({ $0 == nil }) { boundLog() }
        guard !snapshot.hasEnded, snapshot.file.engine.isPinned else {
            snapshot.end()
            throw QueryGeneration.expired(url)
        }
        return snapshot.file
    }

    /// Reads from a pinned file, so that the read can be interrupted.
    func reading<Result>(_ pinned: SQLiteFile, _ body: (SQLiteFile) throws -> Result) throws -> Result {
        let connection = UncheckedReference(pinned.engine.connection)
        let outer = snapshotReading.withLock { reading in
            defer { reading = connection }
            return reading
        }
        defer { snapshotReading.withLock { $0 = outer } }
        return try mapping(.fetching) { try body(pinned) }
    }

    /// Ends all readSnapshots if the log has outgrown its limit because of them.
    func boundLog() {
        guard let file else { return }
        boundReadLog(file.engine)
        if readSnapshots.isEmpty { return }
        let size = file.engine.logSize
        if size <= readSnapshots.logLimit { return releaseUnusedSnapshots() }
        let living = readSnapshots.living
        if !living.isEmpty {
            Log.warning(
                "query generations of \(url?.path ?? "") have expired: the write-ahead log has \(size) bytes")
        }
        endReadSnapshots()
    }

    /// Empties a log that grew because it was always being read.
    private func boundReadLog(_ engine: SQLiteEngine) {
        guard readSnapshots.isEmpty else { return }
        readers.boundLog(size: { engine.logSize }) {
            do {
                try engine.emptyLog()
            } catch {
                Log.warning("the write-ahead log of \(engine.path) can't be emptied: \(error)")
            }
        }
    }

    /// Ends all readSnapshots: contexts that are pinned to them can't read any more.
    func endReadSnapshots() {
        for snapshot in readSnapshots.living { snapshot.end() }
        releaseUnusedSnapshots()
    }

    /// Gives back what readSnapshots kept, once there are none.
    func releaseUnusedSnapshots() {
        guard !readSnapshots.isEmpty, readSnapshots.living.isEmpty else { return }
        readSnapshots.clear()
        guard let engine = file?.engine else { return }
        engine.keepsSuperfluousFiles = false
        guard engine.logSize > ReadSnapshots.smallLog else { return }
        do {
            try engine.shrinkLog()
        } catch {
            // The log is as good as before, only longer; another connection may be at work on it.
            Log.warning("the write-ahead log of \(engine.path) can't be emptied: \(error)")
        }
    }
}
