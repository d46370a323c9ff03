// The one way to read bytes of a file that may be a store: through SQLite's file layer.
//
// When a process closes any descriptor of a file, POSIX drops all locks that the process holds on that file, whichever
// path led to it (sqlite.org/howtocorrupt.html, 2.2). An open store would lose its locks without notice, and another
// process could then delete its log. SQLite's file layer knows by device and inode which files are locked in this
// process, and keeps a descriptor until the last lock is gone.

import CSQLite
package import Foundation

/// A file that is open for reading beside whatever connections there are to it.
package final class DatabaseBytes {
    private let file: UnsafeMutableRawPointer
    private let name: sqlite3_filename
    private let path: String
    /// The number of bytes when the file was opened.
    package let size: Int64

    /// Opens a file.
    ///
    /// Throws an `EngineFailure`: `.missing`, `.permission`, `.notADatabase` for a folder or a device, `.io`.
    package init(path: String) throws {
        try Self.checkIsRegular(path)
        guard let layer = sqlite3_vfs_find(nil), let open = layer.pointee.xOpen,
            let name = sqlite3_create_filename(path, "", "", 0, nil)
        else { throw EngineFailure(.other, message: "SQLite has no file layer.", path: path) }
        self.path = path
        self.name = name
        let length = Int(layer.pointee.szOsFile)
        file = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
        memset(file, 0, length)
        let handle = file.assumingMemoryBound(to: sqlite3_file.self)
        var code = open(layer, name, handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nil)
        var length64: Int64 = 0
        if code == SQLITE_OK {
            code = handle.pointee.pMethods?.pointee.xFileSize?(handle, &length64) ?? SQLITE_IOERR
        }
        size = length64
        // Everything is set, so that the destruction closes what is open.
        if code != SQLITE_OK { throw Self.failure(errno, path: path) }
    }

    deinit {
        _ = methods?.xClose?(handle)
        file.deallocate()
        sqlite3_free_filename(name)
    }

    private var handle: UnsafeMutablePointer<sqlite3_file> {
        file.assumingMemoryBound(to: sqlite3_file.self)
    }

    private var methods: sqlite3_io_methods? { handle.pointee.pMethods?.pointee }

    /// Up to `count` bytes from an offset; fewer where the file ends.
    package func read(_ count: Int, at offset: Int64 = 0) throws -> Data {
        let count = Int(min(Int64(count), max(0, size - offset)))
        if count == 0 { return Data() }
        var data = Data(count: count)
        let code = data.withUnsafeMutableBytes { bytes in
            methods?.xRead?(handle, bytes.baseAddress, Int32(clamping: count), offset) ?? SQLITE_IOERR
        }
        // The rest of a file that became shorter meanwhile reads as zeros.
        let isShort = code == SQLITE_IOERR | 2 << 8
        guard code == SQLITE_OK || isShort else { throw Self.failure(errno, path: path) }
        return data
    }

    /// Hands over all bytes, a part at a time.
    package func forEachPart(_ body: (Data) throws -> Void) throws {
        let length = 1 << 20
        var offset: Int64 = 0
        while offset < size {
            let part = try read(length, at: offset)
            try body(part)
            offset += Int64(part.count)
        }
    }

    /// All bytes of a file.
    package static func contents(ofFileAt path: String) throws -> Data {
        let file = try DatabaseBytes(path: path)
        var data = Data(capacity: Int(file.size))
        try file.forEachPart { data += $0 }
        return data
    }

    /// The first bytes of a file; fewer where it is shorter.
    package static func start(ofFileAt path: String, count: Int) throws -> Data {
        try DatabaseBytes(path: path).read(count)
    }

    /// Writes the bytes of a file to another one, which must not exist.
    static func copy(_ path: String, to target: String) throws {
        let file = try DatabaseBytes(path: path)
        guard
            FileManager.default.createFile(
                atPath: target, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw failure(errno, path: target) }
        let copy = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
        defer { try? copy.close() }
        try file.forEachPart { try copy.write(contentsOf: $0) }
    }

    /// A folder or a device is no store, and opening a pipe would wait for its writer.
    private static func checkIsRegular(_ path: String) throws {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw failure(errno, path: path) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw EngineFailure(
                .notADatabase, message: "There is a folder or a device at the store's path.", path: path)
        }
    }

    /// The failure that an error number of the system stands for.
    static func failure(_ number: Int32, path: String) -> EngineFailure {
        let kind: EngineFailure.Kind =
            switch number {
            case ENOENT, ENOTDIR: .missing
            case EACCES, EPERM: .permission
            default: .io
            }
        return EngineFailure(
            kind, message: "The file can't be read: \(String(cString: strerror(number))).", path: path)
    }
}
