// Batches are in the history: read back by requests, and as rows of the file.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct HistoryRecorderBatchesTests {
    /// Z_PK of the transaction, what happened, to which entity, to which row.
    private static let changes = """
        SELECT ZTRANSACTIONID, ZCHANGETYPE, Z_NAME, ZENTITYPK, ZCOLUMNS FROM ACHANGE \
        JOIN Z_PRIMARYKEY ON ACHANGE.ZENTITY = Z_PRIMARYKEY.Z_ENT ORDER BY ACHANGE.Z_PK
        """

    /// The last transaction's changes as lines: "insert Note p1", "update Note p1 text".
    private func last(_ fixture: HistoryFixture) throws -> Set<String> {
        let changes = try #require(try fixture.transactions().last?.changes)
        let lines = changes.map { change in
            let kind =
                switch change.changeType {
                case .insert: "insert"
                case .update: "update"
                case .delete: "delete"
                }
            let row = change.changedObjectID.uriRepresentation().lastPathComponent
            let names = change.updatedProperties?.map(\.name).sorted().joined(separator: ",")
            return [kind, change.changedObjectID.entity.name ?? "", row, names].compactMap(\.self)
                .joined(separator: " ")
        }
        expect(Set(lines).count, equals: lines.count)
        return Set(lines)
    }

    /// The key of the row that came as the second one, alone: blocks of keys are for one request.
    private func row(_ number: Int, _ kind: StoreKind) -> String {
        kind == .postgreSQL ? "p65" : "p\(number)"
    }

    @Test func insertedRowsAreOneTransaction() throws {
        let fixture = try HistoryFixture()
        fixture.context.transactionAuthor = "importer"
        try fixture.context.run { () throws in
            try expect(fixture.context.batchInsert("Note", (1...600).map { ["text": "\($0)"] }), equals: 600)
        }
        let transaction = try #require(try fixture.transactions().first)
        try expect(fixture.transactions().count, equals: 1)
        expect(transaction.author, equals: "importer")
        expect(transaction.changes?.map(\.changeType), equals: Array(repeating: .insert, count: 600))
        expect(Set(transaction.changes?.map(\.changedObjectID) ?? []).count, equals: 600)
        let plain = try fixture.plain()
        let first = try #require(try plain.rows(Self.changes + " LIMIT 1").first)
        expect(first, equals: [.integer(1), .integer(0), .text("Note"), .integer(1), .null])
        try expect(
            plain.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (16001, 16002) ORDER BY Z_ENT"),
            equals: [[.integer(600)], [.integer(1)]])
    }

    @Test(arguments: StoreKind.tracking)
    func rowsThatGiveWayToUniqueValuesAreUpdates(_ kind: StoreKind) throws {
        let fixture = try HistoryFixture(BatchModel.make(), on: kind)
        try fixture.context.run { () throws in
            try fixture.context.batchInsert("Book", [["title": "a", "pages": 1]])
            fixture.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try fixture.context.batchInsert("Book", [["title": "a", "pages": 2], ["title": "b"]])
            try expect(last(fixture), equals: ["update Book p1 pages,title", "insert Book \(row(2, kind))"])
            fixture.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try fixture.context.batchInsert("Book", [["title": "a", "pages": 3]])
            try expect(fixture.transactions().count, equals: 2, "nothing was written")
        }
    }

    /// Triggers of derived attributes change rows that no batch names, and more in those that it does.
    @Test(arguments: StoreKind.tracking) func whatTriggersChangeIsAnUpdate(_ kind: StoreKind) throws {
        let fixture = try HistoryFixture(DerivedAttributeTests.model(), on: kind)
        let context = fixture.context
        try context.run { () throws in
            let france = context.make("Country", ["name": "France"])
            let author = context.make("Author", ["name": "Éluard", "country": france])
            try context.save()
            let books = (1...300).map { ["title": "\($0)", "pages": $0, "author": author] as [String: Any] }
            try context.batchInsert("Book", books)
            let inserted = try last(fixture)
            #expect(inserted.count == 301 && inserted.contains("insert Book p300"))
            #expect(inserted.contains("update Author p1 bookCount,pageSum"))
            try context.batchInsert("Author", [["name": "Ponge"]])
            try expect(last(fixture), equals: ["insert Author \(row(2, kind))"])
            try context.batchUpdate("Book", "pages == 7", ["pages": 9])
            try expect(last(fixture), equals: ["update Book p7 pages", "update Author p1 pageSum"])
            try context.batchUpdate("Author", "name BEGINSWITH 'P'", ["name": "Char"])
            try expect(last(fixture), equals: ["update Author \(row(2, kind)) changed,name,searchName"])
            try context.batchDelete("Book", "pages > 2")
            let deleted = try last(fixture)
            #expect(deleted.count == 299 && deleted.contains("update Author p1 bookCount,pageSum"))
            try context.batchUpdate("Country", nil, ["name": "Gaul"])
            try expect(
                last(fixture),
                equals: [
                    "update Country p1 name", "update Author p1 countryName", "update Book p1 homeland",
                    "update Book p2 homeland",
                ])
            try context.batchDelete("Author")
            let updates = try last(fixture).filter { $0.hasPrefix("update") }
            expect(updates, equals: ["update Book p1 author,homeland", "update Book p2 author,homeland"])
        }
        // A save afterwards has nothing of the batches' in it.
        try context.run { () throws in
            _ = context.make("Tag", ["word": "w"])
            try context.save()
            try expect(last(fixture), equals: ["insert Tag p1"])
        }
    }

    @Test func updatedRowsNameThePropertiesThatWereSet() throws {
        let fixture = try HistoryFixture()
        try fixture.context.run { () throws in
            let boss = fixture.context.make("Employee", ["name": "Ada"])
            _ = fixture.context.make("Person", ["name": "Bob"])
            _ = fixture.context.make("Note", ["text": "a"])
            try fixture.context.save()
            try fixture.context.batchUpdate("Note", nil, ["text": "b"])
            try expect(last(fixture), equals: ["update Note p1 text"])
            try fixture.context.batchUpdate("Employee", nil, ["manager": boss, "salary": 5])
            let row = boss.objectID.uriRepresentation().lastPathComponent
            try expect(last(fixture), equals: ["update Employee \(row) manager,salary"])
            try fixture.context.batchUpdate(
                "Person", nil, ["age": 3, "visits": NSExpression(format: "visits + 1")])
            let other = row == "p1" ? "p2" : "p1"
            try expect(
                last(fixture),
                equals: [
                    "update Employee \(row) age,visits", "update Person \(other) age,visits",
                ])
            try fixture.context.batchUpdate("Person", "age == 99", ["age": 1])
            try expect(fixture.transactions().count, equals: 4)
        }
        // author, text
        let columns = try fixture.plain().rows(
            "SELECT ZCOLUMNS FROM ACHANGE WHERE ZTRANSACTIONID = 2 AND ZCHANGETYPE = 1")
        expect(columns, equals: [[.blob(Data([0x40]))]])
    }

    @Test func deletedRowsLeaveTombstonesAndNullifiedOnesAreUpdates() throws {
        let model = CompanyModel.make()
        for name in ["name", "badge"] {
            model.entitiesByName["Person"]?.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
        }
        let fixture = try HistoryFixture(model)
        let badge = UUID()
        try fixture.context.run { () throws in
            let boss = fixture.context.make("Employee", ["name": "Ada", "badge": badge])
            let clerk = fixture.context.make("Employee", ["name": "Bob", "manager": boss])
            _ = fixture.context.make("Note", ["text": "a", "author": boss])
            _ = fixture.context.make("Note", ["text": "b", "author": clerk])
            try fixture.context.save()
            try expect(fixture.context.batchDelete("Employee", "name == 'Ada'"), equals: 2)
            let rows = try fixture.plain().rows(
                "SELECT Z_PK, ZNAME FROM ZPERSON UNION SELECT Z_PK, ZTEXT FROM ZNOTE")
            let kept = try #require(rows.first { $0[1].text == "Bob" })[0].integer ?? 0
            let changes = try #require(try fixture.transactions().last?.changes)
            expect(
                changes.map(\.changeType).sorted { $0.rawValue < $1.rawValue },
                equals: [.update, .delete, .delete])
            let update = try #require(changes.first { $0.changeType == .update })
            expect(update.changedObjectID.uriRepresentation().lastPathComponent, equals: "p\(kept)")
            expect(update.updatedProperties?.map(\.name), equals: ["manager"])
            let gone = try #require(
                changes.first { $0.changeType == .delete && $0.changedObjectID.entity.name == "Employee" })
            expect(gone.tombstone?["name"] as? String, equals: "Ada")
            expect(gone.tombstone?["badge"] as? UUID, equals: badge)
            #expect(
                changes.first { $0.changedObjectID.entity.name == "Note" }?.tombstone == nil)
        }
        let stones = try fixture.plain().rows(
            "SELECT COUNT(*) FROM ACHANGE WHERE ZCHANGETYPE = 2 AND ZTOMBSTONE1 = 'Ada'")
        expect(stones, equals: [[.integer(1)]])
    }

    @Test func aBatchThatFailsLeavesNoHistory() throws {
        let fixture = try HistoryFixture()
        try fixture.context.run { () throws in
            try fixture.context.batchInsert("Company", [["name": "a"]])
            #expect(throws: (any Error).self) {
                try fixture.context.batchInsert("Company", [["name": "b"], [:]])
            }
        }
        try expect(fixture.transactions().count, equals: 1)
        try expect(fixture.plain().rows("SELECT COUNT(*) FROM ACHANGE"), equals: [[.integer(1)]])
    }

    @Test func aReaderCatchesUpWithBatchesByTheirHistory() throws {
        let writer = try HistoryFixture()
        let notes = try ["a", "b", "c"].map { try writer.saveNote($0) }
        let reader = try HistoryFixture(beside: writer)
        try reader.context.run { () throws in
            let held = try reader.context.all("Note")
            expect(Set(held.map { $0.text("text") }), equals: ["a", "b", "c"])
            let token = try reader.token()
            try writer.context.run { () throws in
                try writer.context.batchUpdate("Note", "text == 'a'", ["text": "A"])
                try writer.context.batchDelete("Note", "text == 'b'")
                try writer.context.batchInsert("Note", [["text": "d"]])
            }
            for transaction in try reader.transactions(.fetchHistory(after: token)) {
                reader.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
            expect(Set(try reader.context.all("Note").map { $0.text("text") }), equals: ["A", "c", "d"])
            expect(Set(held.compactMap { $0.isDeleted ? nil : $0.text("text") }), equals: ["A", "c"])
        }
        withExtendedLifetime(notes) {}
    }
}
