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
import CoreDataSupport
package import Foundation

/// The draft of a store's file.
package struct StoreDraft {
    /// The files of the draft.
    private let files: any StoreFiles
    /// Those whose place it takes.
    private let target: any StoreFiles
    private let folder: ScratchFolder

    /// The file of the draft.
    package var url: URL { files.location.url }

    /// A draft without a file, which is to be written to `url`.
    ///
    /// - Parameter target: the files whose place it is to take.
    package init(of target: any StoreFiles) throws {
        self.target = target
        let place = target.location.url
        StoreLeftovers.removeDrafts(of: place)
        do {
            folder = try ScratchFolder(in: place.deletingLastPathComponent(), named: Self.prefix(place))
        } catch {
            throw StoreFileError.error(
                error, sentence: "No file can be written beside the store's place.", url: place)
        }
        files = type(of: target).init(
            at: target.location.moved(to: folder.url.appendingPathComponent(place.lastPathComponent)))
    }

    /// A draft that holds what the store at another place holds now. That one may be in use.
    package init(of target: any StoreFiles, copying source: any StoreFiles) throws {
        try self.init(of: target)
        do {
            try source.copy(to: url)
        } catch {
            discard()
            let place = source.location.url
            throw ErrorMapping.error(
                StoreFileError.error(error, sentence: "The store can't be copied.", url: place),
                occasion: .opening, file: place)
        }
    }

    /// - Parameter replacing: whether the draft has no file although there is a store at the place; otherwise it holds what
    ///   that one holds, to be added to.
    package init(of target: any StoreFiles, replacing: Bool) throws {
        if try !replacing && Self.holdsStore(target) {
            try self.init(of: target, copying: target)
        } else {
            try self.init(of: target)
        }
    }

    private static func holdsStore(_ files: any StoreFiles) throws -> Bool {
        do {
            return try files.holdsStore()
        } catch {
            throw ErrorMapping.error(error, occasion: .opening, file: files.location.url)
        }
    }

    /// Returns the prefix of the folders of a store's drafts.
    static func prefix(_ url: URL) -> String { ".\(url.lastPathComponent).draft-" }

    package func discard() {
        do {
            try folder.remove()
        } catch {
            Log.warning("\(folder.url.path) can't be removed: \(error)")
        }
    }

    /// The file whose place a draft takes.
    package enum Replaced {
        case nothing
        case sameType
        case anyType
    }

    /// Puts the draft, whose file is closed, in its place.
    ///
    /// - Parameters:
    ///   - replaced: what may be there already.
    ///   - kind: tells the kind of the file at a URL; `nil` if it is none that is known.
    package func publish(
        replacing replaced: Replaced, kind: (URL) -> (any StoreFiles.Type)? = { _ in nil }
    ) throws {
        let place = target.location.url
        do {
            try files.finish()
            try synchronizeFile(url)
            if !FileManager.default.fileExists(atPath: place.path) {
                try publishNew()
            } else if replaced == .nothing {
                throw StoreFileError.exists(place)
            } else {
                try publish(over: kind(place), isSame: replaced == .sameType)
            }
        } catch let failure as EngineFailure {
            throw ErrorMapping.error(failure, occasion: .saving, file: place)
        } catch {
            throw StoreFileError.error(
                error, sentence: "The new store can't be put in its place.", url: place)
        }
        discard()
    }

    // MARK: Ways

    private func publishNew() throws {
        let place = target.location.url
        try target.clearPlace()
        try files.moveCompanions(to: place) {
            try giveName()
            do {
                try synchronizeFile(place.deletingLastPathComponent())
            } catch {
                unlink(place.path)
                throw error
            }
        }
    }

    private func giveName() throws {
        let place = target.location.url
        if link(url.path, place.path) == 0 { return }
        // File systems without links.
        guard [EPERM, ENOTSUP, EMLINK].contains(errno), rename(url.path, place.path) == 0 else {
            throw POSIXError.last
        }
    }

    /// Takes the files away again that `publish(replacing: .nothing)` has put there and nobody has used since.
    package func withdraw() {
        do {
            try target.withdraw()
        } catch {
            Log.warning("\(target.location.url.path) can't be removed: \(error)")
        }
    }

    /// - Parameter kind: that of the file that is there; `nil` if it isn't known. A file without bytes is of every kind.
    private func publish(over kind: (any StoreFiles.Type)?, isSame: Bool) throws {
        let isOurs =
            isSame || FileStamp(target.location.url) == nil || kind == type(of: target)
        if isOurs, try target.takeContents(of: url) { return }
        if let kind, kind != type(of: target) {
            try kind.init(at: target.location).giveWay(replaceFile)
        } else {
            try replaceFile()
        }
    }

    private func replaceFile() throws {
        let place = target.location.url
        try StoreFile.exclusively(place) {
            var facts = stat()
            if stat(place.path, &facts) == 0 { chmod(url.path, facts.st_mode & 0o777) }
            try files.moveCompanions(to: place) {
                guard rename(url.path, place.path) == 0 else { throw POSIXError.last }
            }
            try synchronizeFile(place.deletingLastPathComponent())
        }
    }
}
