// Commands on stores in PostgreSQL databases.

import Foundation
import Testing

@Suite(
    "Stores in PostgreSQL databases",
    .enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLCommandTests {
    private let library: LibraryStore
    private let server: PostgreSQLServer
    private let address: String
    private let schema = "t_" + UUID().uuidString.prefix(8).lowercased()

    init() throws {
        library = try LibraryStore()
        server = try PostgreSQLServer.shared()
        address = server.address("postgres", user: "tester:secretword", "&schema=\(schema)")
    }

    private func run(_ arguments: String...) throws -> CommandLineRun { try run(arguments) }

    private func run(_ arguments: [String]) throws -> CommandLineRun {
        let run = try CommandLineRun(arguments: arguments)
        #expect(!(run.output + run.errors).contains("secretword"), "\(arguments)")
        return run
    }

    private func make() throws {
        let model = library.folder.file("Library.xcdatamodel").path
        #expect(try run("create", address, "--model", model).status == 0)
    }

    @Test func `A store is made, filled, queried and described`() throws {
        try make()
        #expect(try run("create", address, "--model", library.path).errors.contains("already"))
        #expect(try run("insert", address, "Author", "name=Ada", "rank=3").output == "Author/1\n")
        #expect(try run("insert", address, "Book", "title=One", "author=Author/1").status == 0)
        #expect(try run("set", address, "Book/1", "note=changed", "address.zip=7").status == 0)
        let query = try run(
            "query", address, "Book", "--where", "author.name == 'Ada'", "--select", "title,note,author.rank",
            "--format", "csv")
        #expect(query.lines == ["title,note,author.rank", "One,changed,3"])
        #expect(try run("get", address, "Book/1").output.contains("changed"))
        let info = try run("info", address)
        #expect(info.status == 0 && info.errors.isEmpty)
        #expect(info.output.contains("Server    PostgreSQL"))
        #expect(info.output.contains("schema=\(schema)"))
        #expect(info.lines.contains { $0.hasPrefix("Author") && $0.contains(" 1") })
        #expect(try run("model", address).output.contains("Author"))
        #expect(try run("model", address, "--check", library.path).status == 0)
        #expect(try run("model", library.path, "--check", address).status == 0)
        #expect(try run("model", "diff", address, library.path).output.contains("the same"))
        #expect(
            try run("sql", address, "SELECT title FROM book", "--format", "csv").lines == ["title", "One"])
        #expect(try run("delete", address, "Book/1", "--yes").output.contains("deleted 1"))
        #expect(try run("query", address, "Book", "--count").output == "0\n")
        let doctor = try run("doctor", address)
        #expect(doctor.status == 0 && doctor.output.hasSuffix("sound\n"))
    }

    @Test func `What is exported can be imported, both ways`() throws {
        try make()
        let file = try library.file(
            "books.csv", "title,issue,tags.label\n\"A, \"\"b\"\"\",1,\nC,2,\nD,,\n")
        let added = try run("import", address, "Book", file)
        #expect(added.output == "3 objects of Book added.\n")
        let export = library.folder.file("all.json").path
        #expect(try run("export", address, "--output", export).status == 0)
        #expect(try run("import", library.path, export).output.hasPrefix("3 objects added"))
        #expect(try library.rows("SELECT count(*) FROM ZBOOK WHERE ZISSUE = 7") == ["1"])
        let again = try run(
            "import", address, "Author", try library.file("a.csv", "name,email\nAda,a\nBob,a\n"))
        #expect(again.status == 1 && again.output.isEmpty)
        #expect(try run("query", address, "Author", "--count").output == "0\n")
    }

    @Test func `The server looks at tables that an import fills`() throws {
        try make()
        let rows = (0..<1500).map { "Book \($0)" }.joined(separator: "\n")
        let file = try library.file("many.csv", "title\n" + rows + "\n")
        #expect(try run("import", address, "Book", file).output == "1500 objects of Book added.\n")
        let figures = try run(
            "sql", address, "SELECT reltuples FROM pg_class WHERE oid = 'book'::regclass", "--format", "csv")
        #expect(figures.lines == ["reltuples", "1500"])
    }

    @Test func `A store is copied, kept and repaired`() throws {
        try make()
        #expect(try run("insert", address, "Author", "name=Ada").status == 0)
        let file = library.folder.file("Copy.sqlite").path
        let copied = try run("copy", address, file)
        #expect(copied.status == 0 && copied.output.hasSuffix(" to \(file)\n"), "\(copied.errors)")
        #expect(try run("query", file, "Author", "--count").output == "1\n")
        #expect(try run("copy", address, file).errors.contains("already"))
        let other = server.address("postgres", user: "tester:secretword", "&schema=\(schema)_copy")
        #expect(try run("copy", file, other).status == 0)
        #expect(try run("query", other, "Author", "--count").output == "1\n")
        for arguments in [[], ["--rewrite"]] {
            let vacuum = try run(["vacuum", address] + arguments)
            #expect(vacuum.status == 0 && vacuum.output.contains(" bytes now"), "\(vacuum.errors)")
        }
        let repair = try run("doctor", address, "--repair", "--yes")
        #expect(repair.status == 0 && repair.errors.isEmpty && repair.output.hasSuffix("sound\n"))
    }

    @Test func `A store without a history has none to show`() throws {
        try make()
        let history = try run("history", address)
        #expect(history.status == 1)
        #expect(history.errors.contains("schema=\(schema)"), "\(history.errors)")
    }

    @Test func `A copy that is killed is begun anew`() throws {
        let rows = (0..<6000).map { "Book \($0),\($0 % 100)" }.joined(separator: "\n")
        #expect(try library.importing("Book", "many.csv", "title,issue\n" + rows + "\n").status == 0)
        let process = Process()
        process.executableURL = CommandLineRun.executable
        process.arguments = ["copy", library.path, address, "--progress"]
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        _ = pipe.fileHandleForReading.availableData
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let move = try run("move", library.path, address)
        #expect(move.status == 1 && move.errors.contains("A copy into"), "\(move.errors)")
        #expect(try run("copy", library.path, address).status == 0)
        #expect(try run("query", address, "Book", "--count").output == "6000\n")
        #expect(try run("copy", library.path, address).errors.contains("already"))
    }

    @Test func `A fetch is explained`() throws {
        try make()
        let run = try run("query", address, "Book", "--where", "title == 'One'", "--explain")
        #expect(run.status == 0)
        #expect(run.lines.first?.contains(#"FROM "book""#) == true)
        #expect(run.lines.contains("  $1 = 'One'"))
        #expect(run.lines.contains { $0.hasPrefix("  plan: ") && $0.contains("Scan") })
    }

    private func model(_ name: String, _ attributes: String) throws -> String {
        let url = library.folder.file("\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\
            <entity name="Note" syncable="YES">\(attributes)</entity></model>
            """
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        return url.path
    }

    @Test func `A migration shows its statements, and is done`() throws {
        let text = #"<attribute name="text" optional="YES" attributeType="String"/>"#
        let mood = #"<attribute name="mood" optional="YES" attributeType="String"/>"#
        let size =
            #"<attribute name="size" optional="YES" attributeType="Integer 32" defaultValueString="7"/>"#
        #expect(try run("create", address, "--model", model("First", text + mood)).status == 0)
        #expect(try run("insert", address, "Note", "text=a", "mood=good").status == 0)
        let second = try model("Second", text + size)
        let dry = try run("migrate", address, "--to", second, "--dry-run")
        #expect(dry.status == 0)
        #expect(dry.lines.contains("! drop Note.mood (1 row)"))
        #expect(dry.lines.contains("  wait until nobody has the store open"))
        #expect(dry.lines.contains(#"      ALTER TABLE "note" DROP COLUMN "mood";"#))
        #expect(dry.lines.contains { $0.contains(#"ADD COLUMN "size" bigint DEFAULT '7'::bigint;"#) })
        #expect(try run("query", address, "Note", "--count").output == "1\n")
        #expect(try run("migrate", address, "--to", second).status == 1)
        let migrated = try run("migrate", address, "--to", second, "--yes", "--backup")
        let backup = address.replacing("schema=\(schema)", with: "schema=\(schema)_backup")
        #expect(migrated.lines.last == "migrated")
        #expect(
            migrated.lines.contains { $0.hasPrefix("copied to ") && $0.contains("schema=\(schema)_backup") })
        #expect(!migrated.output.contains("secretword"))
        let kept = try run("query", backup, "Note", "--select", "text,mood", "--format", "csv")
        #expect(kept.lines == ["text,mood", "a,good"])
        let rows = try run("query", address, "Note", "--select", "text,size", "--format", "csv")
        #expect(rows.lines == ["text,size", "a,7"])
        #expect(try run("migrate", address, "--to", second).output.contains("already"))
        #expect(try run("doctor", address).output.hasSuffix("sound\n"))
        // The copy that is there stays, and with it the store.
        let third = try model("Third", text)
        let refused = try run("migrate", address, "--to", third, "--yes", "--backup")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("already"))
        #expect(try run("query", address, "Note", "--select", "size").output.contains("7"))
    }

    @Test func `Errors of the server are one line without a password`() throws {
        let none = try run("info", address)
        #expect(none.status == 1)
        #expect(none.errors.split(separator: "\n").count == 1)
        let refused = try run(
            "info", "postgresql://guarded:secretword@/postgres?host=\(server.folder)&schema=\(schema)")
        #expect(refused.status == 1)
        let unreadable = try run("info", "postgresql://a:secretword@/%zz")
        #expect(unreadable.status == 1)
        #expect(try run("info", "mysql://a:secretword@h/d").status == 1)
        try make()
        #expect(try run("sql", address, "DELETE FROM book").status == 1)
        #expect(try run("query", address, "Nothing").status == 1)
    }

    @Test func `Other users don't see the password`() throws {
        let process = Process()
        process.executableURL = CommandLineRun.executable
        process.arguments = ["studio", address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try make()
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        var shown = ""
        for _ in 0..<200 {
            usleep(50_000)
            let data = FileManager.default.contents(atPath: "/proc/\(process.processIdentifier)/cmdline")
            shown = String(decoding: data ?? Data(), as: UTF8.self)
            if shown.contains("**********") { break }
        }
        #expect(shown.contains("tester:**********@"))
        #expect(!shown.contains("secretword"))
    }

    @Test func `A move that is killed goes on, and all is the same in the end`() throws {
        let rows = (0..<6000).map { "Book \($0),\($0 % 100)" }.joined(separator: "\n")
        #expect(try library.importing("Book", "many.csv", "title,issue\n" + rows + "\n").status == 0)
        let process = Process()
        process.executableURL = CommandLineRun.executable
        process.arguments = ["move", library.path, address, "--progress"]
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        // The first pages are there.
        _ = pipe.fileHandleForReading.availableData
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let again = try run("move", library.path, address)
        #expect(again.status == 0, "\(again.errors)")
        #expect(again.output.contains("going on with a move that was stopped"))
        #expect(again.output.contains("  Book: 6000"))
        #expect(try run("query", address, "Book", "--count").output == "6000\n")
        let back = library.folder.file("Back.sqlite").path
        #expect(try run("move", address, back).status == 0)
        let select = ["query", "Book", "--select", "id,title,issue", "--format", "csv"]
        func contents(_ store: String) throws -> String {
            try CommandLineRun(arguments: [select[0], store] + select[1...]).output
        }
        #expect(try contents(back) == contents(library.path))
        #expect(try run("move", library.path, address).errors.contains("already"))
    }
}
