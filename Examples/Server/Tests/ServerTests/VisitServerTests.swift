// Two processes of one service, on a file and on a server.

import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) final class VisitServerTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "visits-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The environment of a service on each kind of store.
    private func environments() throws -> [[String: String]] {
        var all = [["VISITS": folder.appendingPathComponent("Visits.sqlite").path]]
        if PostgreSQLServer.isAvailable {
            let schema = "v_" + UUID().uuidString.prefix(8).lowercased()
            all.append(["VISITS": try PostgreSQLServer.shared().address(), "VISITS_SCHEMA": schema])
        }
        return all
    }

    @Test func processesThatShareAStoreCountTogether() async throws {
        for environment in try environments() {
            let services = try (0..<2).map { _ in try Service(environment) }
            defer { services.forEach { $0.stop() } }
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    let service = services[number % 2]
                    group.addTask { try await service.visit("/page") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Each visit was counted once: no two were told the same number.
            #expect(counts.sorted() == Array(1...40), "\(environment["VISITS"] ?? "")")
            #expect(try await services[0].visit("/other") == 1)
        }
    }
}

/// A running process of the service.
private final class Service: Sendable {
    private let process = Process()
    private let address: String

    init(_ environment: [String: String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("VisitServer")
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = String(line.split(separator: "\n").first ?? "").trimmingCharacters(in: ["/"])
    }

    func visit(_ path: String) async throws -> Int {
        let curl = Process()
        let output = Pipe()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        curl.arguments = ["-s", address + path]
        curl.standardOutput = output
        try curl.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        curl.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), "\(text)")
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
