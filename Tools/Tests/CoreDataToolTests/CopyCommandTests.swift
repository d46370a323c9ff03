import Foundation
import Testing

@Suite("Copying stores, and removing what killed programs left")
struct CopyCommandTests {
    private let library: LibraryStore
    private var copy: String { library.folder.file("Copy.sqlite").path }

    init() throws {
        library = try LibraryStore()
        try CommandLineRun("insert", library.path, "Tag", "label=first").expectSuccess()
    }

    @Test func `copy makes a store with the same rows and never replaces a file`() throws {
        let run = try CommandLineRun("copy", library.path, copy)
        #expect(run.status == 0)
        #expect(run.output == "copied \(library.path) to \(copy)\n")
        #expect(try CommandLineRun("query", copy, "Tag", "--count").output == "1\n")
        #expect(try CommandLineRun("doctor", copy).output == "sound\n")
        let again = try CommandLineRun("copy", library.path, copy)
        #expect(again.status == 1)
        #expect(again.errors == "coredata: There is a file at \(copy) already.\n")
        let none = try CommandLineRun("copy", library.folder.file("none").path, copy + "2")
        #expect(none.status == 1)
        #expect(!FileManager.default.fileExists(atPath: copy + "2"))
    }

    @Test func `A copy of a damaged store is kept, and not taken for a backup`() throws {
        var bytes = try Data(
            contentsOf: URL(fileURLWithPath: SharedFiles.path("stores/LoopKit/Model_V1.sqlite")))
        for page in 20..<30 {
            let start = page * 4096 + 4
            bytes.replaceSubrange(start..<start + 3000, with: Data(repeating: 0xAA, count: 3000))
        }
        let damaged = library.folder.file("Damaged.sqlite")
        try bytes.write(to: damaged)
        let run = try CommandLineRun("copy", damaged.path, copy)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("coredata: The store is damaged ("))
        #expect(
            run.errors.hasSuffix(
                "), and \(copy) is a copy of it as it is. Look at it with coredata doctor.\n"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count == bytes.count)
    }

    @Test func `doctor finds and removes what killed programs left`() throws {
        let left = library.folder.file(".Library.sqlite.draft-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: left.path)
        let found = try CommandLineRun("doctor", library.path)
        #expect(found.status == 0)
        #expect(found.lines.contains("note: killed programs left files beside the store"))
        #expect(found.lines.contains("  \(left.lastPathComponent)"))
        let asked = try CommandLineRun("doctor", library.path, "--repair")
        #expect(asked.status == 1)
        #expect(asked.errors.contains("--yes"))
        #expect(FileManager.default.fileExists(atPath: left.path))
        let repaired = try CommandLineRun("doctor", library.path, "--repair", "--yes")
        #expect(repaired.status == 0)
        #expect(repaired.output == "sound\n")
        #expect(repaired.errors.contains("removed: 1"))
        #expect(!FileManager.default.fileExists(atPath: left.path))
        #expect(try CommandLineRun("doctor", library.path, "--repair").status == 0)
    }
}
