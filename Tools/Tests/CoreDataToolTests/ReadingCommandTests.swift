import Foundation
import Testing

@Suite("Commands that read", .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct ReadingCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.copy(SharedFiles.bookmarks)
    }

    @Test func `info tells version, UUID, journal, model and rows`() throws {
        let run = try CommandLineRun("info", store)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.lines.contains("UUID      68EFC1D5-E5CE-4B04-BC3C-9C3FD734558A"))
        #expect(run.lines.contains("Framework 1251"))
        #expect(run.lines.contains("Model     the store's own copy, matches"))
        #expect(run.lines.contains("Journal   write-ahead log, -wal 32992 bytes, no -shm"))
        #expect(run.lines.contains("BookmarkEntity    10        11"))
    }

    @Test func `info as JSON can be read`() throws {
        let run = try CommandLineRun("info", store, "--json")
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let info = try #require(object)
        #expect(info["modelMatches"] as? Bool == true)
        #expect((info["entities"] as? [[String: Any]])?.first?["rows"] as? Int == 10)
    }

    @Test func `info works on a store that keeps no model`() throws {
        let old = try folder.copy("stores/MagicalRecord/Recipes.sqlite")
        let run = try CommandLineRun("info", old)
        #expect(run.status == 0)
        #expect(run.output.contains("the store keeps no copy"))
        #expect(run.output.contains("Recipe"))
    }

    @Test func `model shows properties and hashes`() throws {
        let run = try CommandLineRun("model", store, "--hashes")
        #expect(run.status == 0)
        #expect(run.lines.first == "BookmarkEntity, class BookmarkEntity")
        #expect(
            run.output.contains(
                "children           to many BookmarkEntity, ordered, inverse parent, on delete cascade"))
        #expect(run.lines.contains("  hash aYt2S+tyoryQIXq5pnDZDZzhZjtxwV9nXMv7Ruf/dqU="))
    }

    @Test(arguments: ["mom", "momd", "xcdatamodel", "xcdatamodeld"])
    func `A written model is the same when read again`(kind: String) throws {
        let target = folder.file("Copy.\(kind)").path
        #expect(try CommandLineRun("model", store, "--write", target).status == 0)
        let before = try CommandLineRun("model", store, "--hashes")
        let after = try CommandLineRun("model", target, "--hashes")
        #expect(after.status == 0)
        #expect(after.output == before.output)
        let again = try CommandLineRun("model", store, "--write", target)
        #expect(again.status == 1)
        #expect(again.errors.contains("already"))
    }

    @Test func `A model's uncertain hashes are named`() throws {
        let path = try SharedFiles.path("models/CoreDataPlus/SampleModel3.xcdatamodeld")
        let run = try CommandLineRun("model", path)
        #expect(run.status == 0)
        #expect(run.lines.first?.isEmpty == false)
    }

    @Test func `query filters, sorts and selects`() throws {
        let run = try CommandLineRun(
            "query", store, "BookmarkEntity", "--where", "isFolder == YES AND title CONTAINS[cd] \"ROOT\"",
            "--sort", "-title", "--select", "id,title,children.@count,parent.title")
        #expect(run.status == 0)
        #expect(
            run.output == """
                id                title           children.@count  parent.title
                ----------------  --------------  ---------------  ------------
                BookmarkEntity/5  favorites_root                0
                BookmarkEntity/3  bookmarks_root                5

                """)
    }

    @Test func `query bounds and counts`() throws {
        let rows = try CommandLineRun(
            "query", store, "BookmarkEntity", "--limit", "2", "--offset", "1", "--select", "id", "--format",
            "csv")
        #expect(rows.output == "id\nBookmarkEntity/2\nBookmarkEntity/3\n")
        #expect(try CommandLineRun("query", store, "BookmarkEntity", "--count").output == "10\n")
        let none = try CommandLineRun("query", store, "BookmarkEntity", "--limit", "0", "--format", "json")
        #expect(none.output == "[]\n")
    }

    @Test func `query prints dates and nil as JSON`() throws {
        let run = try CommandLineRun(
            "query", store, "BookmarkEntity", "--where", "uuid IN {\"2\", \"bookmarks_root\"}", "--sort",
            "uuid",
            "--select", "id,isFolder,modifiedAt", "--format", "json")
        #expect(
            run.output == """
                [
                  {"id": "BookmarkEntity/1", "isFolder": false, "modifiedAt": "2023-11-27T14:22:50.189348Z"},
                  {"id": "BookmarkEntity/3", "isFolder": true, "modifiedAt": null}
                ]

                """)
    }

    @Test func `query explains its SQL`() throws {
        let run = try CommandLineRun(
            "query", store, "BookmarkEntity", "--where", "uuid == \"2\"", "--explain")
        #expect(run.lines.first?.hasPrefix("SELECT t0.Z_PK") == true)
        #expect(run.lines.contains("  ?1 = '2'"))
        #expect(run.output.contains("  plan: SEARCH"))
    }

    @Test func `get shows everything of one object`() throws {
        let run = try CommandLineRun("get", store, "BookmarkEntity/5")
        #expect(run.status == 0)
        #expect(run.lines.contains("title              favorites_root"))
        #expect(run.output.contains("favorites          BookmarkEntity/8, BookmarkEntity/9"))
        let uri = "x-coredata://68EFC1D5-E5CE-4B04-BC3C-9C3FD734558A/BookmarkEntity/p5"
        #expect(try CommandLineRun("get", store, uri).output == run.output)
    }

    @Test func `sql reads, and only reads`() throws {
        let run = try CommandLineRun(
            "sql", store, "SELECT Z_PK, ZTITLE FROM ZBOOKMARKENTITY WHERE Z_PK < 3", "--format", "csv")
        #expect(run.output == "Z_PK,ZTITLE\n1,2\n2,32\n")
        for text in [
            "SELECT 1 AS n; -- the end", "SELECT 1 AS n /* one */ ;;\n", "SELECT 1 AS n -- one; two",
        ] {
            let commented = try CommandLineRun("sql", store, text, "--format", "csv")
            #expect(commented.output == "n\n1\n", "\(text)")
        }
        for text in [
            "DELETE FROM ZBOOKMARKENTITY", "SELECT 1; /* two */ SELECT 2", "SELECT 1; NONSENSE",
            "SELECT 1; SELECT 2", "ATTACH 'x' AS y", "SELEC", "",
        ] {
            let refused = try CommandLineRun("sql", store, text)
            #expect(refused.status == 1)
            #expect(refused.output.isEmpty)
            #expect(refused.errors.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: SharedFiles.stores)
    func `doctor finds Apple's stores sound`(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try CommandLineRun("doctor", try folder.copy(name))
        #expect(run.output == "sound\n")
        #expect(run.status == 0)
    }

    @Test func `doctor says that another model is not the store's`() throws {
        let other = try SharedFiles.path("stores/LoopKit/Model_V1.sqlite")
        let run = try CommandLineRun("doctor", store, "--model", other)
        #expect(run.status == 1)
        #expect(run.output.contains("BookmarkEntity is not in the model"))
        #expect(run.output.contains("→ name the version that it was made with"))
    }

    @Test(arguments: SharedFiles.stores)
    func `Reading leaves every byte as it was`(name: String) throws {
        let folder = try TemporaryFolder()
        let store = try folder.copy(name)
        let before = try folder.contents()
        let export = try CommandLineRun("export", store)
        #expect(export.status == 0)
        let content = try #require(
            try JSONSerialization.jsonObject(with: Data(export.output.utf8)) as? [String: [[String: Any]]])
        let entity = try #require(content.max { $0.value.count < $1.value.count })
        for arguments in [["info"], ["doctor"], ["model"]] {
            #expect(try CommandLineRun(arguments[0], store).status == 0)
        }
        let count = try CommandLineRun("query", store, entity.key, "--no-subentities", "--count")
        #expect(count.output == "\(entity.value.count)\n")
        if let object = entity.value.first?["id"] as? String {
            #expect(try CommandLineRun("get", store, object).status == 0)
        }
        #expect(try CommandLineRun("sql", store, "SELECT * FROM Z_PRIMARYKEY").status == 0)
        #expect(try folder.contents() == before)
    }
}
