// A store that is written beside its place and takes it when it is whole: for replacing, moving, copying and migrating.
//
// The draft lies in a folder of its own, `.NAME.draft-UUID`, which is locked while its process lives (`ScratchFolder`).
// A process that is killed leaves, at the place, what was there or the new store, whole:
//
//   while the draft is written            nothing at the place has changed; the folder is removed later
//   nothing was at the place              companions that lie there without a file go first, since SQLite would take them
//                                         for the new file's; external files come; then `link` gives the file its name
//   an SQLite file is replaced by one     it is not renamed over: others may have it open, or wait for its lock, and would
//                                         go on in a file without a name, whose `-wal` or `-journal` is found beside the new
//                                         one. With nobody else at it, its log is written into it and removed; external files
//                                         come beside the old ones; then all pages are replaced in one transaction of
//                                         SQLite's. Its journal takes a killed one back; then old external files go
//   another file is replaced              `rename`; these have no companions
//
// External files have names that are used once, so that old and new ones don't meet. Those that no row names are
// removed with the draft's folder (StoreLeftovers.swift).

import CoreDataSQLiteEngine
import CoreDataStores
import CoreDataSupport
import Foundation

/// The draft of a store's file.
struct StoreDraft {
    /// The place of the draft.
    let place: MigrationPlace
    private let target: MigrationPlace
    private let folder: ScratchFolder

    /// A draft without a file, which is to be written to `place`.
    init(of target: MigrationPlace) throws {
        var target = target
        target.url = StoreFiles.target(of: target.url)
        self.target = target
        StoreLeftovers.removeDrafts(of: target.url)
        do {
            folder = try ScratchFolder(
                in: target.url.deletingLastPathComponent(), named: Self.prefix(target.url))
        } catch {
            throw StoreFiles.failure(error, "No file can be written beside the store's place.", target.url)
        }
        var draft = target
        draft.url = folder.url.appendingPathComponent(target.url.lastPathComponent)
        place = draft
    }

    /// A draft that holds what the store at another place holds now. That one may be in use.
    init(of target: MigrationPlace, copying source: MigrationPlace) throws {
        try self.init(of: target)
        do {
            try StoreSnapshot(of: source).write(to: place.url)
        } catch {
            discard()
            throw error
        }
    }

    /// - Parameter replacing: whether the draft has no file although there is a store at the place; otherwise it holds what
    ///   that one holds, to be added to.
    init(of target: MigrationPlace, replacing: Bool) throws {
        if replacing || !FileManager.default.fileExists(atPath: target.url.path) {
            try self.init(of: target)
        } else {
            try self.init(of: target, copying: target)
        }
    }

    /// Returns the prefix of the folders of a store's drafts.
    static func prefix(_ url: URL) -> String { ".\(url.lastPathComponent).draft-" }

    func discard() {
        do {
            try folder.remove()
        } catch {
            Log.warning("\(folder.url.path) can't be removed: \(error)")
        }
    }

    /// The file whose place a draft takes.
    enum Replaced {
        case nothing
        case sameType
        case anyType
    }

    /// Puts the draft, whose file is closed, in its place.
    ///
    /// - Parameter replaced: what may be there already. SQLite tells by itself whether a file is of its type.
    func publish(replacing replaced: Replaced) throws {
        do {
            try finishLog()
            try synchronizeFile(place.url)
            if !FileManager.default.fileExists(atPath: target.url.path) {
                try publishNew()
            } else if replaced == .nothing {
                throw StoreFiles.exists(target.url)
            } else if place.type == NSSQLiteStoreType, replaced == .sameType || targetIsSQLite {
                try replaceContents()
            } else {
                try replaceFile()
            }
        } catch let failure as EngineFailure {
            throw ErrorMapping.error(failure, .saving, file: target.url)
        } catch {
            throw StoreFiles.failure(error, "The new store can't be put in its place.", target.url)
        }
        discard()
    }

    /// The draft's last connection may have been unable to write the log into the file, which alone would lack what the
    /// log holds.
    private func finishLog() throws {
        func log() -> FileStamp? {
            ["-wal", "-journal"].lazy.compactMap { FileStamp(path: place.url.path + $0) }.first
        }
        guard place.type == NSSQLiteStoreType, log() != nil else { return }
        do {
            let engine = try SQLiteEngine(path: place.url.path, OpeningOptions(.readWrite))
            defer { engine.close() }
            try engine.emptyLog()
        }
        if log() == nil { return }
        throw EngineFailure(
            .io, message: "The new store's log couldn't be written into its file.", path: target.url.path)
    }

    /// A file without bytes is one of SQLite's too.
    private var targetIsSQLite: Bool {
        FileStamp(target.url) == nil || StoreRegistry.type(ofFileAt: target.url) == NSSQLiteStoreType
    }

    // MARK: Ways

    private func publishNew() throws {
        try removeCompanions()
        try moveExternalFiles {
            try giveName()
            do {
                try synchronizeFile(target.url.deletingLastPathComponent())
            } catch {
                unlink(target.url.path)
                throw error
            }
        }
    }

    private func giveName() throws {
        if link(place.url.path, target.url.path) == 0 { return }
        // File systems without links.
        guard [EPERM, ENOTSUP, EMLINK].contains(errno), rename(place.url.path, target.url.path) == 0 else {
            throw StoreFiles.posixFailure
        }
    }

    /// Takes the files away again that `publish(replacing: .nothing)` has put there and nobody has used since.
    func withdraw() {
        do {
            try StoreFiles(target).withdraw()
        } catch {
            Log.warning("\(target.url.path) can't be removed: \(error)")
        }
    }

    private func removeCompanions() throws {
        guard place.type == NSSQLiteStoreType else { return }
        for path in SQLiteEngine.files(ofStoreAt: target.url.path).dropLast()
        where unlink(path) != 0 && errno != ENOENT { throw StoreFiles.posixFailure }
    }

    private func moveExternalFiles(_ body: () throws -> Void) throws {
        try SQLiteEngine.moveExternalFiles(ofStoreAt: place.url.path, to: target.url.path, body)
    }

    private func replaceContents() throws {
        let engine = try StoreFiles(target).openAlone(pragmas: [
            ("journal_mode", "DELETE"), ("synchronous", "FULL"),
        ])
        defer { engine.close() }
        let draft = try SQLiteEngine(path: place.url.path, OpeningOptions(.readWrite))
        defer { draft.close() }
        try engine.takeContents(of: draft)
    }

    /// An SQLite file that another type replaces must not keep a log, and nobody may be at it.
    private func replaceFile() throws {
        var old: SQLiteEngine?
        if StoreRegistry.type(ofFileAt: target.url) == NSSQLiteStoreType {
            old = try StoreFiles(target).openAlone(pragmas: [("journal_mode", "DELETE")])
        }
        defer { old?.close() }
        try StoreFile.exclusively(target.url) {
            var facts = stat()
            if stat(target.url.path, &facts) == 0 { chmod(place.url.path, facts.st_mode & 0o777) }
            try moveExternalFiles {
                guard rename(place.url.path, target.url.path) == 0 else { throw StoreFiles.posixFailure }
            }
            try synchronizeFile(target.url.deletingLastPathComponent())
        }
    }
}
