// A PostgreSQL server for one run of tests, on a socket in a folder of its own, if the machine has one to start.

import CoreDataSQL
import Foundation
import Synchronization

/// Started by the first test that asks, and ended with the process that runs the tests.
struct ThrowawayServer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Where the server's programs are; `nil` where there are none, or where nobody may run them: a server refuses to run
    /// as root.
    static let programs: String? = {
        let folder = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .compactMap(Int.init).filter { $0 >= 14 }
        guard let newest = versions.max() else { return nil }
        let programs = "\(folder)/\(newest)/bin"
        guard FileManager.default.isExecutableFile(atPath: programs + "/initdb"),
            FileManager.default.isExecutableFile(atPath: programs + "/psql")
        else { return nil }
        return geteuid() == 0 && getpwnam("postgres") == nil ? nil : programs
    }()

    private let programs: String
    private let folder: String

    private static let running = Mutex<[ThrowawayServer]>([])

    init() throws {
        guard let programs = Self.programs else { throw Failure(description: "no server") }
        self.programs = programs
        folder = NSTemporaryDirectory() + "coredata-pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if geteuid() == 0 { try Self.run("/bin/chown", ["postgres", folder]) }
        let data = folder + "/data"
        try asOwner(
            "initdb", ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "-N"])
        try asOwner(
            "pg_ctl",
            [
                "-D", data, "-w", "-s", "-l", folder + "/log",
                "-o", "-k \(folder) -c listen_addresses= -c fsync=off", "start",
            ])
        let server = self
        Self.running.withLock { servers in
            if servers.isEmpty { atexit { ThrowawayServer.stopAll() } }
            servers.append(server)
        }
    }

    private static func stopAll() {
        for server in running.withLock({ $0 }) { server.stop() }
    }

    private func stop() {
        try? asOwner("pg_ctl", ["-D", folder + "/data", "-m", "immediate", "-s", "stop"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a script and returns its rows, the values of each separated by `|`.
    func rows(_ script: String) throws -> [String] {
        let file = folder + "/\(UUID().uuidString).sql"
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let output = try Self.run(
            programs + "/psql",
            [
                "-h", folder, "-U", "postgres", "-d", "postgres", "-X", "-q", "-A", "-t", "-v",
                "ON_ERROR_STOP=1", "-f", file,
            ])
        return output.split(separator: "\n").map(String.init)
    }

    private func asOwner(_ program: String, _ arguments: [String]) throws {
        let path = "\(programs)/\(program)"
        if geteuid() == 0 {
            try Self.run("/sbin/runuser", ["-u", "postgres", "--", path] + arguments)
        } else {
            try Self.run(path, arguments)
        }
    }

    /// A server that is started keeps the pipes of its starter: output goes to a file.
    @discardableResult
    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let path = NSTemporaryDirectory() + "coredata-run-\(UUID().uuidString)"
        try Data().write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program) \(arguments.joined(separator: " ")): \(text)")
        }
        return text
    }
}

extension ThrowawayServer {
    /// A statement's rows, with its values bound.
    static func execution(_ statement: SQLStatement, named name: String) -> String {
        let values = statement.bindings.map(text).joined(separator: ", ")
        let call = statement.bindings.isEmpty ? "EXECUTE \(name)" : "EXECUTE \(name)(\(values))"
        return "PREPARE \(name) AS \(statement.text);\n\(call);\nDEALLOCATE \(name);\n"
    }

    private static func text(_ value: SQLBinding) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "'\(number)'"
        case .double(let number): "'\(number)'"
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .blob(let bytes): "'\\x" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
        }
    }
}
