import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ScratchFolderTests {
    private let parent: TemporaryFolder

    init() throws { parent = try TemporaryFolder() }

    /// Dates the folders of the parent, however long the test has been waiting for its turn.
    private func date(secondsFromNow seconds: TimeInterval) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: parent.url.path) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: seconds)], ofItemAtPath: parent.file(name).path
            )
        }
    }

    @Test func aFolderIsItsMakersUntilHeDies() async throws {
        let living = try ScratchFolder(in: parent.url, named: "x-")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = parent.url.path as String] in
            let folder = try ScratchFolder(in: URL(fileURLWithPath: path), named: "x-")
            try Data().write(to: folder.url.appendingPathComponent("file"))
            kill(getpid(), SIGKILL)
        }
        try date(secondsFromNow: 3600)
        expect(
            ScratchFolder.abandoned(in: parent.url, named: "x-"), equals: [],
            "A folder this young may be about to be locked.")
        try date(secondsFromNow: -3600)
        let found = ScratchFolder.abandoned(in: parent.url, named: "x-")
        #expect(found.count == 1 && found.first?.lastPathComponent != living.url.lastPathComponent)
        try living.remove()
        #expect(!FileManager.default.fileExists(atPath: living.url.path))
    }

    @Test func othersFoldersAreNobodysLeftovers() throws {
        for name in ["x-notes", "y-\(UUID().uuidString)"] {
            try FileManager.default.createDirectory(at: parent.file(name), withIntermediateDirectories: true)
        }
        try date(secondsFromNow: -3600)
        expect(ScratchFolder.abandoned(in: parent.url, named: "x-"), equals: [])
        #expect(throws: POSIXError.self) { try ScratchFolder(in: parent.file("none"), named: "x-") }
    }

    @Test func onlyAFileThatIsThereIsSynchronized() throws {
        try Data("x".utf8).write(to: parent.file("a"))
        try synchronizeFile(parent.file("a"))
        #expect(throws: POSIXError.self) { try synchronizeFile(parent.file("none")) }
        expect(FileStamp.age(of: parent.file("none")), equals: 0)
    }
}
