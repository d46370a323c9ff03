import Foundation
import Testing

@Suite("coredata import", .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct ImportCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.copy(SharedFiles.bookmarks)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.file(name))
        return folder.file(name).path
    }

    private func rows(_ sql: String) throws -> [String] {
        Array(try CommandLineRun("sql", store, sql, "--format", "csv").lines.dropFirst())
    }

    private let added = "SELECT ZTITLE, ZISFOLDER, ZPARENT FROM ZBOOKMARKENTITY WHERE Z_PK > 10 ORDER BY Z_PK"

    @Test func `CSV with quotes, references and defaults`() throws {
        try CommandLineRun("set", store, "BookmarkEntity/3", "title=Only one").expectSuccess()
        let csv = try file(
            "new.csv",
            "title,isFolder,parent.title,uuid\r\n"
                + "\"a, \"\"b\"\"\nc\",NO,Only one,u1\r\n,YES,,u2\r\n")
        let run = try CommandLineRun("import", store, "BookmarkEntity", csv)
        #expect(run.errors.isEmpty && run.output == "2 objects of BookmarkEntity added.\n")
        #expect(try rows("SELECT COUNT(*) FROM ZBOOKMARKENTITY WHERE Z_PK > 10 AND ZPARENT = 3") == ["1"])
        #expect(try rows("SELECT length(ZTITLE) FROM ZBOOKMARKENTITY WHERE ZUUID = 'u1'") == ["8"])
        #expect(try rows("SELECT ZTITLE IS NULL FROM ZBOOKMARKENTITY WHERE ZUUID = 'u2'") == ["1"])
        #expect(try CommandLineRun("doctor", store).status == 0)
    }

    @Test(arguments: [
        #"""
        [{"title": "a", "isFolder": true, "parent": "BookmarkEntity/3", "uuid": "1"},
         {"title": "[{", "isFolder": false, "uuid": "2"}]
        """#,
        #"""
        {"title": "a", "isFolder": true, "parent": "BookmarkEntity/3", "uuid": "1"}
        {"title": "[{",
         "isFolder": false, "url": null, "uuid": "2"}
        """#,
        #"[{"title": "a", "isFolder": 1, "parent": "BookmarkEntity/3", "uuid": "1"}, {"title": "[{", "isFolder": 0, "uuid": ""}]"#,
    ])
    func `JSON as a list and line by line`(text: String) throws {
        let run = try CommandLineRun("import", store, "BookmarkEntity", file("new.json", text))
        #expect(run.errors.isEmpty && run.output == "2 objects of BookmarkEntity added.\n")
        #expect(try rows(added) == ["a,1,3", "[{,0,"])
    }

    @Test func `What is wrong is told by line, and nothing is added`() throws {
        let csv = try file(
            "bad.csv",
            "title,isFolder,uuid,favoriteFolder\nfine,NO,1,\nodd,maybe,2,\nlost,NO,3,BookmarkEntity/999\n")
        let run = try CommandLineRun("import", store, "BookmarkEntity", csv)
        #expect(run.status == 1 && run.output.isEmpty)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].contains("line 3: \"maybe\" is no value for \"isFolder\""))
        #expect(lines[1].contains("line 4: There is no object BookmarkEntity/999"))
        #expect(lines[2].contains("2 records are wrong; nothing is added"))
        #expect(try rows(added).isEmpty)

        let most = try CommandLineRun("import", store, "BookmarkEntity", csv, "--keep-going")
        #expect(most.status == 0 && most.output == "1 object of BookmarkEntity added, 2 records left out.\n")
        #expect(try rows(added) == ["fine,0,"])
    }

    @Test(arguments: [
        ("new.csv", "title,titel\na,b\n", "has no property \"titel\""),
        ("new.csv", "title,children\na,b\n", "line 2: \"b\" names no object"),
        ("new.csv", "title,isFolder\na\n", "line 2: 1 field, where the first line names 2"),
        ("new.csv", "title\n\"a\n", "line 2: a quote isn't closed"),
        ("new.csv", "", "the file is empty"),
        ("new.json", "[{\"title\": 1}]", "no value for \"title\""),
        ("new.json", "[{\"title\": \"a\"", "line 1"),
        ("new.json", "[1]", "there is no JSON object"),
        ("new.json", "[{\"isFolder\": \"\"}]", "no value for \"isFolder\""),
    ])
    func `Files that can't be read say where`(name: String, text: String, expected: String) throws {
        let run = try CommandLineRun("import", store, "BookmarkEntity", file(name, text))
        #expect(run.status == 1 && run.errors.contains(expected), "\(run.errors)")
        #expect(try rows(added).isEmpty)
    }

    /// No ordered relationship is in the way: a batch inserts the rows.
    @Test func `Rows without references go in as one batch`() throws {
        let lines = (1...5000).map { "t\($0),NO,\($0)" }.joined(separator: "\n")
        let run = try CommandLineRun(
            "import", store, "BookmarkEntity", file("many.csv", "title,isFolder,uuid\n" + lines))
        #expect(run.output == "5000 objects of BookmarkEntity added.\n")
        #expect(try rows("SELECT COUNT(*), MAX(Z_PK) FROM ZBOOKMARKENTITY WHERE Z_PK > 10") == ["5000,5010"])
        let missing = try CommandLineRun(
            "import", store, "BookmarkEntity", file("bad.csv", "title,isFolder\na,NO\n"))
        #expect(missing.errors.contains("line 2: \"uuid\" is required"))
    }

    @Test func `A dry run checks only`() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let run = try CommandLineRun(
            "import", store, "BookmarkEntity", file("new.csv", "title,isFolder,uuid\na,NO,1\n"), "--dry-run")
        #expect(run.output == "1 object of BookmarkEntity can be added.\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    }
}

extension CommandLineRun {
    func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status == 0, "\(errors)", sourceLocation: sourceLocation)
    }
}
