// The output of a command: standard output or a file, in large pieces.

public import CoreData

/// A sink for text.
public final class Output {
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private let unfinished: URL?
    private let target: URL?

    /// Standard output.
    public init() {
        handle = .standardOutput
        unfinished = nil
        target = nil
    }

    /// A file that appears under its name once it is finished.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - replacing: whether it may take the place of one that is there.
    /// - Throws: `ToolFailure` if something is there already, and isn't to be replaced; the system's error if
    ///   it can't be made.
    public init(newFile url: URL, replacing: Bool = false) throws {
        if !replacing, FileManager.default.fileExists(atPath: url.path) {
            throw ToolFailure("There is a file at \(url.path) already; --force replaces it.")
        }
        let draft = url.deletingLastPathComponent().appendingPathComponent(
            ".\(url.lastPathComponent).\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: draft.path, contents: nil),
            let handle = FileHandle(forWritingAtPath: draft.path)
        else { throw ToolFailure("\(url.path) can't be written: its folder is missing or read-only.") }
        self.handle = handle
        unfinished = draft
        target = url
    }

    deinit {
        if let unfinished { try? FileManager.default.removeItem(at: unfinished) }
    }

    /// Writes a text.
    ///
    /// - Throws: the system's error.
    public func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= 1 << 16 { try flush() }
    }

    /// Writes a text and a line feed.
    ///
    /// - Throws: the system's error.
    public func writeLine(_ text: String = "") throws {
        buffer.append(contentsOf: text.utf8)
        try write("\n")
    }

    /// Writes bytes of UTF-8.
    func write(bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 16 { try flush() }
    }

    private func flush() throws {
        try handle.write(contentsOf: Data(buffer))
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes out what is left; a file gets its name.
    ///
    /// - Throws: the system's error.
    public func finish() throws {
        try flush()
        guard let unfinished, let target else { return }
        try handle.close()
        guard rename(unfinished.path, target.path) == 0 else {
            throw ToolFailure("\(target.path) can't be written: \(String(cString: strerror(errno))).")
        }
    }
}

/// The facts about the terminal.
public enum Terminal {
    /// Indicates whether standard output is a terminal.
    public static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Indicates whether standard input is a terminal.
    public static var isInput: Bool { isatty(STDIN_FILENO) == 1 }
    /// Indicates whether standard error is a terminal.
    public static var isError: Bool { isatty(STDERR_FILENO) == 1 }

    /// Columns, if output goes to a terminal.
    public static var width: Int? {
        guard isOutput else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// Says on standard error how far a long work is, if that is a terminal.
public final class Progress {
    private let label: String
    private let total: Int?
    private var done = 0
    private var shown = ContinuousClock.now
    private let isShown = Terminal.isError

    /// A line of progress on standard error, if that is a terminal.
    ///
    /// - Parameters:
    ///   - label: what is being done.
    ///   - total: how many steps there are; nil if nobody knows.
    public init(_ label: String, total: Int?) {
        self.label = label
        self.total = total
    }

    /// Counts a step.
    public func step() {
        done += 1
        guard isShown, done % 256 == 0, shown.duration(to: .now) > .milliseconds(200) else { return }
        shown = .now
        FileHandle.standardError.write(Data("\r\(label): \(done)\(total.map { " of \($0)" } ?? "")".utf8))
    }

    /// Ends the line.
    public func finish() {
        guard isShown, done >= 256 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
