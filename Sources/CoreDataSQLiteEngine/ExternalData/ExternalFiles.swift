// The files beside a store that hold large values: `.<STORE>_SUPPORT/_EXTERNAL_DATA/<UUID>`.

import CoreDataSQL
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
            try folders.forEach(synchronize)
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

    /// A new file's name is on the disk only once its folder is.
    private func synchronize(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
