import Foundation
import Testing

@Suite("coredata import: relationships")
struct ImportRelationshipTests {
    private let library: LibraryStore

    init() throws { library = try LibraryStore() }

    @Test func `To-many, ordered and one-to-one relationships are imported`() throws {
        try library.importing("Tag", "a.csv", "label\nt1\nt2\n").expectSuccess()
        try library.importing("Profile", "a.csv", "bio\np\n").expectSuccess()
        try library.importing("Star", "a.csv", "name,email\nAnn,a\n").expectSuccess()
        let books = "title,editor.email,author,tags.label,profile.bio\nx,a,Star/1,t1;t2,p\ny,a,,t2,\n"
        try library.importing("Book", "a.csv", books).expectSuccess()
        #expect(
            try library.rows("SELECT ZTITLE, ZEDITOR, ZAUTHOR, ZPROFILE FROM ZBOOK ORDER BY Z_PK")
                == ["x,1,1,1", "y,1,,"])
        let tags = try CommandLineRun(
            "query", library.path, "Book", "--select", "title,tags.label", "--format", "csv", "--sort",
            "title")
        #expect(tags.lines.dropFirst() == ["x,t1;t2", "y,t2"])
        try library.importing("Tag", "a.json", #"{"label": "t3", "books": ["Book/2", "Book/1"]}"#)
            .expectSuccess()
        let editor = try CommandLineRun("get", library.path, "Star/1")
        #expect(editor.lines.contains { $0.hasPrefix("edited") && $0.hasSuffix("Book/1, Book/2") })
        let lost = try library.importing("Book", "a.csv", "tags.label\nt1;t9\n")
        #expect(lost.errors.contains("line 2: There is no object of Tag whose label is \"t9\""))
        #expect(try CommandLineRun("doctor", library.path).output == "sound\n")
    }

    @Test func `Records lead to records of the same file`() throws {
        let text = #"""
            { "Author": [{"id": "ann", "name": "Ann", "email": "a", "edited": ["2", "1"]}],
              "Star": [],
              "Book": [
                {"id": "1", "title": "x", "author.email": "a"},
                {"id": "2", "title": "y", "author": "ann", "profile.bio": "p"}],
              "Profile": [{"bio": "p"}] }
            """#
        let run = try CommandLineRun("import", library.path, library.file("all.json", text))
        #expect(run.output == "4 objects added.\n", "\(run.errors)")
        let books = try CommandLineRun(
            "query", library.path, "Author", "--select", "books.title,edited.title", "--format", "csv")
        #expect(books.lines.last == "x;y,y;x")
        #expect(try library.rows("SELECT ZPROFILE FROM ZBOOK WHERE ZTITLE = 'y'") == ["1"])
        #expect(try CommandLineRun("doctor", library.path).output == "sound\n")
    }

    @Test func `Who leads to a wrong record is wrong, and names are unique`() throws {
        let text = #"""
            { "Author": [{"id": "ann", "name": "A"}, {"id": "bob", "name": "Bob"}],
              "Book": [
                {"id": "1", "author": "ann"},
                {"id": "2", "author": "bob"}, {"id": "3", "author": "1"},
                {"id": "2", "author": "bob"}, {"id": "4", "author": "Author/9"}],
              "Tag": [{"label": "t", "books": ["1"]}] }
            """#
        let run = try CommandLineRun("import", library.path, library.file("all.json", text), "--keep-going")
        for reason in [
            "line 1, object 1 of Author: \"name\" of \"Author\" is too short",
            "line 3, object 1 of Book: It leads to a record of the file that is wrong",
            "line 4, object 3 of Book: 1 can't be in \"author\", which leads to Author",
            "line 5, object 4 of Book: 2 is the name of a record before it",
            "line 5, object 5 of Book: There is no object Author/9",
            "line 6, object 1 of Tag: It leads to a record",
        ] { #expect(run.errors.contains(reason), "\(run.errors)") }
        #expect(run.output == "2 objects added, 6 records left out.\n")
    }

    @Test func `Files of a whole store that aren't one say so`() throws {
        for (name, text, expected) in [
            ("a.json", "[{}]", "there is no JSON object with a list for each entity"),
            ("a.json", #"{"title": "a"}"#, "the name of an entity and a list of its objects are missing"),
            ("a.json", #"{"Boook": [{}]}"#, "There is no entity \"Boook\""),
            ("a.json", #"{"Book": [{}"#, "missing"),
            ("a.csv", "title\n", "Name the entity"),
        ] {
            let run = try CommandLineRun("import", library.path, library.file(name, text))
            #expect(run.status == 1 && run.errors.contains(expected), "\(run.errors)")
        }
    }

    /// An exported file makes the same objects in an empty store, and the same file again.
    @Test(
        .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"),
        arguments: SharedFiles.stores, ["json", "csv"])
    func `Exports of real stores are imported`(store: String, format: String) throws {
        let folder = try TemporaryFolder()
        let original = try folder.copy(store)
        func copy(_ source: String, _ name: String) throws -> String {
            let (file, target) = (folder.file(name).path, folder.file(name + ".sqlite").path)
            let name = file + (format == "json" ? ".json" : "")
            try CommandLineRun("export", source, "--archives", "--format", format, "-o", name).expectSuccess()
            try CommandLineRun("create", target, "--model", original).expectSuccess()
            try CommandLineRun("import", target, name).expectSuccess()
            #expect(try CommandLineRun("doctor", target).output == "sound\n")
            return target
        }
        let first = try copy(original, "first")
        let second = try copy(first, "second")
        for path in [second] {
            let left = try CommandLineRun("export", first, "--archives").output
            #expect(try CommandLineRun("export", path, "--archives").output == left)
        }
        // Keys are counted anew, so that the first export is the same but for names.
        func shape(_ path: String) throws -> String {
            try CommandLineRun("export", path, "--archives").output.replacing(/\/[0-9]+/, with: "")
        }
        let (left, right) = (try shape(original), try shape(first))
        #expect(left.split(separator: "\n").sorted() == right.split(separator: "\n").sorted())
    }
}
