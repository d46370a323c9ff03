import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ScratchFolderTests {
    private let parent: TemporaryFolder

    init() throws { parent = try TemporaryFolder() }

    private func age(_ folder: URL) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: folder.path)
    }

    @Test func aFolderIsItsMakersUntilHeDies() async throws {
        let living = try ScratchFolder(in: parent.url, named: "x-")
        try age(living.url)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = parent.url.path as String] in
            let folder = try ScratchFolder(in: URL(fileURLWithPath: path), named: "x-")
            try Data().write(to: folder.url.appendingPathComponent("file"))
            kill(getpid(), SIGKILL)
        }
        #expect(ScratchFolder.abandoned(in: parent.url, named: "x-") == [])
        for name in try FileManager.default.contentsOfDirectory(atPath: parent.url.path) {
            try age(parent.file(name))
        }
        let found = ScratchFolder.abandoned(in: parent.url, named: "x-")
        #expect(found.count == 1 && found.first?.lastPathComponent != living.url.lastPathComponent)
        try living.remove()
        #expect(!FileManager.default.fileExists(atPath: living.url.path))
    }

    @Test func othersFoldersAreNobodysLeftovers() throws {
        for name in ["x-notes", "y-\(UUID().uuidString)"] {
            try FileManager.default.createDirectory(at: parent.file(name), withIntermediateDirectories: true)
            try age(parent.file(name))
        }
        #expect(ScratchFolder.abandoned(in: parent.url, named: "x-") == [])
        #expect(throws: POSIXError.self) { try ScratchFolder(in: parent.file("none"), named: "x-") }
    }

    @Test func onlyAFileThatIsThereIsSynchronized() throws {
        try Data("x".utf8).write(to: parent.file("a"))
        try synchronizeFile(parent.file("a"))
        #expect(throws: POSIXError.self) { try synchronizeFile(parent.file("none")) }
        #expect(FileStamp.age(of: parent.file("none")) == 0)
    }
}
