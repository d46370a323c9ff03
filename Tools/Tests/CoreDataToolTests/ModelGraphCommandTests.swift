import Foundation
import Testing

@Suite("model graph", .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct ModelGraphCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.copy(SharedFiles.bookmarks)
    }

    @Test func `a store's model is drawn in the terminal`() throws {
        let run = try CommandLineRun("model", "graph", store)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.lines.contains { $0.hasPrefix("│ BookmarkEntity") })
        #expect(run.output.contains("↠ BookmarkEntity.parent"))
    }

    @Test(arguments: [("svg", "<svg "), ("mermaid", "classDiagram"), ("plantuml", "@startuml")])
    func `every format begins as it should`(format: String, beginning: String) throws {
        let run = try CommandLineRun("model", "graph", store, "--format", format)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix(beginning))
        #expect(run.output.contains("BookmarkEntity"))
    }

    @Test func `a neighbourhood is drawn around an entity that there is`() throws {
        #expect(try CommandLineRun("model", "graph", store, "--around", "BookmarkEntity").status == 0)
        let run = try CommandLineRun("model", "graph", store, "--around", "bookmarkentity")
        #expect(run.status != 0)
        #expect(run.errors.contains("did you mean \"BookmarkEntity\"?"))
    }
}
