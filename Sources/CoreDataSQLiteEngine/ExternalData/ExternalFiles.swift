// The files beside a store that hold large values: `.<STORE>_SUPPORT/_EXTERNAL_DATA/<UUID>`.

import CoreDataSQL
import CoreDataSupport
import Foundation

/// The folder of a store's external values.
struct ExternalFiles: Sendable {
    let folder: URL
    let storePath: String

    init(storePath: String) {
        let store = URL(fileURLWithPath: storePath)
        folder = store.deletingLastPathComponent()
            .appendingPathComponent(ExternalValue.folder(forStore: store.lastPathComponent))
        self.storePath = storePath
    }

    /// The names of the files that there are.
    var names: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return Set(names.filter { UUID(uuidString: $0) != nil })
    }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The file's content; `nil` if it is missing or can't be read.
    ///
    /// A missing file reads as nil and doesn't make the fetch fail: the other values of the row are sound, and
    /// who copied a store without its support folder can still get at them.
    func read(_ name: String) -> Data? {
        try? Data(contentsOf: url(name))
    }

    /// Writes a new file and makes sure that it is on the disk before a row may refer to it.
    func write(_ data: Data, to name: String) throws {
        let isFirst = !FileManager.default.fileExists(atPath: folder.path)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            guard FileManager.default.createFile(atPath: url(name).path, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
            let file = try FileHandle(forWritingTo: url(name))
            defer { try? file.close() }
            try file.write(contentsOf: data)
            try file.synchronize()
            let support = folder.deletingLastPathComponent()
            let folders = isFirst ? [folder, support, support.deletingLastPathComponent()] : [folder]
            try folders.forEach(synchronizeFile)
        } catch {
            remove(name)
            throw EngineFailure(
                .io, message: "The external value can't be written to \(folder.path): \(Self.reason(error)).",
                path: storePath)
        }
    }

    private static func reason(_ error: any Error) -> String {
        let underlying = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error) as NSError
        guard underlying.domain == NSPOSIXErrorDomain else { return underlying.localizedDescription }
        return String(cString: strerror(Int32(underlying.code)))
    }

    func remove(_ name: String) {
        try? FileManager.default.removeItem(at: url(name))
    }

    // MARK: Whole stores

    /// Whether another file in the store's folder goes by the same name but for its extension: its external files are in
    /// the same folder.
    var isShared: Bool {
        let store = URL(fileURLWithPath: storePath)
        let (parent, name) = (store.deletingLastPathComponent(), store.lastPathComponent)
        let own = ["", "-wal", "-shm", "-journal"].map { name + $0 }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        return names.contains { other in
            guard !own.contains(other),
                ExternalValue.folder(forStore: other) == ExternalValue.folder(forStore: name)
            else { return false }
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: parent.appendingPathComponent(other).path)
            return attributes?[.type] as? FileAttributeType != .typeDirectory
        }
    }

    /// Moves files of another store here, and waits until that is on the disk.
    func take(_ names: Set<String>, from other: ExternalFiles) throws {
        if names.isEmpty { return }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for name in names {
                guard rename(other.url(name).path, url(name).path) == 0 else {
                    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
                }
            }
            let support = folder.deletingLastPathComponent()
            try [folder, support, support.deletingLastPathComponent()].forEach(synchronizeFile)
        } catch {
            throw EngineFailure(
                .io, message: "The external values can't be moved to \(folder.path): \(Self.reason(error)).",
                path: storePath)
        }
    }

    /// Removes the folder and the one around it, with all that is in them, unless another store has the same ones.
    func removeFolders() throws {
        let support = folder.deletingLastPathComponent()
        if isShared || !FileManager.default.fileExists(atPath: support.path) { return }
        try FileManager.default.removeItem(at: support)
    }
}
