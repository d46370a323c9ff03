// Runs the built command as a person would, on copies of real stores.

import Foundation

/// The result of a run of the command.
struct CommandLineRun {
    let status: Int32
    let output: String
    let errors: String

    /// The built executable: it lies beside the tests.
    static let executable: URL = {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("coredata")
    }()

    /// Runs `coredata` with these arguments, without a terminal, and waits for its end.
    init(_ arguments: String...) throws { try self.init(arguments: arguments) }

    /// - Parameter input: a file that is standard input; none else.
    init(arguments: [String], input: String? = nil) throws {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.standardInput = input.flatMap(FileHandle.init(forReadingAtPath:)) ?? FileHandle.nullDevice
        // Files, because a full pipe would stop the command.
        let (output, errors) = (folder.file("output"), folder.file("errors"))
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        self.output = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        self.errors = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    }

    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A fresh folder, removed when the value is released.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "coredata-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// A copy of one of the real stores with its `-wal`; its path.
    func copy(_ store: String) throws -> String {
        let source = try SharedFiles.path(store)
        let target = file((store as NSString).lastPathComponent).path
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: source + suffix) {
            try FileManager.default.copyItem(atPath: source + suffix, toPath: target + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target + suffix)
        }
        return target
    }

    /// Names and contents of all files.
    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: file($0))) })
    }
}

/// Real models and stores, `shared/data` beside the checkout; they may be absent.
enum SharedFiles {
    static let root: String? = {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("shared/data")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate.path }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    static var arePresent: Bool { root != nil }

    static func path(_ name: String) throws -> String {
        guard let root else { throw CocoaError(.fileNoSuchFile) }
        return root + "/" + name
    }

    static let bookmarks = "stores/DuckDuckGo/Bookmarks_V3.sqlite"
    /// Stores that keep their model.
    static let stores = [
        bookmarks, "stores/DuckDuckGo/Bookmarks_V1.sqlite", "stores/DuckDuckGo/Bookmarks_V2.sqlite",
        "stores/CoreDataPlus/SampleModel_V1.sqlite", "stores/CoreDataPlus/SampleModel_V2.sqlite",
        "stores/CoreDataPlus/SampleModel2_V2.sqlite", "stores/CoreDataPlus/SampleModel3_V1.sqlite",
        "stores/LoopKit/Model_V1.sqlite",
    ]
}
