// The tests' own server, which must not outlive them.

import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLServerTests {
    @Test func aServerEndsWithAProcessThatIsKilled() async throws {
        let folder = try TemporaryFolder()
        let note = folder.file("server").path
        await #expect(processExitsWith: .signal(SIGKILL)) { [note = note as String] in
            let server = try PostgreSQLServer.own()
            let line = try String(contentsOfFile: server.folder + "/data/postmaster.pid", encoding: .utf8)
            try "\(line.prefix { $0 != "\n" })\n\(server.folder)".write(
                toFile: note, atomically: true, encoding: .utf8)
            kill(getpid(), SIGKILL)
        }
        let lines = try String(contentsOfFile: note, encoding: .utf8).split(separator: "\n")
        let process = try #require(lines.first.flatMap { pid_t($0) })
        let place = try #require(lines.last.map(String.init))
        for _ in 0..<600 where FileManager.default.fileExists(atPath: place) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(!FileManager.default.fileExists(atPath: place))
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }
}
