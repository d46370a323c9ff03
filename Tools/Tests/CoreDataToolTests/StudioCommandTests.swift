// `coredata studio` from its first line to its end.

import Foundation
import Testing

struct StudioCommandTests {
    /// Starts a studio of a model that isn't there yet, and waits for its link.
    private func start(_ folder: TemporaryFolder) throws -> Process {
        let process = Process()
        process.executableURL = CommandLineRun.executable
        process.arguments = ["studio", folder.file("New.xcdatamodeld").path]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try #require(line.hasPrefix("Open http://127.0.0.1:"))
        return process
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `A signal ends it in order`(number: Int32) throws {
        let folder = try TemporaryFolder()
        let process = try start(folder)
        #expect(kill(process.processIdentifier, number) == 0)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    @Test func `Many signals end it once`() throws {
        let folder = try TemporaryFolder()
        let process = try start(folder)
        // More than a pipe holds: the handler waits for nobody.
        for _ in 0..<100_000 where kill(process.processIdentifier, SIGINT) != 0 { break }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }
}
