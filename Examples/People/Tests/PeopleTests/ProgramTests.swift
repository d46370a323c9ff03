// The program's arguments, its bar, and the whole of it as its user runs it.

import Foundation
import Testing

@testable import People

@Suite(.timeLimit(.minutes(20))) struct ProgramTests {
    @Test func argumentsAreRead() throws {
        let arguments = try Arguments(["--count", "1000000", "--rows", "--batch", "5000", "a.sqlite"])
        #expect(arguments.count == 1_000_000 && arguments.way == .rows)
        #expect(arguments.batchSize == 5000 && arguments.file == "a.sqlite")
        #expect(try Arguments(["-com.apple.CoreData.SQLDebug", "1"]) == Arguments([]))
        for wrong in [["--count"], ["--count", "x"], ["--batch", "0"], ["--all"]] {
            #expect(throws: Arguments.Problem.self) { try Arguments(wrong) }
        }
    }

    @Test func theBarGrows() {
        let bar = ProgressBar(total: 1_000_000)
        #expect(bar.text(0, width: 10) == "[          ]   0 %, 0 of 1,000,000")
        #expect(bar.text(550_000, width: 10) == "[#####     ]  55 %, 550,000 of 1,000,000")
        #expect(bar.text(1_000_000, width: 10) == "[##########] 100 %, 1,000,000 of 1,000,000")
    }

    private func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        // The program lies beside the tests.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("People")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    @Test func anotherProcessFindsTheColors() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("People.sqlite").path
        let first = try run("--count", "2000", "--batch", "500", file)
        #expect(first.status == 0, "\(first.output)")
        #expect(first.output.contains("100 %, 2,000 of 2,000"))
        #expect(first.output.contains("2,000 people with 200 laptops"))
        let second = try run("--count", "0", "-com.apple.CoreData.SQLDebug", "1", file)
        #expect(second.status == 0, "\(second.output)")
        #expect(second.output.contains("50 laptops are red (#C8102E)"))
        #expect(second.output.contains("\n0 laptops are pink"))
        let statements = second.output.split(separator: "\n").filter { $0.hasPrefix("CoreData: sql: SELECT") }
        #expect(statements.contains { $0.contains("ZCOLOR = ?") }, "the store compares colours")
        #expect(try run("--count", "many").status == 64)
    }
}
