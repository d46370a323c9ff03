// Runs the program as its user does.

import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct ProgramTests {
    private struct Run {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The program lies beside the tests.
    private func run(_ arguments: String...) throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("Homepwner")
        process.arguments = arguments
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["output", "errors"].map { folder.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, output: try String(contentsOf: files[0], encoding: .utf8),
            errors: try String(contentsOf: files[1], encoding: .utf8))
    }

    @Test func twoRunsShareAStoreAndShowTheirSQLWhenAsked() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Homepwner.sqlite").path

        let first = try run("-com.apple.CoreData.SQLDebug", "1", file)
        #expect(first.status == 0, "\(first.errors.suffix(2000))")
        #expect(first.output.contains("First run. Asset types made: Electronics, Furniture, Jewelry"))
        let statements = first.errors.split(separator: "\n").filter { $0.hasPrefix("CoreData: sql: ") }
        #expect(statements.contains { $0.contains(#"INSERT INTO "ZASSETTYPE""#) })
        #expect(statements.contains { $0.contains("SELECT") && $0.contains("ZORDERINGVALUE") })
        #expect(first.errors.contains("CoreData: annotation: sql connection fetch time: "))
        #expect(!first.errors.contains("CoreData: details: "), "bindings are for level 2")

        let second = try run(file, "-com.apple.CoreData.SQLDebug", "2")
        #expect(second.status == 0, "\(second.errors.suffix(2000))")
        #expect(second.output.contains("\nAsset types: ") || second.output.hasPrefix("Asset types: "))
        #expect(second.output.contains("Ring, 0017, $1200, Jewelry"))
        #expect(second.output.contains("isFault: false, it is the Ring"))
        #expect(!second.errors.contains(#"INSERT INTO "ZASSETTYPE""#))
        #expect(second.errors.contains("CoreData: details: SQLite bind[0]"))

        let third = try run(file)
        #expect(third.status == 0 && third.errors.isEmpty, "\(third.errors.prefix(2000))")
        #expect(third.output.contains("Undo Delete"))
    }
}
