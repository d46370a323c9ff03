// The upkeep of stores: room that is given back, and what killed programs left.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct StoreUpkeepTests {
    private let schema: ServerSchema
    private let rich: MoveModel

    init() throws {
        schema = try ServerSchema()
        rich = try MoveModel()
        rich.model.hasNoClasses = true
    }

    @Test func `A server takes back the room of deleted rows`() throws {
        let schema = try ServerSchema.alone()
        try rich.makeStore(schema.address, count: 4)
        try schema.write(
            "INSERT INTO tag (object_id, label, object_version) SELECT n, repeat('x', 200), 1 FROM generate_series(100000, 110000) n"
        )
        try schema.write("DELETE FROM tag WHERE object_id >= 100000 AND object_id % 10 <> 0")
        let address = try StoreAddress(schema.address)
        let kept = try address.vacuum()
        #expect(kept.after >= 2_000_000, "\(kept)")
        let rewritten = try address.vacuum(rewriting: true)
        #expect(rewritten.before >= 2_000_000 && rewritten.after < rewritten.before / 2, "\(rewritten)")
        try expect(schema.rows("SELECT count(*) FROM tag WHERE object_id >= 100000"), equals: ["1001"])
        try expect(
            schema.rows("SELECT count(*) FROM pg_class WHERE oid = 'tag'::regclass AND reltuples > 0"),
            equals: ["1"])
        // A model would change nothing.
        let failure = try #require(throws: ToolFailure.self) { try address.vacuum(modelPath: "Rich.momd") }
        #expect("\(failure)".contains("needs no model"))
    }

    /// The server itself only warns, and does nothing.
    @Test func `A user who may not is refused`() throws {
        try rich.makeStore(schema.address, count: 4)
        let (reader, draft) = ("\(schema.name)_reader", PostgreSQLCatalogue.draft(of: schema.name))
        let known = PostgreSQLCatalogue(schemaOfTables: schema.name).schema
        try schema.write("CREATE SCHEMA \(draft)")
        try schema.write("CREATE ROLE \(reader) LOGIN")
        for place in [schema.name, known] {
            try schema.write("GRANT USAGE ON SCHEMA \(place) TO \(reader)")
            try schema.write("GRANT SELECT ON ALL TABLES IN SCHEMA \(place) TO \(reader)")
        }
        let address = try StoreAddress(
            schema.server.address("postgres", user: reader, "&schema=\(schema.name)"))
        try expect(address.abandoned(), equals: [draft])
        for work in [{ _ = try address.vacuum() }, { _ = try address.removeAbandoned() }] {
            let error = try #require(throws: NSError.self) { try work() }
            expect(error.code, equals: NSFileWriteNoPermissionError, "\(error)")
        }
        try expect(StoreAddress(schema.address).abandoned(), equals: [draft])
    }

    @Test func `One program at a time is alone`() throws {
        func place(_ name: String) -> NSPersistentStoreDescription {
            NSPersistentStoreDescription(postgreSQL: schema.server.address("postgres"), schema: name)
        }
        var runs = 0
        let isAlone = try PostgreSQLStore.runAlone(at: place(schema.name)) {
            expect(try PostgreSQLStore.runAlone(at: place(schema.name)) { runs += 10 }, equals: false)
            expect(try PostgreSQLStore.runAlone(at: place("other")) { runs += 1 }, equals: true)
        }
        #expect(isAlone)
        expect(runs, equals: 1)
        expect(try PostgreSQLStore.runAlone(at: place(schema.name)) { runs += 1 }, equals: true)
        expect(runs, equals: 2)
        for _ in 0..<50 {
            #expect(throws: CancellationError.self) {
                try PostgreSQLStore.runAlone(at: place(schema.name)) { throw CancellationError() }
            }
        }
    }

    @Test func `A store that isn't there is none to keep`() throws {
        let address = try StoreAddress(schema.address)
        let error = try #require(throws: NSError.self) { try address.vacuum() }
        expect(error.code, equals: NSFileReadNoSuchFileError)
        #expect(throws: NSError.self) { try address.abandoned() }
    }

    @Test func `The room of a file's free pages is given back`() throws {
        let path = rich.folder.file("Store.sqlite").path
        try rich.makeStore(path, count: 400)
        let store = try OpenStore(path: path, access: .writing)
        for entity in ["Thing", "Person", "Tag"] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            for object in try store.context.fetch(request) { store.context.delete(object) }
        }
        try store.save()
        try store.close()
        let size = try StoreAddress(path).vacuum()
        #expect(size.after < size.before)
    }

    @Test func `Schemas that killed programs left are found and removed`() throws {
        try rich.makeStore(schema.address, count: 4)
        let address = try StoreAddress(schema.address)
        try expect(address.abandoned(), equals: [])
        let draft = PostgreSQLCatalogue.draft(of: schema.name)
        let known = PostgreSQLCatalogue(schemaOfTables: draft).schema
        try schema.write("CREATE SCHEMA \(draft)")
        try schema.write("CREATE TABLE \(draft).thing (id bigint)")
        try schema.write("CREATE SCHEMA \(known)")
        try expect(address.abandoned(), equals: [draft, known].sorted())
        let findings = try Diagnosis.findings(path: schema.address, modelPath: nil)
        #expect(findings.contains { $0.rows == [draft, known].sorted() && !$0.isHarmful })
        // A program that is at it keeps the store closed.
        let connection = try ServerConnection(
            ServerAddress(parsing: schema.server.address()).with(schema: schema.name))
        try connection.run(PostgreSQLCatalogue(schemaOfTables: schema.name).attempt(.closing))
        try expect(address.abandoned(), equals: [])
        try expect(address.removeAbandoned(), equals: 0)
        connection.close()
        var removed = 0
        // The server ends the connection's work a moment later.
        for _ in 0..<200 where removed == 0 {
            removed = try address.removeAbandoned()
            if removed == 0 { usleep(20_000) }
        }
        expect(removed, equals: 2)
        try expect(address.abandoned(), equals: [])
        #expect(try schema.rows("SELECT count(*) FROM tag") != ["0"])
    }
}
