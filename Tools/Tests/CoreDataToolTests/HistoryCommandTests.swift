import Foundation
import Testing

@Suite(
    "coredata history and vacuum",
    .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct HistoryCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns a column of the tables, by plain SQL.
    private func column(_ store: String, _ sql: String) throws -> [String] {
        Array(try CommandLineRun("sql", store, sql, "--format", "csv").lines.dropFirst())
    }

    @Test(arguments: ["SampleModel2_V1", "SampleModel2_V2"])
    func `Apple's histories agree with their tables`(name: String) throws {
        let store = try folder.copy("stores/CoreDataPlus/\(name).sqlite")
        let run = try CommandLineRun("history", store, "--changes")
        #expect(run.status == 0, "\(run.errors)")
        let transactions = run.lines.filter { !$0.hasPrefix(" ") }
        let changes = run.lines.filter { $0.hasPrefix(" ") }
        #expect(
            try transactions.map { $0.prefix { $0 != " " }.description }
                == column(store, "SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK"))
        let kinds = ["inserted", "updated", "deleted"]
        #expect(
            try changes.map { line in "\(kinds.firstIndex { line.contains($0) } ?? -1)" }
                == column(store, "SELECT ZCHANGETYPE FROM ACHANGE ORDER BY ZTRANSACTIONID, Z_PK"))
        let last = try #require(transactions.last?.prefix { $0 != " " }.description)
        #expect(try CommandLineRun("history", store, "--since", last).lines.isEmpty)
        #expect(
            try CommandLineRun("history", store, "--limit", "1").lines.count == min(1, transactions.count))
        #expect(try CommandLineRun("history", store, "--limit=0").output.isEmpty)
        #expect(try CommandLineRun("history", store, "--limit=-1").status == 64)
    }

    @Test func `Commands that write go on with the history`() throws {
        let store = try folder.copy("stores/CoreDataPlus/SampleModel2_V1.sqlite")
        let before = try CommandLineRun("history", store).lines.count
        let object = try #require(
            try CommandLineRun(
                "query", store, "Author", "--format", "csv", "--select", "objectID", "--limit", "1"
            )
            .lines.last)
        let set = try CommandLineRun("set", store, object, "alias=somebody")
        #expect(set.status == 0, "\(set.errors)")
        let after = try CommandLineRun("history", store, "--changes").lines
        #expect(after.filter { !$0.hasPrefix(" ") }.count == before + 1)
        #expect(after.last?.contains("updated \(object): alias") == true, "\(after.last ?? "")")
    }

    @Test func `A store without history says so`() throws {
        let run = try CommandLineRun("history", folder.copy(SharedFiles.bookmarks))
        #expect(run.status == 1 && run.errors.contains("keeps no history"))
    }

    /// The table of transactions may be among what is lost.
    @Test func `A damaged file isn't told as one without history`() throws {
        let whole = try SharedFiles.path("stores/DuckDuckGo/Bookmarks_V1.sqlite")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        bytes.replaceSubrange(4096 * 3..<4096 * 4, with: Data(repeating: 0xAA, count: 4096))
        let file = folder.file("damaged.sqlite")
        try bytes.write(to: file)
        let run = try CommandLineRun("history", file.path)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.errors.contains("is damaged: "), "\(run.errors)")
        #expect(!run.errors.contains("history"))
    }

    @Test func `Vacuum gives pages back`() throws {
        let store = try folder.copy(SharedFiles.bookmarks)
        let text = String(repeating: "x", count: 100_000)
        try CommandLineRun("set", store, "BookmarkEntity/3", "title=\(text)").expectSuccess()
        try CommandLineRun("set", store, "BookmarkEntity/3", "title=short").expectSuccess()
        let run = try CommandLineRun("vacuum", store)
        run.expectSuccess()
        #expect(try column(store, "PRAGMA freelist_count") == ["0"])
        let sizes = run.output.split(separator: " ").compactMap { Int($0) }
        #expect(sizes.count == 2 && sizes[1] < sizes[0])
        #expect(try CommandLineRun("doctor", store).status == 0)
    }
}
