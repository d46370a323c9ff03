// A store to look at that nobody else sees.

public import CoreData

/// A copy of a store's file and its `-wal` in a folder of its own. The originals stay as they are, byte for byte.
public final class PrivateCopy: Sendable {
    private let folder: URL
    /// The copied store.
    public let store: URL

    public init(of original: URL) throws {
        // A copy of a symbolic link would be the original.
        let original = original.resolvingSymlinksInPath()
        folder = FileManager.default.temporaryDirectory.appending(path: "coredata-" + UUID().uuidString)
        store = folder.appending(path: original.lastPathComponent)
        // Others may not read what the original's owner keeps from them.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(at: original, to: store)
        let log = URL(fileURLWithPath: original.path + "-wal")
        if FileManager.default.fileExists(atPath: log.path) {
            try FileManager.default.copyItem(at: log, to: URL(fileURLWithPath: store.path + "-wal"))
        }
        let external = ".\(original.deletingPathExtension().lastPathComponent)_SUPPORT"
        let support = original.deletingLastPathComponent().appending(path: external)
        if FileManager.default.fileExists(atPath: support.path) {
            try FileManager.default.copyItem(at: support, to: folder.appending(path: external))
        }
    }

    /// Deletes the copy.
    public func remove() throws {
        try FileManager.default.removeItem(at: folder)
    }
}
