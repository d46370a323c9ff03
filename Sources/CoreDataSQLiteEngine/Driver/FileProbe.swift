// Looks at a database file before a connection could change it.

import CoreDataSupport
import Foundation

/// The facts in a file's own bytes. See https://www.sqlite.org/fileformat2.html for the header.
///
///     offset 0   16 bytes  "SQLite format 3\0"
///            16   2        page size; 1 stands for 65536
///            18   2        write and read version: 2 is WAL
///            24   4        file change counter
///            28   4        pages in the database, valid if 92 equals 24
///            92   4        change counter for which 28 is valid
struct FileProbe {
    let path: String
    let exists: Bool
    let size: UInt64
    private let header: [UInt8]

    /// Throws where something other than a file is at the path, or a file that can't be read.
    init(path: String) throws {
        self.path = path
        let file: DatabaseBytes?
        do {
            file = try DatabaseBytes(path: path)
        } catch let failure as EngineFailure where failure.kind == .missing {
            file = nil
        }
        exists = file != nil
        size = UInt64(file?.size ?? 0)
        header = Array(try file?.read(100) ?? Data())
    }

    /// The file that a symbolic link leads to: log, index and external values are beside that one.
    static func target(of path: String) -> String {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK, let target = realpath(path, nil)
        else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// The number of bytes; 0 where there is no file.
    static func size(_ path: String) -> UInt64 {
        var facts = stat()
        return stat(path, &facts) == 0 ? UInt64(max(0, facts.st_size)) : 0
    }

    var hasLog: Bool { Self.size(path + "-wal") > 0 }
    var hasLogFile: Bool { FileManager.default.fileExists(atPath: path + "-wal") }
    var hasSharedIndex: Bool { FileManager.default.fileExists(atPath: path + "-shm") }
    var sharedIndexIsWritable: Bool { access(path + "-shm", W_OK) == 0 }
    var usesLog: Bool { header.count > 19 && header[18] == 2 }

    /// Indicates whether a rollback journal is beside the file that may have to be rolled back: before that
    /// the bytes of the file itself don't count.
    var hasJournal: Bool { Self.hasJournal(path) }

    static func hasJournal(_ path: String) -> Bool {
        let start = try? DatabaseBytes.start(ofFileAt: path + "-journal", count: 8)
        return start == Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    }

    /// Indicates whether a log holds frames: after its own header of 32 bytes, which
    /// begins with one of two marks.
    var logHasFrames: Bool {
        guard let log = try? DatabaseBytes(path: path + "-wal"), log.size > 32,
            let mark = try? log.read(4)
        else { return false }
        return mark == Data([0x37, 0x7F, 0x06, 0x82]) || mark == Data([0x37, 0x7F, 0x06, 0x83])
    }

    private func integer(_ offset: Int, count: Int) -> UInt64 {
        header[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Throws unless there is a file that may be opened in this mode, or a place for a new one.
    func checkAccess(_ mode: Connection.Mode) throws {
        guard exists else { return try checkAbsent(mode) }
        if mode != .readOnly, !FileManager.default.isWritableFile(atPath: path) {
            throw failure(.readOnly, message: "The file may not be written.")
        }
    }

    /// Throws unless the file's own bytes are those of a database, or there are none where one is to be made.
    func checkContents(_ mode: Connection.Mode) throws {
        if size == 0 && mode == .create { return }
        if size == 0 { throw failure(.truncated, message: "The file has no bytes.") }
        guard header.starts(with: Array("SQLite format 3\0".utf8).prefix(header.count)) else {
            throw failure(.notADatabase, message: ForeignFile.reason(header, size: size))
        }
        if header.count < 100 { throw failure(.truncated, message: "The file ends inside its header.") }
        if let reason = ForeignFile.reason(behindPlainStart: header, size: size) {
            throw failure(.notADatabase, message: reason)
        }
        try checkSize()
    }

    private func checkAbsent(_ mode: Connection.Mode) throws {
        guard mode == .create else {
            throw failure(.missing, message: "There is no file at the store's path.")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue
        else { throw failure(.noFolder, message: "The store's folder \(folder) doesn't exist.") }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw failure(.permission, message: "The store's folder \(folder) may not be written.")
        }
    }

    /// A log may hold the pages that the file lacks, so that only a file without one can be judged.
    private func checkSize() throws {
        let page = integer(16, count: 2) == 1 ? 65536 : integer(16, count: 2)
        let pages = integer(28, count: 4)
        guard !hasLog, !hasJournal, integer(24, count: 4) == integer(92, count: 4), pages > 0 else { return }
        if pages * page > size {
            throw failure(
                .truncated,
                message: "The file has \(size) bytes of the \(pages * page) that its header states.")
        }
    }

    private func failure(_ kind: EngineFailure.Kind, message: String) -> EngineFailure {
        EngineFailure(kind, message: message, path: path)
    }
}
