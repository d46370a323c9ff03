// The files that killed processes leave beside a store, told from those that living ones work on.
//
//   .NAME.draft-UUID             a draft's folder; its maker holds a lock on it (ScratchFolder)
//   .NAME.UUID                   a file that was to replace an XML or binary store: written with the folder locked
//   NAME-journal                 a journal that was ended and not yet removed: SQLite keeps it while the file is its own
//   .NAME_SUPPORT/…/UUID         an external file that no row names: files are written in a transaction that keeps
//                                other writers out, and rows that are gone are read with the file open
//   copy-UUID.sqlite, .copy-…    copies of earlier versions of this library, which had no lock: a day old
//   .migration-PID-UUID          drafts of those, the same

import CoreDataSupport
package import Foundation

/// The leftovers of one store.
package enum StoreLeftovers {
    /// Seconds after which a file without a lock counts as abandoned: written and renamed at once; copied for long.
    private static let age = (short: 60.0, long: 86_400.0)

    // MARK: When a store is opened

    static func removeDrafts(of url: URL) { remove(drafts(of: url)) }

    /// The folders of drafts whose makers are dead.
    static func drafts(of url: URL) -> [URL] {
        ScratchFolder.abandoned(in: url.deletingLastPathComponent(), named: StoreDraft.prefix(url))
    }

    /// Called before an XML or binary store is opened for writing.
    static func removeTemporaryFiles(of url: URL) {
        StoreFile.ifUnlocked(url) { remove(temporaryFiles(of: url)) }
    }

    private static func temporaryFiles(of url: URL) -> [URL] {
        siblings(of: url) { name in
            let prefix = ".\(url.lastPathComponent)."
            return name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
        }.filter { FileStamp.age(of: $0) > age.short }
    }

    static func remove(_ urls: [URL]) {
        for url in urls {
            do {
                try FileManager.default.removeItem(at: url)
            } catch {
                Log.warning("\(url.path), which a killed process left, can't be removed: \(error)")
            }
        }
    }

    // MARK: When somebody asks

    /// All leftovers beside a store's file, of whichever kind it is. Throws `.busy` if the store has external files and somebody
    /// has it open.
    package static func all(of files: [any StoreFiles], at url: URL, removing: Bool) throws -> [URL] {
        var found = drafts(of: url) + formerCopies(beside: url)
        StoreFile.ifUnlocked(url) {
            let temporary = temporaryFiles(of: url)
            if removing { remove(temporary) }
            found += temporary
        }
        for files in files { found += try files.unusedFiles(removing: removing) }
        if removing { remove(found.filter { FileManager.default.fileExists(atPath: $0.path) }) }
        return found
    }

    /// Files that earlier versions of this library made when stores were replaced or migrated.
    private static func formerCopies(beside url: URL) -> [URL] {
        siblings(of: url) { name in
            isCopy(name) || isFormerDraft(name)
        }.filter { FileStamp.age(of: $0) > age.long }
    }

    private static func isCopy(_ name: String) -> Bool {
        guard let start = [".copy-", "copy-"].first(where: name.hasPrefix) else { return false }
        let rest = name.dropFirst(start.count)
        let ends =
            start == "copy-" ? ["", "-wal", "-shm", "-journal"].map { ".sqlite" + $0 } : ["_SUPPORT"]
        return UUID(uuidString: String(rest.prefix(36))) != nil && ends.contains(String(rest.dropFirst(36)))
    }

    private static func isFormerDraft(_ name: String) -> Bool {
        guard let start = ["..migration-", ".migration-"].first(where: name.hasPrefix) else { return false }
        let parts = name.dropFirst(start.count).split(separator: "-", maxSplits: 1)
        return parts.count == 2 && Int32(parts[0]) != nil
            && UUID(uuidString: String(parts[1].prefix(36))) != nil
    }

    private static func siblings(of url: URL, _ isWanted: (String) -> Bool) -> [URL] {
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(isWanted).sorted().map { folder.appendingPathComponent($0) }
    }
}
