import Foundation
import Testing

@Suite("What goes wrong", .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct FailureTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.copy(SharedFiles.bookmarks)
    }

    @Test func `A predicate that can't be read gets a mark`() throws {
        let run = try CommandLineRun("query", store, "BookmarkEntity", "--where", "isFolder = = NO")
        #expect(run.status == 1)
        #expect(
            run.errors == """
                coredata: Expected an expression (at character 12)
                  isFolder = = NO
                             ^

                """)
    }

    @Test(
        arguments: [
            ("foo == 1", "keypath foo not found in entity BookmarkEntity"),
            ("FUNCTION('a', 'system:', 'ls') == 1", "Unknown function"), ("title == $x", "$x has no value"),
            ("title == %@", "There is no argument"), ("", "Expected an expression"),
            (String(repeating: "(", count: 100_000), "(at character "),
        ])
    func `A predicate that can't be answered is refused in words`(predicate: String, reason: String) throws {
        let run = try CommandLineRun("query", store, "BookmarkEntity", "--where", predicate)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("coredata: "))
        #expect(run.errors.contains(reason))
        #expect(run.errors.count < 400)
        #expect(run.output.isEmpty)
    }

    @Test func `Wrong names are answered with the right ones`() throws {
        let near = try CommandLineRun("query", store, "bookmarkentity")
        #expect(
            near.errors
                == "coredata: There is no entity \"bookmarkentity\"; did you mean \"BookmarkEntity\"?\n")
        let far = try CommandLineRun("query", store, "Foo")
        #expect(far.errors == "coredata: There is no entity \"Foo\"; the model has BookmarkEntity.\n")
        for option in ["--sort", "--select"] {
            for path in ["foo", "parent.foo", "title.foo", "children.@sum"] {
                let run = try CommandLineRun("query", store, "BookmarkEntity", option, path)
                #expect(run.status == 1)
                #expect(run.errors.split(separator: "\n").count == 1)
            }
        }
        #expect(try CommandLineRun("query", store, "BookmarkEntity", "--sort", "children").status == 1)
        #expect(try CommandLineRun("get", store, "BookmarkEntity/99").errors.contains("There is no object"))
        #expect(try CommandLineRun("get", store, "BookmarkEntity").errors.contains("names no object"))
        #expect(try CommandLineRun("get", store, "x-coredata://ABC/BookmarkEntity/p1").status == 1)
    }

    @Test(arguments: ["info", "doctor", "model", "export"])
    func `What is no store is said to be none, and stays as it is`(command: String) throws {
        let text = folder.file("text.sqlite")
        try Data(String(repeating: "not a database ", count: 100).utf8).write(to: text)
        let empty = folder.file("empty.sqlite")
        try Data().write(to: empty)
        let before = try folder.contents()
        for path in [text.path, empty.path, folder.file("missing.sqlite").path, folder.url.path] {
            let run = try CommandLineRun(command, path)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix("coredata: "))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        #expect(try folder.contents() == before)
    }

    @Test func `doctor finds a damaged page and a missing column`() throws {
        let store = folder.file("broken.sqlite")
        let bytes = try Data(
            contentsOf: URL(fileURLWithPath: SharedFiles.path("stores/LoopKit/Model_V1.sqlite")))
        var damaged = bytes
        damaged.replaceSubrange(4096 * 3..<4096 * 4, with: Data(repeating: 0xAA, count: 4096))
        try damaged.write(to: store)
        let page = try CommandLineRun("doctor", store.path)
        #expect(page.status == 1)
        #expect((page.output + page.errors).contains("damaged"))
        damaged = bytes
        for page in 20..<30 {
            let start = page * 4096 + 4
            damaged.replaceSubrange(start..<start + 3000, with: Data(repeating: 0xAA, count: 3000))
        }
        try damaged.write(to: store)
        let inner = try CommandLineRun("doctor", store.path)
        #expect(inner.status == 1)
        #expect(inner.output.hasPrefix("wrong: file: SQLite finds the file damaged"))
        #expect(inner.output.contains("restore a backup"))
        var renamed = bytes
        let column = Data("ZSTARTDATE".utf8)
        while let range = renamed.range(of: column) {
            renamed.replaceSubrange(range, with: Data("ZSTARTDATX".utf8))
        }
        try #require(renamed != bytes)
        try renamed.write(to: store)
        let layout = try CommandLineRun("doctor", store.path)
        #expect(layout.status == 1)
        #expect(layout.output.contains("has no column ZSTARTDATE"))
        #expect(layout.output.contains("→ "))
        #expect(layout.lines.last?.hasSuffix("wrong") == true)
    }

    @Test func `A truncated store is said to be incomplete`() throws {
        let bytes = try Data(
            contentsOf: URL(fileURLWithPath: SharedFiles.path("stores/LoopKit/Model_V1.sqlite")))
        let store = folder.file("short.sqlite")
        try bytes.prefix(20_000).write(to: store)
        for command in ["info", "doctor", "export"] {
            let run = try CommandLineRun(command, store.path)
            #expect(run.status == 1)
            #expect(run.errors.contains("The file has 20000 bytes of the 176128 that its header states."))
        }
    }

    @Test func `A store of another model is not opened`() throws {
        let other = try SharedFiles.path("stores/LoopKit/Model_V1.sqlite")
        let run = try CommandLineRun("query", store, "BookmarkEntity", "--model", other)
        #expect(run.status == 1)
        #expect(run.errors.contains("was made with another model"))
    }

    @Test func `A store without its model asks for one`() throws {
        let old = try folder.copy("stores/MagicalRecord/Recipes.sqlite")
        let run = try CommandLineRun("query", old, "Recipe")
        #expect(run.status == 1)
        #expect(run.errors.contains("name one with --model"))
        let model = try SharedFiles.path("models/MagicalRecord/Recipes.xcdatamodeld")
        let found = try CommandLineRun("query", old, "Recipe", "--model", model, "--count")
        #expect(found.errors.isEmpty)
        #expect(Int(found.output.dropLast()) ?? 0 > 0)
    }

    @Test func `A command line that can't be understood ends with 64`() throws {
        #expect(try CommandLineRun("query").status == 64)
        #expect(try CommandLineRun("frobnicate").status == 64)
        #expect(try CommandLineRun("query", store, "BookmarkEntity", "--limit", "-1").status == 64)
        #expect(try CommandLineRun("delete", store, "BookmarkEntity").status == 64)
        #expect(try CommandLineRun("export", store, "--format", "csv").status == 64)
    }

    @Test(
        arguments: [
            "info", "create", "model", "query", "get", "set", "insert", "delete", "export", "sql", "doctor",
        ])
    func `Every command has help with an example`(command: String) throws {
        let run = try CommandLineRun(command, "--help")
        #expect(run.status == 0)
        #expect(run.output.contains("EXAMPLE\n  coredata \(command) "))
        #expect(!run.output.contains("\u{1B}"))
        #expect(try CommandLineRun("--help").output.contains("  \(command) "))
    }
}
