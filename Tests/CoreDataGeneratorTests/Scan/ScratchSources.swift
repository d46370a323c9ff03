// Sources in a folder of their own, for tests that ask the compiler.

import CoreDataGenerator
import Foundation

/// A folder with files, removed with the last reference.
final class ScratchSources {
    let folder: URL
    let files: [URL]

    init(_ sources: [String: String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var files: [URL] = []
        for (name, text) in sources.sorted(by: { $0.key < $1.key }) {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            files.append(file)
        }
        self.files = files
    }

    convenience init(_ text: String) throws {
        try self.init(["Source.swift": text])
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func scan(_ moduleName: String = "App", conditions: [String] = []) throws -> SourceScan {
        try SourceScan(files: files, moduleName: moduleName, conditions: conditions)
    }

    /// Returns the output of a program; its complaints too when it fails.
    func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        if process.terminationStatus != 0 { throw Failure(text: text) }
        return text
    }

    struct Failure: Error {
        let text: String
    }
}
