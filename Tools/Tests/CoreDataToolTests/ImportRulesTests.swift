import Foundation
import Testing

/// The contents of records, and the rules of the model.
@Suite("coredata import: values and rules")
struct ImportRulesTests {
    private let library: LibraryStore

    init() throws { library = try LibraryStore() }

    @Test func `An empty field says nothing, two quotes are the empty text`() throws {
        let text = "title,note,issue\n\"\",\"\",\"\"\n,,\n\"\"\"\"\"\",x,\n"
        try library.importing("Book", "a.csv", text).expectSuccess()
        let sql = "SELECT quote(ZTITLE), quote(ZNOTE), ZISSUE FROM ZBOOK ORDER BY Z_PK"
        #expect(
            try library.rows(sql) == ["'',''", "NULL,'none'", "'\"\"\"\"','x'"].map { $0 + ",7" }.map(csv))
    }

    /// As the command quotes cells that hold quotes.
    private func csv(_ row: String) -> String {
        row.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.contains("\"") ? "\"\($0)\"" : String($0) }.joined(separator: ",")
    }

    /// The author of a file that somebody else imports must not get at that person's files.
    @Test(arguments: [("a.csv", "data\n@PATH\n"), ("a.json", #"[{"data": "@PATH"}]"#)])
    func `A record's text names no file`(_ name: String, _ text: String) throws {
        let secret = try library.file("secret", "abc")
        let run = try library.importing("Book", name, text.replacingOccurrences(of: "PATH", with: secret))
        #expect(run.status == 1)
        #expect(run.errors.contains("is no value for \"data\", which is base64"), "\(run.errors)")
        #expect(try library.rows("SELECT COUNT(*) FROM ZBOOK") == ["0"])
        try CommandLineRun("insert", library.path, "Book", "data=@" + secret).expectSuccess()
        #expect(try library.rows("SELECT hex(ZDATA) FROM ZBOOK") == ["616263"])
    }

    @Test func `Rules of the model hold, and each record is told of`() throws {
        let text = "name,rank\nBob,500\nBobby,-3\nX,1\nBob!!,1\nAnn,1\n"
        let run = try library.importing("Author", "a.csv", text)
        #expect(run.status == 1)
        for reason in [
            "line 2: \"rank\" of \"Author\" is too large", "line 3: \"rank\" of \"Author\" is too small",
            "line 4: \"name\" of \"Author\" is too short", "line 5: \"name\" of \"Author\" does not match",
            "4 records are wrong; nothing is added",
        ] { #expect(run.errors.contains(reason), "\(run.errors)") }
        #expect(try library.rows("SELECT COUNT(*) FROM ZAUTHOR") == ["0"])
    }

    @Test func `Values that must be unique are told by line`() throws {
        try CommandLineRun("insert", library.path, "Author", "name=Old", "email=o").expectSuccess()
        let text = "name,email\nAnn,a\nBob,b\nAnna,a\nOlder,o\nNone,\nNone,\n"
        for options in [[], ["--dry-run"]] {
            let run = try CommandLineRun(
                arguments: ["import", library.path, "Author", library.file("a.csv", text)] + options)
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.errors.contains("line 4: Line 2 has email \"a\" as well"), "\(run.errors)")
            #expect(run.errors.contains("line 5: Author/1 has email \"o\" already"))
        }
        let most = try library.importing("Author", "a.csv", text, "--keep-going")
        #expect(most.output == "4 objects of Author added, 2 records left out.\n")
        #expect(
            try library.rows("SELECT ZNAME FROM ZAUTHOR ORDER BY Z_PK") == [
                "Old", "Ann", "Bob", "None", "None",
            ])
    }

    /// A store of boxes, one with values of a type that is unique; another entity leads to them.
    private func boxes(type: String, value: String) throws -> String {
        let model = library.folder.file("\(type).xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Box"><attribute name="key" optional="YES" attributeType="\(type)"/>
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="things" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Thing"
                inverseName="box" inverseEntity="Thing"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="key"/></uniquenessConstraint>
            </uniquenessConstraints></entity>
            <entity name="Thing"><relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify"
                destinationEntity="Box" inverseName="things" inverseEntity="Box"/></entity></model>
            """
        try Data(text.utf8).write(to: model.appendingPathComponent("contents"))
        let store = library.folder.file("\(type).sqlite").path
        try CommandLineRun("create", store, "--model", model.path).expectSuccess()
        try CommandLineRun("insert", store, "Box", "name=other").expectSuccess()
        try CommandLineRun("insert", store, "Box", "name=one", "key=\(value)").expectSuccess()
        return store
    }

    @Test(arguments: [
        ("Integer 32", "7", "8"), ("Double", "1.5", "2.5"), ("Decimal", "3.25", "4.5"),
        ("Boolean", "YES", "NO"),
        ("Date", "2024-05-01T00:00:00Z", "2025-05-01T00:00:00Z"),
        ("URI", "https://a.example", "https://b.example"),
        ("UUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "E621E1F8-C36C-495A-93FC-0C247A3E6E60"),
        ("Binary", "AAAA", "AAAB"), ("String", "a", "b"),
    ])
    func `Objects are found by values of each type`(_ type: String, _ there: String, _ new: String) throws {
        let store = try boxes(type: type, value: there)
        let both = try library.file("both.csv", "key,name\n\(there),changed\n\(new),new\n")
        let dry = try CommandLineRun("import", store, "Box", both, "--dry-run")
        #expect(
            dry.errors.contains("line 2: Box/2 has key ") && !dry.errors.contains("line 3"), "\(dry.errors)")
        try CommandLineRun("import", store, "Box", both, "--update").expectSuccess()
        let found = try library.file("found.csv", "box.key\n\(there)\n")
        try CommandLineRun("import", store, "Thing", found).expectSuccess()
        let objects = try library.file(
            "objects.json", #"[{"key": "\#(new)", "name": "newer", "things": []}]"#)
        try CommandLineRun("import", store, "Box", objects, "--update").expectSuccess()
        let boxes = try CommandLineRun(
            "query", store, "Box", "--select", "name", "--sort", "name", "--format", "csv")
        #expect(boxes.lines == ["name", "changed", "newer", "other"], "\(boxes.errors)")
        let thing = try CommandLineRun("query", store, "Thing", "--select", "box.name", "--format", "csv")
        #expect(thing.lines == ["box.name", "changed"], "\(thing.errors)")
    }

    @Test func `An update may say less than a new object needs`() throws {
        try CommandLineRun("insert", library.path, "Author", "name=Ann", "email=a", "rank=50").expectSuccess()
        try CommandLineRun("insert", library.path, "Star", "name=Sue", "email=s", "prize=Gold")
            .expectSuccess()
        let missing = try library.importing("Author", "a.csv", "email,rank\na,7\nn,8\n", "--update")
        #expect(missing.errors.contains("line 3: \"name\" is required"))
        try library.importing("Author", "a.csv", "email,rank\na,7\ns,8\ns,9\n", "--update").expectSuccess()
        let sql = "SELECT ZNAME, ZEMAIL, ZRANK, ZPRIZE FROM ZAUTHOR ORDER BY Z_PK"
        #expect(try library.rows(sql) == ["Ann,a,7,", "Sue,s,9,Gold"])
    }

    /// They would all be added once more.
    @Test func `Objects that nothing tells apart are not updated`() throws {
        try library.importing("Book", "a.csv", "title\na\nb\n").expectSuccess()
        for (name, text) in [("b.csv", "title\na\nc\n"), ("b.json", #"[{"title": "a"}]"#)] {
            for option in ["--keep-going", "--dry-run", "--update"] {
                let run = try library.importing("Book", name, text, "--update", option)
                #expect(run.status == 1 && run.output.isEmpty, "\(option)")
                #expect(run.errors.contains("Book has no uniqueness constraint"), "\(run.errors)")
            }
        }
        let whole = try library.file(
            "whole.json", #"{"Author": [{"email": "a", "name": "Ann"}], "Book": [{}]}"#)
        let run = try CommandLineRun("import", library.path, whole, "--update")
        #expect(run.status == 1 && run.errors.contains("object 1 of Book: Book has no uniqueness constraint"))
        #expect(try library.rows("SELECT ZTITLE FROM ZBOOK ORDER BY Z_PK") == ["a", "b"])
        try library.importing("Star", "s.csv", "email,name\ns,Sue\n", "--update").expectSuccess()
    }

    @Test func `Objects of a list are told by number`() throws {
        let list = #"[{"issue": 1}, {"issue": 99999}, {issue: 2}, {"issue": 3}, {"issue": "x"}]"#
        let run = try library.importing("Book", "a.json", list)
        for place in ["line 1, object 2: ", "line 1, object 3: the object isn't JSON", "line 1, object 5: "] {
            #expect(run.errors.contains(place), "\(run.errors)")
        }
        let twice = #"[{"email": "a", "name": "Ann"}, {"email": "a", "name": "Bob"}]"#
        let unique = try library.importing("Author", "b.json", twice)
        #expect(unique.errors.contains("line 1, object 2: Object 1 has email"), "\(unique.errors)")
        let open = try library.importing("Book", "c.json", #"[{"issue": 1}, {"issue": 2"#)
        #expect(open.errors.contains("line 1, object 2: the object isn't closed"), "\(open.errors)")
        let entities = try library.file(
            "d.json", #"{"Book": [{"issue": 1}], "Tag": [{"label": "t"}, {"x": 1}]}"#)
        let whole = try CommandLineRun("import", library.path, entities)
        #expect(whole.errors.contains("line 1, object 2 of Tag: Tag has no property"), "\(whole.errors)")
        let lines = try library.importing("Book", "e.jsonl", "{\"issue\": 1}\n{\"x\": 1}\n")
        #expect(lines.errors.contains("line 2: Book has no property"), "\(lines.errors)")
        #expect(try library.rows("SELECT COUNT(*) FROM ZBOOK") == ["0"])
    }

    @Test func `Records that can't be read are left out, and no others`() throws {
        let csv = Data("title,issue\na,1\nb\n".utf8) + [0xFF] + Data(",2\nc,3\n".utf8)
        let path = library.folder.file("a.csv").path
        try csv.write(to: URL(fileURLWithPath: path))
        let none = try CommandLineRun("import", library.path, "Book", path)
        #expect(none.errors.contains("line 3: 1 field, where the first line names 2"))
        #expect(none.errors.contains("line 4: a field isn't UTF-8"))
        let some = try CommandLineRun("import", library.path, "Book", path, "--keep-going")
        #expect(some.output == "2 objects of Book added, 2 records left out.\n")
        // Several on one line.
        let json = #"[{"issue": 99999}, {"issue": 1}, {issue: 2}, {"issue": 3.0}, {"issue": true}]"#
        let run = try library.importing("Book", "a.json", json, "--keep-going")
        #expect(run.output == "2 objects of Book added, 3 records left out.\n")
        #expect(run.errors.contains("\"true\" is no value for \"issue\""), "\(run.errors)")
        #expect(run.errors.contains("the object isn't JSON: "))
        #expect(try library.rows("SELECT ZISSUE FROM ZBOOK ORDER BY Z_PK") == ["1", "3", "1", "3"])
    }

    @Test(arguments: [
        ("a.csv", " title \n", "line 1: Book has no property \" title \""),
        ("a.csv", "float\n1e39\n", "\"1e39\" is no value for \"float\""),
        ("a.csv", "title\r\ra\r\"b\"c\r", "line 4: text after a closing quote"),
        ("a.csv", "address\nx\n", "\"address\" is composite"),
        ("a.json", #"{"address": {"street": 1}}"#, "\"address\" has no element \"street\""),
        ("a.json", #"{"extra": {"a": [{"$class": "Gone"}]}}"#, "an object of the class Gone"),
        ("a.json", #"{"look": [1]}"#, "exported with --archives can be imported"),
        ("a.json", #"{"look": {"$archive": "?"}}"#, "isn't base64"),
        ("a.json", "{\"data\": \"" + String(repeating: "x", count: 1000) + "!\"}", "xxx…\" is no value"),
    ])
    func `What can't be taken is refused in few words`(name: String, text: String, expected: String) throws {
        let run = try library.importing("Book", name, text)
        #expect(run.status == 1 && run.errors.contains(expected), "\(run.errors)")
        #expect(run.errors.count < 500)
    }

    @Test func `A composite value is an object, or is put together of its elements`() throws {
        let json = #"[{"address": {"city": "Rome", "zip": 5}}, {"address.city": "Bari"}, {"address": null}]"#
        try library.importing("Book", "a.json", json).expectSuccess()
        try library.importing("Book", "a.csv", "address\n\"{\"\"zip\"\":6}\"\n").expectSuccess()
        let sql = "SELECT ZADDRESS_CITY, ZADDRESS_ZIP FROM ZBOOK ORDER BY Z_PK"
        #expect(try library.rows(sql) == ["Rome,5", "Bari,", ",", ",6"])
    }

    @Test func `What can be read only once is imported too`() throws {
        let pipe = library.folder.file("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let writer = Thread {
            try? FileHandle(forWritingTo: URL(fileURLWithPath: pipe)).write(
                contentsOf: Data("title\na\n".utf8))
        }
        writer.start()
        let run = try CommandLineRun("import", library.path, "Book", pipe, "--format", "csv")
        #expect(run.output == "1 object of Book added.\n", "\(run.errors)")
        let input = try library.file("input.csv", "title\nb\nc\n")
        let standard = try CommandLineRun(
            arguments: ["import", library.path, "Book", "-", "--format", "csv"], input: input)
        #expect(standard.output == "2 objects of Book added.\n", "\(standard.errors)")
        let wrong = try CommandLineRun(
            arguments: ["import", library.path, "Tag", "-", "--format", "csv"], input: input)
        #expect(wrong.errors.contains("standard input, line 1: Tag has no property \"title\""))
        let folder = try CommandLineRun(
            "import", library.path, "Book", library.folder.url.path, "--format", "csv")
        #expect(folder.status == 1 && folder.errors.contains("is a folder"))
    }
}
