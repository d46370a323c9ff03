// Facts about persistent history that are easy to get wrong. Each name states one.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct HistoryPitfalls {
    private static let expired = NSPersistentHistoryTokenExpiredError

    @Test func aNewStoreHasATokenBeforeAnyTransaction() throws {
        let fixture = try HistoryFixture()
        let token = try fixture.token()
        #expect(try fixture.transactions(.fetchHistory(after: token)).isEmpty)
        try fixture.saveNote("a")
        #expect(try fixture.token() != token)
    }

    @Test func tokensAreEqualAcrossCoordinatorsOfAFile() throws {
        let first = try HistoryFixture()
        let second = try HistoryFixture(beside: first)
        try expect(first.token(), equals: second.token())
        try first.saveNote("a")
        try expect(first.token(), equals: second.token())
        try second.saveNote("b")
        try expect(first.token(), equals: second.token())
    }

    @Test func afterANilTokenComesEverythingAfterTheCurrentOneNothing() throws {
        let fixture = try HistoryFixture()
        try fixture.saveNote("a")
        try fixture.saveNote("b")
        let none: NSPersistentHistoryToken? = nil
        try expect(fixture.transactions(.fetchHistory(after: none)).count, equals: 2)
        #expect(try fixture.transactions(.fetchHistory(after: try fixture.token())).isEmpty)
    }

    @Test func theInitialTokenHasExpiredInAPredicateButNotInAFetch() throws {
        let fixture = try HistoryFixture()
        let initial = try fixture.token()
        try fixture.saveNote("a")
        try expect(fixture.transactions(.fetchHistory(after: initial)).count, equals: 1)
        let error = #expect(throws: NSError.self) { try fixture.transactions("token > %@", initial) }
        expect(error?.code, equals: Self.expired)
        try expect(fixture.transactions("token == %@", try fixture.token()).count, equals: 1)
    }

    @Test func transactionsAreFoundByAllTheirFields() throws {
        let fixture = try HistoryFixture()
        fixture.context.name = "main"
        for author in ["a", "b", "c"] { try fixture.saveNote("n", by: author) }
        let all = try fixture.transactions()
        let process = ProcessInfo.processInfo.processName
        try expect(fixture.transactions("author == %@", "b").map(\.transactionNumber), equals: [2])
        try expect(
            fixture.transactions("author IN %@", ["a", "c"]).map(\.transactionNumber), equals: [1, 3])
        try expect(fixture.transactions("author != 'b'").map(\.transactionNumber), equals: [1, 3])
        try expect(fixture.transactions("bundleID == %@", all[0].bundleID).count, equals: 3)
        try expect(fixture.transactions("contextName == 'main'").count, equals: 3)
        #expect(try fixture.transactions("contextName == 'other'").isEmpty)
        try expect(fixture.transactions("processID == %@", process).count, equals: 3)
        try expect(
            fixture.transactions("timestamp > %@", all[1].timestamp).map(\.transactionNumber), equals: [3])
        try expect(fixture.transactions("token > %@", all[0].token).map(\.transactionNumber), equals: [2, 3])
        try expect(fixture.transactions("transactionNumber <= 2").map(\.transactionNumber), equals: [1, 2])
    }

    @Test func changesAreFoundByAllTheirFields() throws {
        let fixture = try HistoryFixture()
        let note = try fixture.saveNote("a")
        try fixture.context.run { () throws in
            note.setValue("b", forKey: "text")
            _ = fixture.context.make("Project", ["title": "p"])
            try fixture.context.save()
        }
        let entity = try #require(fixture.coordinator.managedObjectModel.entitiesByName["Project"])
        let update = NSPersistentHistoryChangeType.update.rawValue
        try expect(fixture.changes("changedObjectID == %@", note.objectID).count, equals: 2)
        try expect(fixture.changes("changedObjectID IN %@", [note.objectID]).count, equals: 2)
        try expect(
            fixture.changes("changeType == %d", update).map(\.changedObjectID), equals: [note.objectID])
        try expect(
            fixture.changes("changedEntity == %@", entity).map(\.changedObjectID.entity.name),
            equals: [
                "Project"
            ])
        try expect(fixture.changes("changedID == 1").count, equals: 3)
        try expect(fixture.changes("changeID == 1").map(\.changedObjectID), equals: [note.objectID])
    }

    @Test func transactionsOnlyLeavesChangesNil() throws {
        let fixture = try HistoryFixture()
        try fixture.saveNote("a")
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.resultType = .transactionsOnly
        try expect(fixture.transactions(request).map { $0.changes == nil }, equals: [true])
        request.resultType = .changesOnly
        try expect((fixture.result(request) as? [NSPersistentHistoryChange])?.count, equals: 1)
    }

    @Test func deletingBeforeATransactionKeepsIt() throws {
        let fixture = try HistoryFixture()
        for text in ["a", "b", "c"] { try fixture.saveNote(text) }
        let all = try fixture.transactions()
        _ = try fixture.result(.deleteHistory(before: all[0]))
        try expect(fixture.transactions().count, equals: 3)
        _ = try fixture.result(.deleteHistory(before: all[1]))
        try expect(fixture.transactions().map(\.transactionNumber), equals: [2, 3])
        _ = try fixture.result(.deleteHistory(before: all[2].token))
        try expect(fixture.transactions().map(\.transactionNumber), equals: [3])
        _ = try fixture.result(.deleteHistory(before: Date.distantFuture))
        #expect(try fixture.transactions().isEmpty)
    }

    @Test func aTombstoneIsThereOnDeletionAndForPreservedAttributesOnly() throws {
        let model = CompanyModel.make()
        let person = try #require(model.entitiesByName["Person"])
        for name in ["name", "badge", "age", "photo", "height"] {
            person.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
        }
        let fixture = try HistoryFixture(model)
        let badge = UUID()
        try fixture.context.run { () throws in
            let values: [String: Any] = ["name": "Ada", "badge": badge, "age": 36, "level": 5]
            let person = fixture.context.make("Employee", values)
            let note = fixture.context.make("Note", ["text": "a"])
            try fixture.context.save()
            person.setValue("Lovelace", forKey: "name")
            try fixture.context.save()
            person.setValue("unsaved", forKey: "name")
            fixture.context.delete(person)
            fixture.context.delete(note)
            try fixture.context.save()
        }
        let all = try fixture.transactions()
        expect(all[0].changes?.allSatisfy { $0.tombstone == nil }, equals: true)
        expect(all[1].changes?.allSatisfy { $0.tombstone == nil }, equals: true)
        let deletions = try #require(all[2].changes)
        let tombstone = try #require(
            deletions.first { $0.changedObjectID.entity.name == "Employee" }?.tombstone)
        #expect(tombstone["name"] as? String == "Lovelace" && tombstone["badge"] as? UUID == badge)
        #expect(tombstone["age"] as? Int == 36 && tombstone["height"] == nil)
        expect(Set(tombstone.keys), equals: ["name", "badge", "age"])
        #expect(deletions.first { $0.changedObjectID.entity.name == "Note" }?.tombstone == nil)
    }

    @Test func theOldestComesFirst() throws {
        let fixture = try HistoryFixture()
        for author in ["x", "y", "z"] { try fixture.saveNote("n", by: author) }
        let all = try fixture.transactions()
        expect(all.map(\.author), equals: ["x", "y", "z"])
        expect(all.map(\.timestamp), equals: all.map(\.timestamp).sorted())
    }

    @Test func withoutTheOptionAStoreWithHistoryIsReadOnly() throws {
        let first = try HistoryFixture()
        try first.saveNote("a")
        let second = try HistoryFixture(beside: first, options: [:])
        #expect(second.store.isReadOnly)
        let error = #expect(throws: NSError.self) { try second.saveNote("b") }
        expect(error?.code, equals: NSPersistentStoreSaveError)
        second.context.reset()
        try expect(second.transactions().count, equals: 1)
    }

    @Test func aTransactionsNotificationBringsItsChangesIntoAnotherContext() throws {
        let writer = try HistoryFixture()
        let note = try writer.saveNote("a")
        let doomed = try writer.saveNote("doomed")
        let reader = try HistoryFixture(beside: writer)
        let token = try reader.token()
        let (seen, gone) = try reader.context.run { () throws in
            let notes = try reader.context.all("Note", sort: "text")
            return (notes[0], notes[1])
        }
        try reader.context.run { () throws in
            #expect(seen.text("text") == "a" && gone.text("text") == "doomed")
        }
        try writer.context.run { () throws in
            note.setValue("b", forKey: "text")
            writer.context.delete(doomed)
            _ = writer.context.make("Note", ["text": "new"])
            try writer.context.save()
        }
        for transaction in try reader.transactions(.fetchHistory(after: token)) {
            let notification = transaction.objectIDNotification()
            expect(
                notification.userInfo?[NSPersistentHistoryTokenKey] as? NSObject, equals: transaction.token)
            reader.context.mergeChanges(fromContextDidSave: notification)
        }
        try reader.context.run { () throws in
            #expect(seen.text("text") == "b" && gone.isDeleted)
            try expect(reader.context.all("Note").count, equals: 2)
        }
    }
}
