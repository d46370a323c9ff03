import Foundation
import Testing

@Suite("coredata migrate and model diff")
struct MigrateCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func model(_ name: String, _ entities: String) throws -> String {
        let url = folder.file("\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
            """
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        return url.path
    }

    private func first() throws -> String {
        try model(
            "First",
            """
            <entity name="Note" syncable="YES">
                <attribute name="text" optional="YES" attributeType="String"/>
                <attribute name="mood" optional="YES" attributeType="String"/>
            </entity>
            """)
    }

    private func second() throws -> String {
        try model(
            "Second",
            """
            <entity name="Memo" elementID="Note" syncable="YES">
                <attribute name="text" attributeType="String" defaultValueString="none"/>
                <attribute name="size" optional="YES" attributeType="Integer 32"/>
            </entity>
            """)
    }

    private func store() throws -> String {
        let path = folder.file("Notes.sqlite").path
        try CommandLineRun("create", path, "--model", first()).expectSuccess()
        for text in ["a", "b"] {
            try CommandLineRun("insert", path, "Note", "text=\(text)", "mood=good").expectSuccess()
        }
        return path
    }

    @Test func `A plan, then the migration, with a copy`() throws {
        let (store, second) = (try store(), try second())
        let dry = try CommandLineRun("migrate", store, "--to", second, "--dry-run")
        dry.expectSuccess()
        #expect(dry.lines.contains("! drop Note.mood (2 rows)"))
        #expect(dry.lines.contains { $0.contains("add to ZMEMO: ZSIZE") })
        #expect(try CommandLineRun("query", store, "Note", "--count").output == "2\n")

        let unasked = try CommandLineRun("migrate", store, "--to", second)
        #expect(unasked.status == 1 && unasked.errors.contains("--yes does it"))
        let run = try CommandLineRun("migrate", store, "--to", second, "--backup", "--yes")
        run.expectSuccess()
        #expect(run.lines.suffix(2) == ["copied to \(store).backup", "migrated"])
        let memos = try CommandLineRun("query", store, "Memo", "--select", "text,size", "--format", "csv")
        #expect(memos.lines.count == 3 && memos.lines.contains("a,"))
        #expect(try CommandLineRun("query", store + ".backup", "Note", "--count").output == "2\n")
        #expect(try CommandLineRun("doctor", store).status == 0)
        let again = try CommandLineRun("migrate", store, "--to", second)
        #expect(again.output == "The store is of this version already.\n")
    }

    @Test func `What changed from version to version`() throws {
        let run = try CommandLineRun("model", "diff", store(), second())
        run.expectSuccess()
        #expect(run.lines.contains("~ Memo: was Note"))
        #expect(run.lines.contains("- Note.mood") && run.lines.contains("+ Memo.size"))
        #expect(run.lines.contains("~ Memo.text: is required now"))
        #expect(run.lines.last == "A migration can be inferred.")
        #expect(
            try CommandLineRun("model", "diff", second(), second()).output == "The versions are the same.\n")
    }

    @Test func `What can't be inferred says why`() throws {
        let third = try model(
            "Third",
            """
            <entity name="Note" syncable="YES">
                <attribute name="text" optional="YES" attributeType="Integer 32"/>
                <attribute name="mood" optional="YES" attributeType="String"/>
            </entity>
            """)
        let diff = try CommandLineRun("model", "diff", first(), third)
        #expect(diff.status == 1 && diff.errors.contains("attribute types are incompatible"))
        #expect(diff.errors.contains("Note.text"))
        let store = try store()
        let run = try CommandLineRun("migrate", store, "--to", third, "--yes")
        #expect(run.status == 1 && run.errors.contains("Note.text"), "\(run.errors)")
        #expect(try CommandLineRun("query", store, "Note", "--count").output == "2\n")
    }
}
