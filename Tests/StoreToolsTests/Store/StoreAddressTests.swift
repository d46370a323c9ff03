import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct StoreAddressTests {
    private let schema: ServerSchema

    init() throws { schema = try ServerSchema() }

    private static func model() -> NSManagedObjectModel {
        let (note, title) = (NSEntityDescription(), NSAttributeDescription())
        note.name = "Note"
        (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
        note.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    private func make(keepingHistory: Bool = false) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try StoreAddress(schema.address).open(
            in: coordinator, options: keepingHistory ? [NSPersistentHistoryTrackingKey: true] : [:])
        try coordinator.remove(store)
    }

    @Test func `An address names a schema, and shows it again without the password`() throws {
        let address = try StoreAddress(
            "postgresql://ann:secret@db.example/library?schema=books&connect_timeout=2")
        #expect(address.name == "postgresql://ann@db.example/library?connect_timeout=2&schema=books")
        expect(address.title, equals: "library.books")
        #expect(!address.isFile)
        #expect(!"\(address)".contains("secret"))
        let other = try StoreAddress("postgresql://db.example/library?password=secret")
        #expect(other.name == "postgresql://db.example/library")
    }

    @Test func `Paths stay paths`() throws {
        let address = try StoreAddress("/tmp/a?schema=b.sqlite")
        #expect(address.isFile && address.name == "/tmp/a?schema=b.sqlite")
        #expect(throws: ToolFailure.self) { try StoreAddress("mysql://host/db") }
        #expect(throws: ToolFailure.self) { try StoreAddress("postgresql://h/d?schema=") }
        let unreadable = try #require(throws: ToolFailure.self) {
            try StoreAddress("postgresql://a:secret@%")
        }
        #expect(!unreadable.description.contains("secret"))
        let unknown = try #require(throws: ToolFailure.self) {
            try StoreAddress("postgresql://h/d?schema=s&sslmod=require")
        }
        #expect(unknown.description.hasSuffix("libpq knows no parameter \"sslmod\"."))
    }

    @Test(arguments: [
        "host=db password=secret dbname=x", "password=secret", "postgresql:/db?password=secret",
        "postgres:secret@db", "user = ann password=secret",
    ]) func `Addresses in other forms are no paths, and aren't shown`(text: String) throws {
        for read in [{ _ = try StoreAddress(text) }, { _ = try StoreAddress.shown(text) }] {
            let failure = try #require(throws: ToolFailure.self, performing: read)
            #expect(failure.description.contains("postgresql://USER@HOST"))
            #expect(!failure.description.contains("secret"))
        }
        expect(try StoreAddress.shown("a=b user.sqlite"), equals: "a=b user.sqlite")
        expect(try StoreAddress.shown("/tmp/host=b.sqlite"), equals: "/tmp/host=b.sqlite")
    }

    @Test func `Metadata, model and contents come from the server`() throws {
        #expect(throws: NSError.self) { try StoreAddress(schema.address).metadata() }
        try StoreAddress(schema.address).requireNothing()
        try make()
        #expect(throws: ToolFailure.self) { try StoreAddress(schema.address).requireNothing() }
        let store = try OpenStore(path: schema.address, access: .writing)
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: store.context)
        note.setValue("Hello", forKey: "title")
        try store.save()
        try store.close()
        try expect(schema.rows("SELECT title FROM note"), equals: ["Hello"])
        let summary = try StoreSummary(path: schema.address, modelPath: nil).record.prettyJSON()
        #expect(summary.contains("PostgreSQL") && summary.contains("\"modelMatches\": true"))
        let findings = try Diagnosis.findings(path: schema.address, modelPath: nil)
        #expect(!findings.contains(where: \.isHarmful) && findings.count == 1)
        #expect(throws: ToolFailure.self) { try StoreHistory(of: OpenStore(path: schema.address)) }
    }

    @Test func `A store that keeps a history goes on keeping it`() throws {
        try make(keepingHistory: true)
        let store = try OpenStore(path: schema.address, access: .writing)
        #expect(store.keepsHistory && !store.store.isReadOnly)
        store.context.transactionAuthor = "tools"
        _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: store.context)
        try store.save()
        try store.close()
        let history = try StoreHistory(of: OpenStore(path: schema.address))
        try expect(history.transactions(since: nil, author: "tools").count, equals: 1)
    }

    @Test func `A store that is opened for reading isn't written to`() throws {
        try make()
        let store = try OpenStore(path: schema.address)
        _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: store.context)
        #expect(throws: NSError.self) { try store.save() }
        store.context.reset()
        try store.close()
        try expect(schema.rows("SELECT count(*) FROM note"), equals: ["0"])
    }

    @Test func `SQL reads values of all kinds and writes nothing`() throws {
        try make()
        try expect(
            schema.rows(
                """
                SELECT 1, 2.5::float8, true, NULL::text, 'a', '\\x00ff'::bytea, 1.50::numeric, \
                ARRAY[1, 2], '2024-02-03'::date
                """), equals: ["1|2.5|true|nil|a|[0, 255]|1.50|{1,2}|2024-02-03"])
        for sql in [
            "INSERT INTO note (title) VALUES ('x')", "SELECT 1; SELECT 2", "DROP TABLE note", "COMMIT",
            "SET TRANSACTION READ WRITE", "nonsense",
        ] {
            #expect(throws: NSError.self, "\(sql)") { try schema.rows(sql) }
        }
        try expect(schema.rows("SELECT count(*) FROM note"), equals: ["0"])
        struct Enough: Error {}
        #expect(throws: Enough.self) {
            try StoreAddress(schema.address).readSQL("SELECT generate_series(1, 100000)") { _ in
                throw Enough()
            }
        }
    }

    @Test func `Errors name the store without the password`() throws {
        let server = schema.server.folder
        let text = "postgresql://guarded:wrong@/postgres?host=\(server)&schema=none"
        let error = try #require(throws: NSError.self) { try StoreAddress(text).metadata() }
        let words = readable(error)
        #expect(words.contains("schema=none") && !words.contains("wrong"))
    }
}
