// Looks at a database file without SQLite, before anything could change it.

import Foundation

/// What a file's own bytes say. See https://www.sqlite.org/fileformat2.html for the header.
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
    let isDirectory: Bool
    let size: UInt64
    private let header: [UInt8]

    init(path: String) throws {
        self.path = path
        var isDirectory: ObjCBool = false
        exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        self.isDirectory = isDirectory.boolValue
        guard exists, !self.isDirectory else {
            (size, header) = (0, [])
            return
        }
        size = Self.size(path)
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            header = Array(try file.read(upToCount: 100) ?? Data())
        } catch {
            throw EngineFailure(.permission, message: "The file can't be read: \(error).", path: path)
        }
    }

    /// The file that a symbolic link leads to: log, index and external values are beside that one.
    static func target(of path: String) -> String {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK, let target = realpath(path, nil)
        else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    static func size(_ path: String) -> UInt64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    }

    var hasLog: Bool { Self.size(path + "-wal") > 0 }
    var hasLogFile: Bool { FileManager.default.fileExists(atPath: path + "-wal") }
    var hasJournal: Bool { Self.size(path + "-journal") > 0 }
    var hasSharedIndex: Bool { FileManager.default.fileExists(atPath: path + "-shm") }
    var usesLog: Bool { header.count > 19 && header[18] == 2 }

    private func integer(_ offset: Int, _ count: Int) -> UInt64 {
        header[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Throws unless the file may be opened in this mode.
    func check(_ mode: Connection.Mode) throws {
        if isDirectory { throw failure(.notADatabase, "A folder is at the store's path.") }
        guard exists else { return try checkAbsent(mode) }
        if mode != .readOnly, !FileManager.default.isWritableFile(atPath: path) {
            throw failure(.readOnly, "The file may not be written.")
        }
        if size == 0 && mode == .create { return }
        if size == 0 { throw failure(.truncated, "The file has no bytes.") }
        guard header.starts(with: Array("SQLite format 3\0".utf8).prefix(header.count)) else {
            throw failure(.notADatabase, "The file doesn't start like an SQLite database.")
        }
        if header.count < 100 { throw failure(.truncated, "The file ends inside its header.") }
        try checkSize()
    }

    private func checkAbsent(_ mode: Connection.Mode) throws {
        guard mode == .create else { throw failure(.missing, "There is no file at the store's path.") }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue
        else { throw failure(.missing, "The store's folder \(folder) doesn't exist.") }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw failure(.permission, "The store's folder \(folder) may not be written.")
        }
    }

    /// A log may hold the pages that the file lacks, so that only a file without one can be judged.
    private func checkSize() throws {
        let page = integer(16, 2) == 1 ? 65536 : integer(16, 2)
        let pages = integer(28, 4)
        guard !hasLog, !hasJournal, integer(24, 4) == integer(92, 4), pages > 0 else { return }
        if pages * page > size {
            throw failure(
                .truncated, "The file has \(size) bytes of the \(pages * page) that its header states.")
        }
    }

    private func failure(_ kind: EngineFailure.Kind, _ message: String) -> EngineFailure {
        EngineFailure(kind, message: message, path: path)
    }
}
