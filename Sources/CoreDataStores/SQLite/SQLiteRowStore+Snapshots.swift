// States of the file that are kept: connections that go on reading the file's state at one moment.

import CoreDataSQLiteEngine
import CoreDataSupport
import Foundation
import Synchronization

extension SQLiteRowStore {
    /// Pins the file's state. Snapshots that are made while nobody writes share a connection. `nil` if the file can't be
    /// pinned.
    package func makeSnapshot() throws -> (any ReadSnapshot)? {
        try mapping(.fetching) {
            _ = try refreshReading()
            guard let file else { return nil }
            let engine = file.engine
            let mark = try engine.stateMark()
            let living = snapshots.living
            if let last = living.last, last.origin === engine, last.mark == mark, last.file.engine.isPinned {
                return last
            }
            if living.isEmpty {
                releaseUnusedSnapshots()
                snapshots.limitLog(from: engine.logSize, by: options.snapshotLogLimit)
            }
            guard let pinned = try engine.pinned() else { return nil }
            let snapshot = SQLiteSnapshot(
                SQLiteFile(engine: pinned, model: file.model, layout: file.layout, host: host), mark: mark,
                of: engine, in: self)
            snapshots.add(snapshot)
            engine.keepsSuperfluousFiles = true
            return snapshot
        }
    }

    /// Reads from a snapshot, so that the read can be interrupted.
    func reading<Result>(
        _ snapshot: SQLiteSnapshot, body: (SQLiteFile) throws -> Result
    ) throws -> Result {
        if file == nil { throw StoreErrors.removed(host.url) }
        // A read inside another one must not close what that one reads from.
        if snapshots.isCheckDue(), snapshotReading.withLock({ $0 == nil }) { boundLog() }
        guard !snapshot.hasEnded, snapshot.file.engine.isPinned else {
            snapshot.end()
            throw StoreErrors.expiredSnapshot(host.url)
        }
        let connection = UncheckedReference(snapshot.file.engine.connection)
        let outer = snapshotReading.withLock { reading in
            defer { reading = connection }
            return reading
        }
        defer { snapshotReading.withLock { $0 = outer } }
        return try mapping(.fetching) { try body(snapshot.file) }
    }

    /// Ends all snapshots if the log has outgrown its limit because of them.
    func boundLog() {
        guard let file else { return }
        boundReadLog(file.engine)
        if snapshots.isEmpty { return }
        let size = file.engine.logSize
        if size <= snapshots.logLimit { return releaseUnusedSnapshots() }
        let living = snapshots.living
        if !living.isEmpty {
            Log.warning(
                "query generations of \(host.url?.path ?? "") have expired: the write-ahead log has \(size) bytes"
            )
        }
        endSnapshots()
    }

    /// Empties a log that grew because it was always being read.
    private func boundReadLog(_ engine: SQLiteEngine) {
        guard snapshots.isEmpty else { return }
        readers.boundLog(size: { engine.logSize }) {
            do {
                try engine.emptyLog()
            } catch {
                Log.warning("the write-ahead log of \(engine.path) can't be emptied: \(error)")
            }
        }
    }

    /// Ends all snapshots: who holds them can't read any more.
    func endSnapshots() {
        for snapshot in snapshots.living { snapshot.end() }
        releaseUnusedSnapshots()
    }

    /// Gives back what snapshots kept, once there are none.
    package func releaseUnusedSnapshots() {
        guard !snapshots.isEmpty, snapshots.living.isEmpty else { return }
        snapshots.clear()
        guard let engine = file?.engine else { return }
        engine.keepsSuperfluousFiles = false
        guard engine.logSize > SQLiteSnapshots.smallLog else { return }
        do {
            try engine.shrinkLog()
        } catch {
            // The log is as good as before, only longer; another connection may be at work on it.
            Log.warning("the write-ahead log of \(engine.path) can't be emptied: \(error)")
        }
    }
}
