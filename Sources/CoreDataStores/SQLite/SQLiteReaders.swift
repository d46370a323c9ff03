// Connections that read a store's file beside the one that writes.

import CoreDataSQLiteEngine
import CoreDataSupport
import Foundation
import Synchronization

/// The reading connections of a store that aren't at work. Any thread may take one.
package final class SQLiteReaders: Sendable {
    /// The number of readers that stay open for the next read: as many as threads are likely to read at once.
    private static let idleLimit = 8
    /// Bytes that the log may grow by before reads take turns with saves, so that it can be emptied: a log that is
    /// always being read can't start over.
    private static let logLimit: UInt64 = 64 << 20

    private struct State {
        /// The file that saves go to; `nil` while the store isn't open, or can't be read beside a save.
        var file: UncheckedReference<SQLiteFile>?
        /// Another number whenever the file is another one.
        var generation = 0
        var idle: [UncheckedReference<SQLiteFile>] = []
        var isPaused = false
        /// Indicates whether there were reads beside saves since the log was last looked after, and
        /// the size for the next time.
        var wereUsed = false
        var logLimit = SQLiteReaders.logLimit
    }

    private let state = Mutex(State())

    package init() {}

    /// Makes the readers those of a file; of none for `nil`. Readers at work go on and are closed when they are done.
    package func open(_ file: SQLiteFile?) {
        let new = file.map { UncheckedReference($0) }
        let old = state.withLock { state in
            defer {
                state.idle = []
                state.generation += 1
                state.file = new
                state.isPaused = false
                state.logLimit = Self.logLimit
            }
            return state.idle
        }
        for reader in old { reader.value.engine.close() }
    }

    /// A reader for one thread, until it is given back; `nil` if the store can't be read so at the moment.
    package func take() throws -> (file: SQLiteFile, generation: Int)? {
        let found = state.withLock { state -> (UncheckedReference<SQLiteFile>, Int, isNew: Bool)? in
            if state.isPaused { return nil }
            state.wereUsed = true
            if let idle = state.idle.popLast() { return (idle, state.generation, false) }
            return state.file.map { ($0, state.generation, true) }
        }
        guard let (reference, generation, isNew) = found else { return nil }
        let file = reference.value
        if !isNew { return (file, generation) }
        let reader = SQLiteFile(
            engine: try file.engine.reader(), model: file.model, layout: file.layout, host: file.host)
        return (reader, generation)
    }

    package func giveBack(_ file: SQLiteFile, generation: Int) {
        let reader = UncheckedReference(file)
        let isKept = state.withLock { state in
            guard state.generation == generation, state.idle.count < Self.idleLimit else { return false }
            state.idle.append(reader)
            return true
        }
        if !isKept { file.engine.close() }
    }

    /// Has a log that has become too large because of reads emptied, while nobody reads.
    package func boundLog(size: () -> UInt64, empty: () -> Void) {
        guard let limit = state.withLock({ $0.wereUsed ? $0.logLimit : nil }), size() > limit else { return }
        state.withLock { $0.isPaused = true }
        empty()
        let rest = size()
        state.withLock { state in
            (state.isPaused, state.wereUsed) = (false, false)
            // Another process may keep the log as it is: then it isn't tried at every save.
            state.logLimit = rest + Self.logLimit
        }
    }
}
