import CoreData
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

    @Test func `Progress goes to standard error where it is asked for`() throws {
        let (store, second) = (try store(), try second())
        let run = try CommandLineRun("migrate", store, "--to", second, "--yes", "--progress")
        run.expectSuccess()
        let steps = run.errors.split(separator: "\n")
        #expect(steps.first?.hasPrefix("step 1 of \(steps.count): ") == true, "\(run.errors)")
        #expect(steps.contains { $0.hasSuffix(": drop Note.mood") })
        #expect(run.lines.last == "migrated")
    }

    @Test func `Without being asked for, nothing but the answer is written`() throws {
        let run = try CommandLineRun("migrate", store(), "--to", second(), "--yes")
        run.expectSuccess()
        #expect(run.errors.isEmpty)
    }

    private func number(_ store: String) throws -> String {
        let info = try CommandLineRun("info", store)
        return info.lines.first { $0.lowercased().contains("uuid") } ?? info.output
    }

    @Test func `A mapping model says what can't be inferred`() throws {
        let third = try model(
            "Third",
            """
            <entity name="Note" syncable="YES">
                <attribute name="text" optional="YES" attributeType="Integer 32"/>
            </entity>
            """)
        let store = try store()
        let before = try number(store)
        let mapping = NSMappingModel()
        let (old, new) = try (model(at: first()), model(at: third))
        let note = NSEntityMapping()
        note.name = "NoteToNote"
        note.mappingType = .transformEntityMappingType
        (note.sourceEntityName, note.destinationEntityName) = ("Note", "Note")
        note.sourceEntityVersionHash = old.entityVersionHashesByName["Note"]
        note.destinationEntityVersionHash = new.entityVersionHashesByName["Note"]
        let text = NSPropertyMapping()
        text.name = "text"
        text.valueExpression = CoreData.NSExpression(format: "3")
        note.attributeMappings = [text]
        mapping.entityMappings = [note]
        let file = folder.file("Notes.cdm")
        try mapping.write(to: file)
        let dry = try CommandLineRun(
            "migrate", store, "--to", third, "--mapping", file.path, "--dry-run")
        #expect(dry.lines == ["  NoteToNote: Note becomes Note (2 rows)"], "\(dry.errors)")
        let run = try CommandLineRun(
            "migrate", store, "--to", third, "--mapping", file.path, "--progress")
        run.expectSuccess()
        #expect(run.errors.contains("100 %"), "\(run.errors)")
        let notes = try CommandLineRun("query", store, "Note", "--select", "text", "--format", "csv")
        #expect(notes.lines == ["text", "3", "3"])
        #expect(try number(store) == before)
    }

    private func model(at path: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel.read(from: URL(fileURLWithPath: path))
    }
}
