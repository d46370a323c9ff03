// The tables of persistent history in files: as Apple's framework makes them, and what saves write.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct HistoryTablesTests {
    private static let definitions = """
        SELECT sql FROM sqlite_master WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING') \
        AND sql IS NOT NULL ORDER BY rowid
        """

    private func definitions(_ url: URL) throws -> [String] {
        try PlainDatabase(url).rows(Self.definitions).compactMap { $0[0].text }
    }

    @Test(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
    func aNewStoreHasTheTablesOfApplesStores() throws {
        let apples = try AppleStore("CoreDataPlus/SampleModel2_V1")
        let fixture = try HistoryFixture()
        let expected = try definitions(apples.url)
        try #require(expected.count == 11)
        try expect(definitions(fixture.url), equals: expected)
        let numbers = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT"
        try expect(fixture.plain().rows(numbers), equals: PlainDatabase(apples.url).rows(numbers))
    }

    @Test func anExistingStoreGetsTheTables() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            _ = stack.context.make("Note", ["text": "before"])
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        #expect(try definitions(stack.url).isEmpty)
        let opened = try OpenStore(stack.url, CompanyModel.make(), options: HistoryFixture.tracking)
        #expect(!opened.store.isReadOnly)
        try expect(definitions(stack.url).count, equals: 11)
        _ = opened.context.make("Note", ["text": "after"])
        expect(opened.save(), equals: [])
        try expect(PlainDatabase(stack.url).rows("SELECT ZENTITYPK FROM ACHANGE"), equals: [[.integer(2)]])
    }

    /// Changes are inserted 32 in a statement, the rest one by one.
    @Test(arguments: [1, 31, 32, 33, 70])
    func eachChangeOfASaveIsThereInOrder(count: Int) throws {
        let fixture = try HistoryFixture()
        try fixture.context.run { () throws in
            for number in 0..<count {
                _ = fixture.context.make(number == 40 ? "Project" : "Note", [:])
            }
            try fixture.context.save()
        }
        let plain = try fixture.plain()
        let rows = try plain.rows(
            "SELECT Z_PK, Z_ENT, ZCHANGETYPE, ZTRANSACTIONID, ZCOLUMNS FROM ACHANGE ORDER BY Z_PK")
        expect(
            rows,
            equals: (1...Int64(count)).map {
                [.integer($0), .integer(16001), .integer(0), .integer(1), .null]
            })
        let changed = try plain.rows(
            "SELECT Z_NAME, ZENTITYPK FROM ACHANGE JOIN Z_PRIMARYKEY P ON P.Z_ENT = ZENTITY ORDER BY 1, 2")
        let projects: Int64 = count > 40 ? 1 : 0
        expect(
            changed,
            equals: (0..<Int64(count) - projects).map { [.text("Note"), .integer($0 + 1)] }
                + (0..<projects).map { [.text("Project"), .integer($0 + 1)] })
        try expect(
            plain.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'CHANGE'"),
            equals: [
                [.integer(Int64(count))]
            ])
    }

    @Test func aSaveWritesOneTransactionWithItsChanges() throws {
        let fixture = try HistoryFixture()
        let before = Date().timeIntervalSinceReferenceDate
        try fixture.context.run { () throws in
            fixture.context.transactionAuthor = "importer"
            fixture.context.name = "background"
            _ = fixture.context.make("Note", ["text": "a"])
            _ = fixture.context.make("Project", ["title": "b"])
            try fixture.context.save()
            try fixture.context.save()
        }
        let plain = try fixture.plain()
        let transaction = try #require(try plain.records("SELECT * FROM ATRANSACTION").first)
        try expect(plain.rows("SELECT COUNT(*) FROM ATRANSACTION"), equals: [[.integer(1)]])
        #expect(transaction["Z_PK"] == .integer(1) && transaction["Z_ENT"] == .integer(16002))
        for column in ["Z_OPT", "ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID", "ZQUERYGEN"] {
            expect(transaction[column], equals: .null, "\(column)")
        }
        #expect((before...before + 60).contains(transaction["ZTIMESTAMP"]?.number ?? 0))
        func text(_ column: String) throws -> String? {
            let key = transaction[column]?.integer ?? 0
            return try plain.rows("SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = \(key)").first?[0].text
        }
        try expect(text("ZAUTHORTS"), equals: "importer")
        try expect(text("ZCONTEXTNAMETS"), equals: "background")
        try expect(text("ZPROCESSIDTS"), equals: ProcessInfo.processInfo.processName)
        let changes = try plain.records("SELECT * FROM ACHANGE ORDER BY Z_PK")
        expect(changes.map { $0["ZCHANGETYPE"] }, equals: [.integer(0), .integer(0)])
        for change in changes {
            #expect(change["Z_ENT"] == .integer(16001) && change["ZTRANSACTIONID"] == .integer(1))
            #expect(change["Z_OPT"] == .null && change["ZCOLUMNS"] == .null)
            expect(change["ZENTITYPK"], equals: .integer(1))
        }
        let maxima = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (16001, 16002) ORDER BY Z_ENT"
        try expect(plain.rows(maxima), equals: [[.integer(2)], [.integer(1)]])
    }

    @Test func anUpdateNamesItsProperties() throws {
        let fixture = try HistoryFixture()
        let note = try fixture.saveNote("a")
        try fixture.context.run { () throws in
            let person = fixture.context.make("Person", ["name": "Ada"])
            note.setValue("b", forKey: "text")
            note.setValue(person, forKey: "author")
            try fixture.context.save()
        }
        // author, text
        let columns = try fixture.plain().rows("SELECT ZCOLUMNS FROM ACHANGE WHERE ZCHANGETYPE = 1")
        expect(columns, equals: [[.blob(Data([0xC0]))]])
        let changes = try #require(try fixture.transactions().last?.changes)
        let update = try #require(changes.first { $0.changeType == .update })
        expect(Set(update.updatedProperties?.map(\.name) ?? []), equals: ["author", "text"])
        expect(update.changedObjectID, equals: note.objectID)
        #expect(changes.first { $0.changeType == .insert }?.updatedProperties == nil)
    }

    @Test func anUpdateNamesToManyRelationships() throws {
        let fixture = try HistoryFixture()
        try fixture.context.run { () throws in
            let person = fixture.context.make("Person", ["name": "Ada"])
            let project = fixture.context.make("Project", ["title": "Engine"])
            let note = fixture.context.make("Note", ["text": "a"])
            try fixture.context.save()
            person.setValue(Set([project]), forKey: "projects")
            note.setValue(person, forKey: "author")
            try fixture.context.save()
            let changes = try #require(try fixture.transactions().last?.changes)
            func names(_ object: NSManagedObject) -> Set<String> {
                Set(
                    changes.first { $0.changedObjectID == object.objectID }?.updatedProperties?.map(\.name)
                        ?? [])
            }
            expect(names(person), equals: ["projects", "notes"])
            expect(names(project), equals: ["members"])
            expect(names(note), equals: ["author"])
        }
    }

    @Test func aFailedSaveLeavesNoHistory() throws {
        let fixture = try HistoryFixture()
        let note = try fixture.saveNote("a")
        let rival = try HistoryFixture(beside: fixture)
        try rival.context.run { () throws in
            try rival.context.all("Note")[0].setValue("theirs", forKey: "text")
            try rival.context.save()
        }
        try fixture.context.run { () throws in
            note.setValue("mine", forKey: "text")
            #expect(throws: NSError.self) { try fixture.context.save() }
        }
        try expect(fixture.transactions().map(\.transactionNumber), equals: [1, 2])
        try expect(fixture.plain().rows("SELECT COUNT(*) FROM ACHANGE"), equals: [[.integer(2)]])
    }

    /// Framework 851 kept the texts in the transactions themselves.
    @Test func theOldFormIsReadAndWrittenAsItIs() throws {
        let fixture = try HistoryFixture()
        try fixture.saveNote("a", by: "first")
        try fixture.coordinator.remove(fixture.store)
        do {
            let plain = try fixture.plain()
            for statement in [
                "DROP TABLE ATRANSACTION", "DROP TABLE ATRANSACTIONSTRING",
                "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, "
                    + "ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
                "INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 500.5, 'old', 'b', NULL, 'p', NULL)",
                "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003",
            ] {
                try plain.rows(statement)
            }
        }
        let again = try HistoryFixture(beside: fixture)
        try again.saveNote("b", by: "second")
        let transactions = try again.transactions()
        expect(transactions.map(\.author), equals: ["old", "second"])
        expect(transactions[0].timestamp, equals: Date(timeIntervalSinceReferenceDate: 500.5))
        #expect(transactions[0].bundleID == "b" && transactions[0].contextName == nil)
        expect(transactions[1].processID, equals: ProcessInfo.processInfo.processName)
        try expect(again.plain().tableNames().contains("ATRANSACTIONSTRING"), equals: false)
        try expect(
            again.plain().rows("SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_ENT = 16003"),
            equals: [[.integer(0)]])
    }

    @Test func aModelWithMoreTombstonesAddsColumns() throws {
        let fixture = try HistoryFixture()
        try fixture.coordinator.remove(fixture.store)
        let model = CompanyModel.make()
        let note = try #require(model.entitiesByName["Note"])
        note.attributesByName["text"]?.preservesValueInHistoryOnDeletion = true
        // The flag is part of the version hash of an entity.
        let options = HistoryFixture.tracking.merging(
            [NSIgnorePersistentStoreVersioningOption: true], uniquingKeysWith: { $1 })
        let again = try HistoryFixture(model, beside: fixture, options: options)
        try expect(again.plain().columns(of: "ACHANGE").last, equals: "ZTOMBSTONE0")
    }
}
