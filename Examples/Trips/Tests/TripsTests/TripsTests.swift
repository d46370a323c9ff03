// The service, on a file and on a server.

import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) final class TripsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "trips-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The environment of a service on each kind of store.
    private func environments() throws -> [[String: String]] {
        var all = [["TRIPS": folder.appendingPathComponent("Trips.store").path]]
        if PostgreSQLServer.isAvailable {
            let schema = "t_" + UUID().uuidString.prefix(8).lowercased()
            all.append(["TRIPS": try PostgreSQLServer.shared().address(), "TRIPS_SCHEMA": schema])
        } else {
            print("PostgreSQL isn't installed: only the file is tested")
        }
        return all
    }

    private static func trip(_ name: String, day: Int) -> String {
        """
        {"name": "\(name)", "purpose": "leisure", "start": "2026-05-0\(day)T00:00:00Z", "end": "2026-05-09T00:00:00Z"}
        """
    }

    @Test func tripsAndTheirJournal() async throws {
        for environment in try environments() {
            let place = environment["TRIPS"] ?? ""
            let service = try RunningService(environment)
            defer { service.stop() }
            let rome = try service.post("trips", Self.trip("Rome", day: 2))
            let id = try #require(rome["id"] as? String, "\(place)")
            _ = try service.post("trips", Self.trip("Paris", day: 1))
            let more = try service.post("trips/\(id)/stops", #"{"place": "Florence", "nights": 2}"#)
            #expect(more["places"] as? [String] == ["Florence"] && more["nights"] as? Int == 2)
            #expect(try service.names("trips") == ["Paris", "Rome"])
            #expect(try service.names("trips?name=ROM") == ["Rome"])
            #expect(try service.send("DELETE", "trips/\(id)").status == 204)
            #expect(try service.send("GET", "trips/\(id)").status == 404)
            #expect(try service.send("POST", "trips", #"{"name": 1}"#).status == 400)
            #expect(
                try await service.journal(until: "cancelled Rome").filter { $0.contains("Paris") } == [
                    "planned Paris"
                ])
        }
    }

    @Test func aServiceGoesOnWhereItWas() async throws {
        for environment in try environments() {
            let first = try RunningService(environment)
            _ = try first.post("trips", Self.trip("Rome", day: 2))
            #expect(try await first.journal(until: "planned Rome") == ["planned Rome"])
            first.stop()
            let second = try RunningService(environment)
            let third = try RunningService(environment)
            defer { [second, third].forEach { $0.stop() } }
            _ = try second.post("trips", Self.trip("Oslo", day: 3))
            // The other process is told of it by the store.
            #expect(try third.names("trips") == ["Rome", "Oslo"])
            #expect(try await second.journal(until: "planned Oslo").first == "planned Rome")
        }
    }
}

/// A running process of the service.
private final class RunningService: Sendable {
    private let process = Process()
    private let address: String

    init(_ environment: [String: String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("Trips")
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = String(line.split(separator: "\n").first ?? "")
    }

    func send(_ method: String, _ path: String, _ body: String? = nil) throws -> (status: Int, data: Data) {
        let curl = Process()
        let output = Pipe()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        curl.arguments =
            ["-s", "-X", method, "-w", "\n%{http_code}", address + path] + (body.map { ["-d", $0] } ?? [])
        curl.standardOutput = output
        try curl.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        curl.waitUntilExit()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let status = try #require(lines.last.flatMap { Int($0) }, "\(text)")
        return (status, Data(lines.dropLast().joined(separator: "\n").utf8))
    }

    func post(_ path: String, _ body: String) throws -> [String: Any] {
        let (status, data) = try send("POST", path, body)
        #expect([200, 201].contains(status), "\(String(decoding: data, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    func names(_ path: String) throws -> [String] {
        let list = try JSONSerialization.jsonObject(with: send("GET", path).data) as? [[String: Any]]
        return try #require(list).compactMap { $0["name"] as? String }
    }

    /// The journal, once it has a line: it is written after the answer to what it tells of.
    func journal(until line: String) async throws -> [String] {
        while true {
            let lines = try JSONDecoder().decode([String].self, from: send("GET", "journal").data)
            if lines.contains(line) { return lines }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
