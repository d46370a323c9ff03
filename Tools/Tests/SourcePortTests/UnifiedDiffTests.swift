// The diff that `coredata port` prints, as `patch` reads it, and files that it changes.

import Foundation
import SourcePort
import Testing

@Suite struct UnifiedDiffTests {
    private static let executable: URL = {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("coredata")
    }()

    /// A folder with one file of Core Data code and one without, removed at the end.
    private func withSources(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "port-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Model"), withIntermediateDirectories: true)
        try Data(SourcePortTests.app.utf8).write(to: folder.appendingPathComponent("Model/Expense.swift"))
        try Data("@objc class Button: NSObject {}\n".utf8).write(
            to: folder.appendingPathComponent("View.swift"))
        try body(folder)
    }

    private func run(_ program: String, _ arguments: [String], in folder: URL) throws -> (Int32, String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = folder.appendingPathComponent("output")
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self))
    }

    @Test func theDiffIsWhatApplyingDoes() throws {
        try withSources { folder in
            let (status, diff) = try run(Self.executable.path, ["port", "."], in: folder)
            #expect(status == 0)
            #expect(diff.hasPrefix("--- a/"))
            #expect(diff.contains("\n-@objc(Expense)\n") || diff.contains("\n+#if canImport(ObjectiveC)\n"))
            #expect(diff.contains("View.swift"))
            let expected = SourcePort().ported(SourcePortTests.app).text
            let (applied, report) = try run(Self.executable.path, ["port", "Model", "--apply"], in: folder)
            #expect(applied == 0 && report.contains("changed Model/Expense.swift"))
            let text = try String(
                contentsOf: folder.appendingPathComponent("Model/Expense.swift"), encoding: .utf8)
            #expect(text == expected)
            let (_, again) = try run(Self.executable.path, ["port", "Model"], in: folder)
            #expect(again == "")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/patch"), "there is no patch"))
    func patchTakesTheDiff() throws {
        try withSources { folder in
            let (_, diff) = try run(Self.executable.path, ["port", "Model"], in: folder)
            let file = folder.appendingPathComponent("port.diff")
            try Data(diff.utf8).write(to: file)
            let (status, log) = try run("/usr/bin/patch", ["-p1", "-i", file.path], in: folder)
            #expect(status == 0, "\(log)")
            let text = try String(
                contentsOf: folder.appendingPathComponent("Model/Expense.swift"), encoding: .utf8)
            #expect(text == SourcePort().ported(SourcePortTests.app).text)
        }
    }
}
