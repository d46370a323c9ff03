// The room for a file's pages in memory, and the length of its log, for who writes to it.

import CSQLite
import Foundation

/// Sizes that follow the size of the file that is written to.
///
/// A save whose pages don't fit SQLite's cache writes them to the log and reads them again, each many times where keys are in no
/// order; and a log that is emptied into the file often writes each page often. Ten thousand rows with three indexes in a file
/// of 90 MB wrote 64 MB so, and 19 MB with the sizes here.
package struct WritingRoom: Equatable, Sendable {
    /// The kilobytes of the cache.
    package let cache: Int64
    /// The pages of the log that SQLite empties it at.
    package let logPages: Int64

    /// The kilobytes that every connection begins with, and which one that only reads keeps.
    package static let smallestCache: Int64 = 8_000
    private static let largestCache: Int64 = 128_000
    /// SQLite's own choice.
    private static let smallestLog: Int64 = 1_000
    private static let largestLog: Int64 = 16_000

    /// The sizes for a file: as much as it has, at most 128 MB, and at most a 64th of the memory at hand.
    ///
    /// - Parameters:
    ///   - bytes: the size of the file.
    ///   - memory: the bytes of memory at hand.
    package init(forFile bytes: Int64, memory: Int64 = Self.memory) {
        let bound = max(Self.smallestCache, min(Self.largestCache, memory / 64 / 1024))
        cache = min(bound, max(Self.smallestCache, bytes / 1024))
        let pages = cache == Self.smallestCache ? 0 : cache / 4
        logPages = min(Self.largestLog, max(Self.smallestLog, pages))
    }

    /// The machine's memory, or what the process's group may have of it.
    package static let memory: Int64 = {
        let all = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
        let limit = (try? String(contentsOfFile: "/sys/fs/cgroup/memory.max", encoding: .utf8))
            .flatMap { Int64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        return min(all, limit ?? all)
    }()
}

extension Connection {
    /// Has the sizes of cache and log follow the file's from now on, but for those that the client set.
    package func followFileSize(except pragmas: [String]) {
        let names = pragmas.map { $0.lowercased() }
        fitsCache = !isInMemory && !names.contains("cache_size")
        fitsLog = !isInMemory && !names.contains("wal_autocheckpoint")
        fittedPages = 0
    }

    /// Called for rows that a transaction inserts: it may make an empty file a large one, all in one transaction. Looks at the
    /// file's size every few thousand rows.
    func fitRoom(afterRows count: Int) throws {
        rowsSinceFitting += count
        if rowsSinceFitting >= Self.rowsBetweenFittings { try fitRoom() }
    }

    private static let rowsBetweenFittings = 5_000

    /// Called at the beginning of each transaction that writes.
    func fitRoom() throws {
        rowsSinceFitting = 0
        guard fitsCache || fitsLog else { return }
        let pages = try firstInteger("PRAGMA page_count") ?? 0
        // A file that has grown or shrunk by less gets the same, nearly.
        if pages < fittedPages * 5 / 4, pages > fittedPages / 2 { return }
        fittedPages = pages
        let room = WritingRoom(forFile: pages * 4096)
        if fitsCache { try execute("PRAGMA cache_size = -\(room.cache)") }
        if fitsLog { sqlite3_wal_autocheckpoint(handle, Int32(clamping: room.logPages)) }
    }
}
