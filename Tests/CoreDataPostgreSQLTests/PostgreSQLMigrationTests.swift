// Migrations on a server beside programs that have the store open.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLMigrationTests {
    private let store: NoteStore

    init() throws { store = try NoteStore() }

    private func error(_ body: () throws -> Void) throws -> NSError {
        try #require(throws: NSError.self) { try body() }
    }

    // MARK: Additions

    @Test func whatOnlyAddsGoesOnBesideOlderPrograms() throws {
        let old = try store.context(NoteVersion())
        try store.add(["text": "a", "number": 1], to: old)
        let newer = NoteVersion(hasMood: true, hasPages: true, hasIndex: true)
        let new = try store.context(newer)
        try expect(store.values("mood", new), equals: ["calm"])
        // The older program goes on, and gives its rows the default by way of the column.
        try store.add(["text": "b", "number": 2], to: old)
        try expect(store.values("mood", new), equals: ["calm", "calm"])
        try store.add(["text": "c", "number": 3, "mood": "wild"], to: new)
        try expect(store.values("text", old), equals: ["a", "b", "c"])
        // It is started again.
        try store.close(old)
        let again = try store.context(NoteVersion())
        try store.add(["text": "d", "number": 4], to: again)
        try expect(store.values("mood", new), equals: ["calm", "calm", "wild", "calm"])
        try expect(
            store.shelf.rows("SELECT count(*) FROM \"coredata_\(store.shelf.schema)\".version"), equals: ["2"]
        )
        let coordinator = try #require(new.persistentStoreCoordinator)
        try expect(coordinator.verify(coordinator.persistentStores[0]), equals: [])
        try store.close(again)
        try store.close(new)
    }

    /// It can't know what a deletion means for them.
    @Test func olderProgramsDeleteWhatNewerRelationshipsLeadTo() throws {
        let old = try store.context(NoteVersion())
        try store.add(["text": "a", "number": 1], to: old)
        let new = try store.context(NoteVersion(hasPages: true))
        try new.performAndWait {
            let leaf = NSEntityDescription.insertNewObject(forEntityName: "Leaf", into: new)
            leaf.setValue(
                try new.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first, forKey: "note")
            try new.save()
        }
        try old.performAndWait {
            try old.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).forEach(old.delete)
            try old.save()
        }
        try new.performAndWait {
            new.reset()
            let leaves = try new.fetch(NSFetchRequest<NSManagedObject>(entityName: "Leaf"))
            expect(leaves.map { $0.value(forKey: "note") as? NSManagedObject }, equals: [nil])
        }
        try store.close(old)
        try store.close(new)
    }

    @Test func entitiesKeepTheirNumbers() throws {
        try store.make(notes: 1)
        try store.close(store.context(NoteVersion(hasPages: true)))
        let catalogue = "\"coredata_\(store.shelf.schema)\".entity"
        try expect(
            store.shelf.rows("SELECT number, name FROM \(catalogue) ORDER BY 1"),
            equals: ["1|Note", "2|Leaf"])
        try expect(store.shelf.rows("SELECT object_entity FROM note"), equals: ["1"])
    }

    /// A client's metadata is written by programs of either version, the model's version by the newer one only.
    @Test func olderProgramsKeepTheNewerVersionInTheMetadata() throws {
        let old = try store.context(NoteVersion())
        let new = try store.context(NoteVersion(hasMood: true))
        let coordinator = try #require(old.persistentStoreCoordinator)
        let former = coordinator.persistentStores[0]
        var metadata = coordinator.metadata(for: former)
        metadata["client"] = "kept"
        coordinator.setMetadata(metadata, for: former)
        try store.add(["text": "a", "number": 1], to: old)
        try store.close(old)
        try store.close(new)
        let found = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            with: store.shelf.description())
        expect(found["client"] as? String, equals: "kept")
        #expect(
            NoteVersion(hasMood: true).model.isConfiguration(
                withName: nil, compatibleWithStoreMetadata: found))
    }

    // MARK: Other changes

    @Test func anotherChangeNamesWhoHasTheStoreOpen() throws {
        let old = try store.context(NoteVersion())
        try store.add(["text": "a", "number": 1], to: old)
        let renamed = NoteVersion(text: "words")
        let refused = try error { _ = try store.context(renamed) }
        expect(refused.code, equals: NSPersistentStoreTimeoutError)
        let reason = try #require(refused.localizedFailureReason)
        #expect(reason.contains("\"\(store.shelf.schema)\" (process "), "\(reason)")
        try expect(store.values("text", old), equals: ["a"])
        try store.close(old)
        let new = try store.context(renamed)
        try expect(store.values("words", new), equals: ["a"])
        let late = try error {
            _ = try store.context(NoteVersion(), ["NSMigratePersistentStoresAutomaticallyOption": false])
        }
        expect(late.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        try store.close(new)
    }

    /// Behind a pooler nobody can say that a store is open.
    @Test func programsWithoutConnectionsOfTheirOwnLearnOfIt() throws {
        let old = try store.context(
            NoteVersion(), [PostgreSQLStore.avoidsPreparedStatementsOption: NSNumber(value: true)])
        try store.add(["text": "a", "number": 1], to: old)
        let new = try store.context(NoteVersion(text: "words"))
        let saving = try error { try store.add(["text": "b", "number": 2], to: old) }
        expect(saving.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        old.performAndWait { old.rollback() }
        let reading = try error { _ = try store.values("text", old) }
        expect(reading.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        try expect(store.values("words", new), equals: ["a"])
        try store.close(old)
        try store.close(new)
    }

    @Test func aProgramThatLostItsConnectionLearnsOfIt() throws {
        let old = try store.context(NoteVersion())
        try store.add(["text": "a", "number": 1], to: old)
        try store.shelf.connection().run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(store.shelf.schema)'
            """)
        let new = try store.context(NoteVersion(text: "words"))
        // The first request finds the connection lost.
        _ = try error { _ = try store.values("text", old) }
        let reading = try error { _ = try store.values("text", old) }
        expect(reading.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        try store.close(old)
        try store.close(new)
    }

    @Test func numbersThatDontFitAreNamedAndNothingChanges() throws {
        try store.make(notes: 3)
        try store.shelf.connection().run("UPDATE note SET number = 70000 WHERE object_id = 2")
        let refused = try error {
            _ = try store.context(NoteVersion(text: "words", number: .integer16AttributeType))
        }
        expect(refused.code, equals: NSMigrationError)
        expect(refused.userInfo["value"] as? String, equals: "70000")
        expect((refused.userInfo["object"] as? URL)?.lastPathComponent, equals: "p2")
        try expect(store.shelf.rows("SELECT text FROM note ORDER BY object_id").count, equals: 3)
    }
}
