// Another process that has a database open.

import Foundation

/// The sqlite3 command on a file, fed line by line.
final class OtherProcess {
    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ path: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Returns when the SQL has run.
    func run(_ sql: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((sql + " SELECT 'done';\n").utf8))
        var answer = Data()
        while answer.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw CocoaError(.executableRuntimeMismatch) }
            answer += more
        }
    }

    func end() {
        process.terminate()
    }
}
