// The files beside a store that hold large values: `.<STORE>_SUPPORT/_EXTERNAL_DATA/<UUID>`.

import CoreDataSQL
import CoreDataSupport
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

    /// The names of the files that there are.
    var names: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return Set(names.filter { UUID(uuidString: $0) != nil })
    }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The file's content. Throws if it is missing or can't be read: a row says that there is a value, and that would
    /// be lost without anybody's being told.
    package func read(_ name: String) throws -> Data {
        let path = url(name).path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, number: errno) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path, number: errno) }
        var content = Data(count: Int(status.st_size))
        var count = 0
        while count < content.count {
            let step = content.withUnsafeMutableBytes { bytes in
                Foundation.read(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count)
            }
            if step < 0 && errno == EINTR { continue }
            if step < 0 { throw Self.unreadable(path, number: errno) }
            if step == 0 { throw Self.unreadable(path, number: EIO) }
            count += step
        }
        return content
    }

    private static func unreadable(_ path: String, number: Int32) -> EngineFailure {
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
            try folders.forEach(synchronizeFile)
        } catch {
            remove(name)
            throw failure("The external value can't be written", error: error)
        }
    }

    private func failure(_ sentence: String, error: any Error) -> EngineFailure {
        let underlying = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error) as NSError
        let isOfSystem = underlying.domain == NSPOSIXErrorDomain
        let isFull = isOfSystem && [ENOSPC, EDQUOT].contains(Int32(underlying.code))
        let reason =
            isOfSystem ? String(cString: strerror(Int32(underlying.code))) : underlying.localizedDescription
        return EngineFailure(
            isFull ? .full : .io, message: "\(sentence) to \(folder.path): \(reason).", path: storePath)
    }

    func remove(_ name: String) {
        try? FileManager.default.removeItem(at: url(name))
    }

    // MARK: Whole stores

    /// Indicates whether another file in the store's folder goes by the same name but for its extension: its
    /// external files are in the same folder.
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
                    throw POSIXError.last
                }
            }
            let support = folder.deletingLastPathComponent()
            try [folder, support, support.deletingLastPathComponent()].forEach(synchronizeFile)
        } catch {
            throw failure("The external values can't be moved", error: error)
        }
    }

    /// Removes the folder and the one around it, with all that is in them, unless another store has the same ones.
    func removeFolders() throws {
        let support = folder.deletingLastPathComponent()
        if isShared || !FileManager.default.fileExists(atPath: support.path) { return }
        try FileManager.default.removeItem(at: support)
    }
}
