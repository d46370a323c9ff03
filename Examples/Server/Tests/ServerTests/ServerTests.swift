// Runs the servers as processes of their own: a test's own process serves its main queue.

import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct ServerTests {
    @Test(arguments: ["perform", "wait", "async"])
    func aMainQueueThatNobodyServesStopsTheServer(_ way: String) throws {
        let run = try Program("Server", "nobody", way).run()
        #expect(run.status != 0)
        #expect(run.output.contains("viewContextExecutor: .privateQueue"), "\(run.output.prefix(1000))")
        #expect(run.output.contains("nobody has served the main queue"))
    }

    @Test(arguments: ["perform", "wait", "async"])
    func anExecutorOfItsOwnServesTheViewContext(_ way: String) throws {
        let run = try Program("Server", "ownQueue", way).run()
        #expect(run.status == 0, "\(run.output.prefix(1000))")
        #expect(run.output.contains("1 visits"))
    }

    @Test(arguments: ["dispatchMain", "runLoop", "late", "busy"], ["wait", "async"])
    func aMainQueueThatIsServedIsLeftAlone(_ who: String, _ way: String) throws {
        let run = try Program("Server", who, way).run()
        #expect(run.status == 0, "\(run.output.prefix(1000))")
        #expect(run.output.contains("1 visits"))
    }

    @Test func anAsynchronousMainServesTheMainQueue() throws {
        let run = try Program("AsyncServer").run()
        #expect(run.status == 0, "\(run.output.prefix(1000))")
        #expect(run.output == "20 visits\n")
    }
}

/// A program of this package.
private struct Program {
    let name: String
    let arguments: [String]

    init(_ name: String, _ arguments: String...) {
        self.name = name
        self.arguments = arguments
    }

    func run() throws -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        // Programs lie beside the tests.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent(name)
        process.arguments = arguments
        // The sentence is wanted, not the interactive backtrace.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
            $1
        }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
