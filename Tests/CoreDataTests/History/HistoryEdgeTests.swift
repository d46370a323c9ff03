// Histories where it is easy to go wrong: predicates over everything that they may name, purges by tokens of others,
// tombstones of batches, two coordinators on one file.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct HistoryEdgeTests {
    private func numbers(_ transactions: [NSPersistentHistoryTransaction]) -> [Int64] {
        transactions.map(\.transactionNumber)
    }

    @Test func transactionsAreFoundByCompoundsListsAndMissingValues() throws {
        let fixture = try HistoryFixture()
        for author in ["a", nil, "b", nil] { try fixture.saveNote("n", by: author) }
        let all = try fixture.transactions()
        expect(numbers(try fixture.transactions("author == nil")), equals: [2, 4])
        expect(numbers(try fixture.transactions("author != nil")), equals: [1, 3])
        expect(numbers(try fixture.transactions("author != 'a'")), equals: [2, 3, 4])
        expect(numbers(try fixture.transactions("NOT (author IN %@)", ["a", "b"])), equals: [2, 4])
        expect(
            numbers(try fixture.transactions("author BEGINSWITH[c] 'B' OR author == nil")), equals: [2, 3, 4])
        expect(
            numbers(
                try fixture.transactions(
                    "timestamp BETWEEN %@", [all[1].timestamp as NSDate, all[2].timestamp as NSDate])),
            equals: [2, 3])
        expect(
            numbers(try fixture.transactions("token IN %@", [all[0].token, all[3].token])), equals: [1, 4])
        expect(
            numbers(try fixture.transactions("token > %@ AND author != 'b'", all[0].token)), equals: [2, 4])
        expect(
            numbers(try fixture.transactions("storeID == %@", fixture.store.identifier ?? "")).count,
            equals: 4)
        expect(numbers(try fixture.transactions("TRUEPREDICATE")).count, equals: 4)
    }

    @Test func changesAreFoundByCompoundsAndLists() throws {
        let fixture = try HistoryFixture()
        let (a, b) = (try fixture.saveNote("a"), try fixture.saveNote("b"))
        let token = try fixture.token()
        try fixture.context.run { () throws in
            a.setValue("c", forKey: "text")
            fixture.context.delete(b)
            _ = fixture.context.make("Project", ["title": "p"])
            try fixture.context.save()
        }
        let model = fixture.coordinator.managedObjectModel.entitiesByName
        let (note, project) = (try #require(model["Note"]), try #require(model["Project"]))
        let delete = NSPersistentHistoryChangeType.delete.rawValue
        try expect(fixture.changes("changedEntity IN %@", [note, project]).count, equals: 5)
        try expect(fixture.changes("changedEntity == %@ AND changeType == %d", note, delete).count, equals: 1)
        try expect(
            fixture.changes("changedObjectID IN %@ AND changeType != 0", [a.objectID]).count, equals: 1)
        try expect(fixture.changes("changedObjectID == %@", a).count, equals: 2)
        // After a token, and only some changes: whole transactions with what was found of each.
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.fetchRequest = NSPersistentHistoryChange.fetchRequest
        request.fetchRequest?.predicate = NSPredicate(format: "changedEntity == %@", note)
        let found = try fixture.transactions(request)
        #expect(numbers(found) == [3] && found[0].changes?.count == 2)
        request.fetchRequest?.sortDescriptors = [NSSortDescriptor(key: "changeType", ascending: false)]
        try expect(fixture.transactions(request)[0].changes?.map(\.changeType), equals: [.delete, .update])
        request.resultType = .objectIDs
        try expect(fixture.result(request) as? [NSManagedObjectID], equals: [b.objectID, a.objectID])
    }

    /// A token says nothing about stores that it doesn't know, and what it knows of others is left alone.
    @Test func purgesByTokensOfOthersDeleteNothingHere() throws {
        let (here, there) = (try HistoryFixture(), try HistoryFixture())
        for text in ["a", "b", "c"] {
            try here.saveNote(text)
            try there.saveNote(text)
        }
        _ = try here.result(.deleteHistory(before: try there.token()))
        try expect(here.transactions().count, equals: 3)
        let foreign = try #require(try there.transactions().last)
        _ = try here.result(.deleteHistory(before: foreign))
        try expect(here.transactions().count, equals: 3)
        // A token of another coordinator on the same file is one of the file's.
        let beside = try HistoryFixture(beside: here)
        _ = try here.result(.deleteHistory(before: try beside.token()))
        expect(numbers(try beside.transactions()), equals: [3])
        expect(numbers(try here.transactions()), equals: [3])
        try expect(there.transactions().count, equals: 3)
    }

    /// One coordinator deletes what another hasn't read: that one hears of it, whatever its token is.
    @Test func whoHasNotReadWhatIsPurgedHearsOfIt() throws {
        let writer = try HistoryFixture()
        let reader = try HistoryFixture(beside: writer)
        let initial = try reader.token()
        try writer.saveNote("a")
        let first = try reader.token()
        for text in ["b", "c"] { try writer.saveNote(text) }
        _ = try writer.result(.deleteHistory(before: try writer.token()))
        for token in [initial, first] {
            let error = #expect(throws: NSError.self) { try reader.transactions(.fetchHistory(after: token)) }
            expect(error?.code, equals: NSPersistentHistoryTokenExpiredError)
            #expect(
                (error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore])?.first === reader.store)
        }
        #expect(try reader.transactions(.fetchHistory(after: try reader.token())).isEmpty)
        expect(numbers(try reader.transactions()), equals: [3])
    }

    /// Rows that a deletion reaches by its rules leave their values behind as those that it names.
    @Test(arguments: [false, true]) func cascadesLeaveTombstones(_ isBatch: Bool) throws {
        let model = CompanyModel.make()
        let names = [("Person", ["name", "badge", "age"]), ("Employee", ["salary"]), ("Note", ["text"])]
        for (entity, attributes) in names {
            for name in attributes {
                model.entitiesByName[entity]?.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
            }
        }
        let fixture = try HistoryFixture(model)
        let badge = UUID()
        try fixture.context.run { () throws in
            let context = fixture.context
            let values: [String: Any] = ["name": "Ada", "badge": badge, "salary": 5]
            let employee = context.make("Employee", values)
            let plain = context.make("Person", ["name": "Bob", "age": 3])
            for (text, author) in [("x", employee), ("y", employee), ("z", plain)] {
                context.make("Note", ["text": text]).setValue(author, forKey: "author")
            }
            try context.save()
            if isBatch {
                try expect(context.batchDelete("Person"), equals: 5)
            } else {
                [employee, plain].forEach(context.delete)
                try context.save()
            }
        }
        let changes = try #require(try fixture.transactions().last?.changes)
        #expect(changes.count == 5 && changes.allSatisfy { $0.changeType == .delete })
        let stones = changes.map { change -> String in
            let values = (change.tombstone ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            return "\(change.changedObjectID.entity.name ?? "") \(values.joined(separator: " "))"
        }
        expect(
            Set(stones),
            equals: [
                "Employee badge=\(badge) name=Ada salary=5", "Person age=3 name=Bob", "Note text=x",
                "Note text=y", "Note text=z",
            ])
    }

    /// Two coordinators of one process, each of which merges what the other saves.
    @Test func twoCoordinatorsFollowEachOther() throws {
        let first = try HistoryFixture()
        let fixtures = [first, try HistoryFixture(beside: first)]
        var tokens = try fixtures.map { try $0.token() }
        var notes: [[NSManagedObject]] = [[], []]
        func follow(_ side: Int) throws {
            let fixture = fixtures[side]
            for transaction in try fixture.transactions(.fetchHistory(after: tokens[side])) {
                tokens[side] = transaction.token
                if transaction.author == "side \(side)" { continue }
                fixture.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
        }
        for round in 0..<12 {
            let side = round % 2
            try follow(side)
            let context = fixtures[side].context
            try context.run { () throws in
                context.transactionAuthor = "side \(side)"
                for note in try context.all("Note") where !notes[side].contains(note) {
                    notes[side].append(note)
                }
                for note in notes[side] where !note.isDeleted && (note.text("text") ?? "").count < 6 {
                    note.setValue((note.text("text") ?? "") + "\(side)", forKey: "text")
                }
                if round % 4 == 3, let last = notes[side].last(where: { !$0.isDeleted }) {
                    context.delete(last)
                }
                _ = context.make("Note", ["text": "n"])
                try context.save()
            }
        }
        let texts = try (0..<2).map { side in
            try follow(side)
            let context = fixtures[side].context
            return try context.run { try context.all("Note").compactMap { $0.text("text") }.sorted() }
        }
        #expect(texts[0] == texts[1] && texts[0].count == 9)
        expect(tokens[0], equals: tokens[1])
        try expect(first.transactions().count, equals: 12)
    }
}
