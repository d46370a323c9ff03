import Foundation
import Testing

@Suite("Commands that write", .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct WritingCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.copy(SharedFiles.bookmarks)
    }

    private func cells(_ sql: String) throws -> [String] {
        Array(try CommandLineRun("sql", store, sql, "--format", "csv").lines.dropFirst())
    }

    @Test func `Insert, set and delete reach the file`() throws {
        let insert = try CommandLineRun(
            "insert", store, "BookmarkEntity", "title=Swift, a \"language\"", "isFolder=NO", "uuid=new",
            "modifiedAt=2024-05-01T10:20:30.5Z", "parent=BookmarkEntity/3")
        #expect(insert.errors.isEmpty)
        #expect(insert.output == "BookmarkEntity/11\n")
        let row = "SELECT ZTITLE, ZISFOLDER, ZMODIFIEDAT, ZPARENT, Z_OPT FROM ZBOOKMARKENTITY WHERE Z_PK = 11"
        #expect(try cells(row) == ["\"Swift, a \"\"language\"\"\",0,736251630.5,3,1"])

        let set = try CommandLineRun(
            "set", store, "BookmarkEntity/11", "title=", "isFolder=YES", "parent=BookmarkEntity/6")
        #expect(set.output == "changed BookmarkEntity/11\n")
        #expect(try cells(row) == [",1,736251630.5,6,2"])
        #expect(try CommandLineRun("set", store, "BookmarkEntity/11", "title=\"\"").status == 0)
        #expect(try cells(row) == ["\"\",1,736251630.5,6,3"])

        let delete = try CommandLineRun("delete", store, "BookmarkEntity/11", "--yes")
        #expect(delete.lines.first == "delete: 1 (BookmarkEntity/11)")
        #expect(delete.lines.last == "deleted 1")
        #expect(try cells(row).isEmpty)
        #expect(try cells("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["11"])
        #expect(try CommandLineRun("doctor", store).status == 0)
    }

    @Test func `Ordered relationships are set, added to and removed from`() throws {
        let children = "children           "
        func shown() throws -> String? {
            try CommandLineRun("get", store, "BookmarkEntity/3").lines.first { $0.hasPrefix(children) }
        }
        #expect(
            try CommandLineRun("set", store, "BookmarkEntity/3", "children=BookmarkEntity/8,BookmarkEntity/7")
                .status == 0)
        #expect(try shown() == children + "BookmarkEntity/8, BookmarkEntity/7")
        #expect(
            try CommandLineRun("set", store, "BookmarkEntity/3", "children+=BookmarkEntity/1").status == 0)
        #expect(
            try CommandLineRun("set", store, "BookmarkEntity/3", "children-=BookmarkEntity/8").status == 0)
        #expect(try shown() == children + "BookmarkEntity/7, BookmarkEntity/1")
        #expect(try CommandLineRun("doctor", store).status == 0)
    }

    @Test func `A required transient attribute keeps nothing from being changed`() throws {
        let store = try folder.copy("stores/CoreDataPlus/SampleModel_V1.sqlite")
        let run = try CommandLineRun("set", store, "Person/1", "cars=Car/1,Car/2")
        #expect(run.errors.isEmpty)
        #expect(run.status == 0)
        let cars = try CommandLineRun(
            "query", store, "Car", "--where", "owner.id != nil AND owner.firstName == 'Victoria'",
            "--select", "id", "--format", "csv")
        #expect(cars.lines.contains("Car/1"))
        #expect(cars.lines.contains("Car/2"))
        #expect(try CommandLineRun("doctor", store).output == "sound\n")
    }

    @Test func `delete shows what goes along and asks`() throws {
        let before = try cells("SELECT COUNT(*) FROM ZBOOKMARKENTITY")
        let dry = try CommandLineRun("delete", store, "BookmarkEntity/6", "--dry-run")
        #expect(
            dry.lines == [
                "delete: 1 (BookmarkEntity/6)",
                "with them: 3 (BookmarkEntity/2, BookmarkEntity/4, BookmarkEntity/10)",
                "changed: 2 (BookmarkEntity/3, BookmarkEntity/5)",
            ])
        let twice = try CommandLineRun("delete", store, "BookmarkEntity/6", "BookmarkEntity/6", "--dry-run")
        #expect(twice.lines == dry.lines)
        let unasked = try CommandLineRun("delete", store, "BookmarkEntity/6")
        #expect(unasked.status == 1)
        #expect(unasked.errors == "coredata: Nothing was deleted: nobody can be asked; --yes deletes.\n")
        #expect(try cells("SELECT COUNT(*) FROM ZBOOKMARKENTITY") == before)
        let done = try CommandLineRun("delete", store, "BookmarkEntity", "--where", "uuid == \"3\"", "--yes")
        #expect(done.lines.last == "deleted 4")
        #expect(try cells("SELECT COUNT(*) FROM ZBOOKMARKENTITY") == ["6"])
    }

    @Test func `What the model forbids is refused, and nothing is written`() throws {
        let rows = "SELECT * FROM ZBOOKMARKENTITY"
        let before = try cells(rows)
        let missing = try CommandLineRun("insert", store, "BookmarkEntity", "title=x")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("\"uuid\" of \"BookmarkEntity\" is a required value."))
        let values: [(String, String)] = [
            ("isFolder=maybe", "YES or NO"), ("modifiedAt=yesterday", "a date as in"),
            ("foo=1", "no property \"foo\""),
            ("parent=BookmarkEntity/99", "There is no object"), ("title+=x", "no to-many relationship"),
            ("title", "no assignment"),
        ]
        for (assignment, reason) in values {
            let run = try CommandLineRun("set", store, "BookmarkEntity/1", assignment)
            #expect(run.status == 1)
            #expect(run.errors.contains(reason))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        let twice = try CommandLineRun("set", store, "BookmarkEntity/1", "title=a", "title=b")
        #expect(twice.status == 1)
        #expect(twice.errors == "coredata: \"title\" is set twice.\n")
        #expect(try cells(rows) == before)
    }

    @Test(arguments: SharedFiles.stores)
    func `A new store has the model of the old one, and is sound`(name: String) throws {
        let folder = try TemporaryFolder()
        let old = try folder.copy(name)
        let new = folder.file("New.sqlite").path
        let run = try CommandLineRun("create", new, "--model", old)
        #expect(run.errors.isEmpty)
        #expect(run.status == 0)
        #expect(try CommandLineRun("doctor", new).output == "sound\n")
        let hashes = try CommandLineRun("model", new, "--hashes")
        #expect(hashes.status == 0)
        #expect(hashes.output == (try CommandLineRun("model", old, "--hashes")).output)
        let again = try CommandLineRun("create", new, "--model", old)
        #expect(again.status == 1)
        #expect(again.errors.contains("already"))
    }

    @Test func `export writes files whole or not at all`() throws {
        let file = folder.file("out.csv")
        #expect(
            try CommandLineRun("export", store, "BookmarkEntity", "--format", "csv", "-o", file.path).status
                == 0)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 11)
        #expect(
            lines.first
                == "id,isFolder,isPendingDeletion,modifiedAt,title,url,uuid,children,favoriteFolder,favorites,parent"
        )
        #expect(lines[2].hasPrefix("BookmarkEntity/2,false,false,2023-11-27T14:22:50.189342Z,32,32,32,"))
        let again = try CommandLineRun("export", store, "BookmarkEntity", "--format", "csv", "-o", file.path)
        #expect(again.status == 1)
        #expect(again.errors.contains("--force"))
        #expect(
            try CommandLineRun("export", store, "--format", "csv", "-o", folder.file("all").path).status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.file("all/BookmarkEntity.csv").path))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.hasPrefix(".") })
    }
}
