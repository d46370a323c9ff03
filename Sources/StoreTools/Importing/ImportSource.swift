// The file that an import reads, several times.

public import CoreData

/// A file or folder to import, or standard input (`-`). A source that can be read only once is copied
/// for as long as this lives.
public final class ImportSource {
    /// The location of the source.
    public let url: URL
    private let copy: URL?

    /// Finds out the kind of a file or folder.
    ///
    /// - Throws: `ToolFailure` if there is none, or it is of no kind that can be imported.
    public init(path: String) throws {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else {
            var status = stat()
            guard stat(path, &status) == 0 else {
                throw ToolFailure("The file \(path) can't be read: \(String(cString: strerror(errno))).")
            }
            let kind = status.st_mode & S_IFMT
            guard kind != S_IFREG, kind != S_IFDIR else {
                (url, copy) = (URL(fileURLWithPath: path), nil)
                return
            }
            guard let opened = FileHandle(forReadingAtPath: path) else {
                throw ToolFailure("The file \(path) can't be read.")
            }
            handle = opened
        }
        let copy = FileManager.default.temporaryDirectory.appending(path: "coredata-" + UUID().uuidString)
        (url, self.copy) = (copy, copy)
        try Self.write(handle, to: copy)
    }

    deinit {
        if let copy { try? FileManager.default.removeItem(at: copy) }
    }

    private static func write(_ input: FileHandle, to file: URL) throws {
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw ToolFailure("\(file.path) can't be written.") }
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty {
            try output.write(contentsOf: piece)
        }
    }
}
