// A store that is written under another name and takes its place when it is whole.

import CoreDataSQLiteEngine
import Foundation

/// The draft of a store's file. Killed at any moment, the process leaves at the place what was there or the new store,
/// whole; drafts that dead processes left go with the next migration in the folder.
struct StoreDraft {
    /// Where the draft is.
    let place: MigrationPlace
    private let target: MigrationPlace

    /// - Parameter replacing: whether the draft starts empty although there is a store at the place; otherwise the
    ///   store's copy is added to.
    init(of target: MigrationPlace, replacing: Bool) throws {
        self.target = target
        let folder = target.url.deletingLastPathComponent()
        Self.removeLeftOvers(in: folder)
        var draft = target
        draft.url = folder.appendingPathComponent(
            "\(Self.prefix)\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
        place = draft
        guard !replacing, FileManager.default.fileExists(atPath: target.url.path) else { return }
        let copy = try StoreFiles(url: target.url, options: target.options).copy(
            type: target.type, beside: draft.url)
        do {
            try copy.move(to: draft.url)
        } catch {
            copy.remove()
            throw error
        }
    }

    private static let prefix = ".migration-"

    func discard() {
        StoreFiles(url: place.url, options: nil).remove()
    }

    /// Puts the draft in its place.
    func publish() throws {
        do {
            for path in SQLiteEngine.files(ofStoreAt: place.url.path).dropLast()
            where FileManager.default.fileExists(atPath: path) {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
            }
            let old = try lockedOldStore()
            defer { old?.close() }
            let files = try moveExternalFiles()
            guard rename(place.url.path, target.url.path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            removeExternalFiles(except: files)
        } catch {
            throw MappingFailure.store(
                NSMigrationManagerDestinationStoreError,
                "The migration failed: the new store can't be put in its place.", target.url, error)
        }
    }

    /// The SQLite store that is to be replaced, without a log that would be taken for the new file's, and with nobody
    /// else at it.
    private func lockedOldStore() throws -> SQLiteEngine? {
        guard FileManager.default.fileExists(atPath: target.url.path),
            StoreRegistry.type(ofFileAt: target.url) == NSSQLiteStoreType
        else { return nil }
        do {
            let settings = SQLiteStoreOptions(target.options)
            let engine = try SQLiteEngine(path: target.url.path, settings.opening(.create))
            do {
                try engine.endLog()
                return engine
            } catch {
                engine.close()
                throw error
            }
        } catch {
            throw ErrorMapping.error(error, .saving, file: target.url)
        }
    }

    // MARK: External values

    private var draftFolder: URL { Self.externalFolder(place.url) }
    private var targetFolder: URL { Self.externalFolder(target.url) }

    private static func externalFolder(_ url: URL) -> URL {
        SQLiteEngine.supportFolder(ofStoreAt: url.path).appendingPathComponent("_EXTERNAL_DATA")
    }

    /// Moves the draft's external values beside those of the old store. Their names are unique.
    private func moveExternalFiles() throws -> Set<String> {
        let files = FileManager.default
        guard let names = try? files.contentsOfDirectory(atPath: draftFolder.path) else { return [] }
        try files.createDirectory(at: targetFolder, withIntermediateDirectories: true)
        for name in names {
            let (from, to) = (
                draftFolder.appendingPathComponent(name), targetFolder.appendingPathComponent(name)
            )
            if files.fileExists(atPath: to.path) { continue }
            try files.moveItem(at: from, to: to)
        }
        try? files.removeItem(at: SQLiteEngine.supportFolder(ofStoreAt: place.url.path))
        return Set(names)
    }

    private func removeExternalFiles(except kept: Set<String>) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: targetFolder.path)) ?? []
        where !kept.contains(name) {
            try? files.removeItem(at: targetFolder.appendingPathComponent(name))
        }
    }

    // MARK: Left-overs

    private static func removeLeftOvers(in folder: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(prefix) || name.hasPrefix("." + prefix) {
            let number = name.drop { $0 == "." }.dropFirst(prefix.count - 1).prefix { $0 != "-" }
            guard let process = Int32(number), process > 0, kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }
}
