// Moves between files and a server, stopped at every page and gone on with.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct StoreMoveTests {
    private let schema: ServerSchema
    private let rich: MoveModel

    init() throws {
        schema = try ServerSchema()
        rich = try MoveModel()
    }

    private func path(_ name: String) -> String { rich.folder.file(name).path }

    private func move(
        _ source: String, _ destination: String, progress: @escaping (String) -> Void = { _ in }
    ) throws -> [String: Int] {
        let move = try StoreMove(from: source, to: destination)
        defer { try? move.close() }
        return Dictionary(
            uniqueKeysWithValues: try move.run(progress: progress).map { ($0.name, $0.count) })
    }

    @Test func `Everything comes to the server and back`() throws {
        let (first, last) = (path("First.sqlite"), path("Last.sqlite"))
        try rich.makeStore(first, count: 120)
        let counts = try move(first, schema.address)
        expect(counts, equals: ["Book": 80, "Novel": 40, "Person": 30, "Tag": 24])
        try expect(schema.rows("SELECT count(*) FROM thing"), equals: ["120"])
        // A server that knows nothing of its tables has -1 for the number of rows, and plans for none.
        try expect(
            schema.rows("SELECT reltuples::int FROM pg_class WHERE oid = 'thing'::regclass"), equals: ["120"])
        try expect(move(schema.address, last), equals: counts)
        let (before, after) = (try rich.contents(first), try rich.contents(last))
        for (entity, objects) in before {
            // The server keeps microseconds.
            expect(objects.map(withoutMoments), equals: after[entity].map { $0.map(withoutMoments) })
        }
        try expect(StoreAddress(last).metadata()["owner"] as? String, equals: "Ann")
        try expect(
            Diagnosis.findings(path: last, modelPath: nil).filter(\.isHarmful).map(\.title), equals: [])
    }

    /// A file adds decimals up as doubles, a server exactly: each computes its own sums.
    @Test func `Sums that each store computes don't keep it from being moved`() throws {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        let (bill, line) = (NSEntityDescription(), NSEntityDescription())
        (bill.name, line.name) = ("Bill", "Line")
        let (lines, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (lines.name, lines.destinationEntity, lines.isOptional) = ("lines", line, true)
        (owner.name, owner.destinationEntity, owner.maxCount, owner.isOptional) = ("bill", bill, 1, true)
        (lines.inverseRelationship, owner.inverseRelationship) = (owner, lines)
        let total = NSDerivedAttributeDescription()
        (total.name, total.attributeType, total.isOptional) = ("total", .decimalAttributeType, true)
        total.derivationExpression = NSExpression(format: "lines.@sum.price")
        bill.properties = [lines, total]
        line.properties = [owner, attribute("price", .decimalAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [bill, line]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let (first, last) = (path("Sums.sqlite"), path("Moved.sqlite"))
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: first), options: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let bill = NSEntityDescription.insertNewObject(forEntityName: "Bill", into: context)
            for price in ["0.1", "0.2", "0.7"] {
                let line = NSEntityDescription.insertNewObject(forEntityName: "Line", into: context)
                line.setValue(NSDecimalNumber(string: price), forKey: "price")
                line.setValue(bill, forKey: "bill")
            }
            try context.save()
        }
        try coordinator.remove(store)
        try expect(move(first, schema.address), equals: ["Bill": 1, "Line": 3])
        try expect(schema.rows("SELECT total FROM bill"), equals: ["1.0"])
        try expect(move(schema.address, last), equals: ["Bill": 1, "Line": 3])
    }

    /// Apple's framework computes other hashes for entities with derived attributes than this library does.
    @Test(
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: ["SampleModel2_V1", "SampleModel2_V2"])
    func `A store keeps the hashes that Apple's framework gave it`(_ name: String) throws {
        let (first, last) = (path("First.sqlite"), path("Last.sqlite"))
        try FileManager.default.copyItem(
            at: SharedFiles.url("stores/CoreDataPlus/\(name).sqlite"), to: URL(fileURLWithPath: first))
        let counts = try move(first, schema.address)
        try expect(
            Diagnosis.findings(path: schema.address, modelPath: nil).filter(\.isHarmful).map(\.title),
            equals: [])
        try expect(move(schema.address, last), equals: counts)
        try expect(
            Diagnosis.findings(path: last, modelPath: nil).filter(\.isHarmful).map(\.title), equals: [])
    }

    private func withoutMoments(_ line: String) -> String {
        line.split(separator: ";").filter { !$0.hasPrefix("moment=") }.joined(separator: ";")
    }

    @Test func `A new store goes on with keys of its own`() throws {
        let first = path("First.sqlite")
        try rich.makeStore(first, count: 9)
        _ = try move(first, schema.address)
        let store = try OpenStore(path: schema.address, access: .writing)
        for _ in 0..<100 {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: store.context)
        }
        try store.save()
        try expect(store.count(try store.model.requiredEntity("Tag")), equals: 102)
        try store.close()
        #expect(throws: ToolFailure.self) { try move(first, schema.address) }
    }

    private struct Stopped: Error {}

    /// The progress of a page comes after its transaction: what follows is as if the process had been killed there.
    @Test(arguments: [true, false])
    func `A move that was stopped anywhere goes on`(toServer: Bool) throws {
        let (first, last) = (path("First.sqlite"), path("Last.sqlite"))
        let (source, target) = toServer ? (first, schema.address) : (schema.address, last)
        try rich.makeStore(source, count: 40)
        var stops = 0
        while true {
            let transfer = try StoreMove(from: source, to: target)
            expect(transfer.isResumed, equals: (stops > 0))
            var calls = 0
            do {
                _ = try transfer.run(throwingProgress: { words in
                    // Comparing begins anew each time.
                    if words.hasPrefix("comparing") { return }
                    calls += 1
                    if calls == 2 { throw Stopped() }
                })
                try transfer.close()
                break
            } catch is Stopped {
                stops += 1
                try transfer.close()
            }
            if stops > 100 { break }
        }
        #expect(stops > 5 && stops < 100)
        let (before, after) = (try rich.contents(source), try rich.contents(target))
        for (entity, objects) in before {
            expect(objects.map(withoutMoments), equals: after[entity].map { $0.map(withoutMoments) })
        }
    }

    @Test func `Another store, and a changed one, are refused`() throws {
        let (first, other) = (path("First.sqlite"), path("Other.sqlite"))
        try rich.makeStore(first, count: 8)
        try rich.makeStore(other, count: 8)
        let begun = try StoreMove(from: first, to: schema.address)
        #expect(throws: Stopped.self) { try begun.run(throwingProgress: { _ in throw Stopped() }) }
        try begun.close()
        // Nobody takes the part for a store.
        for access in [OpenStore.Access.reading, .writing] {
            let refusal = try #require(throws: ToolFailure.self) {
                _ = try OpenStore(path: schema.address, access: access)
            }
            #expect("\(refusal)".contains("coredata move goes on with it"))
        }
        #expect(throws: ToolFailure.self) { try StoreMove(from: schema.address, to: path("Third.sqlite")) }
        let wrong = try StoreMove(from: other, to: schema.address)
        let error = try #require(throws: NSError.self) { try wrong.run() }
        expect(error.code, equals: NSPersistentStoreOperationError)
        try wrong.close()
        let open = try OpenStore(path: first, access: .writing)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        for tag in try open.context.fetch(request) { open.context.delete(tag) }
        try open.save()
        try open.close()
        #expect(throws: NSError.self) { try move(first, schema.address) }
    }

    @Test func `What isn't the same in the end is named`() throws {
        let first = path("First.sqlite")
        try rich.makeStore(first, count: 8)
        let transfer = try StoreMove(from: first, to: schema.address)
        defer { try? transfer.close() }
        var isChanged = false
        let error = try #require(throws: NSError.self) {
            try transfer.run(throwingProgress: { [schema] words in
                guard words.hasPrefix("comparing"), !isChanged else { return }
                isChanged = true
                try schema.write("UPDATE tag SET label = 'other' WHERE label = 'tag 1'")
            })
        }
        expect(error.localizedFailureReason, equals: "Values of Tag.label aren't the same.")
    }
}
