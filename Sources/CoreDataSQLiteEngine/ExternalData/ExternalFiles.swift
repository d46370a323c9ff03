// The files beside a store that hold large values: `.<STORE>_SUPPORT/_EXTERNAL_DATA/<UUID>`.

import CoreDataSQL
package import Foundation

/// The folder of a store's external values.
package struct ExternalFiles: Sendable {
    package let folder: URL
    let storePath: String

    init(storePath: String) {
        let store = URL(fileURLWithPath: storePath)
        folder = store.deletingLastPathComponent()
            .appendingPathComponent(ExternalValue.folder(forStore: store.lastPathComponent))
        self.storePath = storePath
    }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The file's content. Throws if it is missing or can't be read: a row says that there is a value, and that would
    /// be lost without anybody's being told.
    package func read(_ name: String) throws -> Data {
        let path = url(name).path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path, errno) }
        var content = Data(count: Int(status.st_size))
        var count = 0
        while count < content.count {
            let step = content.withUnsafeMutableBytes { bytes in
                Foundation.read(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count)
            }
            if step < 0 && errno == EINTR { continue }
            if step < 0 { throw Self.unreadable(path, errno) }
            if step == 0 { throw Self.unreadable(path, EIO) }
            count += step
        }
        return content
    }

    private static func unreadable(_ path: String, _ number: Int32) -> EngineFailure {
        EngineFailure(
            .external(number),
            message: "The file of an external value can't be read: \(String(cString: strerror(number))).",
            path: path)
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
