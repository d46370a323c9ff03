// Moves of values that the two kinds of stores keep differently.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct MoveValuesTests {
    private let schema: ServerSchema
    private let folder: TemporaryFolder

    init() throws {
        schema = try ServerSchema()
        folder = try TemporaryFolder()
    }

    private static func model() -> NSManagedObjectModel {
        let (note, size, changed) = (
            NSEntityDescription(), NSAttributeDescription(), NSDerivedAttributeDescription()
        )
        note.name = "Note"
        (size.name, size.attributeType, size.isOptional) = ("size", .doubleAttributeType, true)
        (changed.name, changed.attributeType, changed.isOptional) = ("changed", .dateAttributeType, true)
        changed.derivationExpression = NSExpression(format: "now()")
        note.properties = [size, changed]
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    private func make(_ place: String, _ sizes: [Double]) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try StoreAddress(place).open(in: coordinator)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for size in sizes {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                    .setValue(size, forKey: "size")
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    private func sizes(_ place: String) throws -> [Double?] {
        let store = try OpenStore(path: place)
        defer { try? store.close() }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(key: "size", ascending: true)]
        return try store.context.fetch(request).map { $0.value(forKey: "size") as? Double }
    }

    private func move(_ source: String, _ destination: String) throws -> Int {
        let move = try StoreMove(from: source, to: destination)
        defer { try? move.close() }
        return try move.run(progress: { _ in }).reduce(0) { $0 + $1.count }
    }

    /// The time of a row's last save is another one in the other store.
    @Test func `Times of saves, zeros with a sign and infinite numbers are moved to a server and back`()
        throws
    {
        let (first, last) = (folder.file("First.sqlite").path, folder.file("Last.sqlite").path)
        try make(first, [-0.0, 1.5, .infinity, .nan])
        try expect(move(first, schema.address), equals: 4)
        try expect(sizes(schema.address), equals: [nil, 0, 1.5, .infinity])
        try expect(schema.rows("SELECT count(changed) FROM note"), equals: ["4"])
        try schema.write("UPDATE note SET size = 'NaN' WHERE size = 1.5")
        try schema.write("UPDATE note SET size = '-0' WHERE size = 0")
        try expect(move(schema.address, last), equals: 4)
        try expect(sizes(last), equals: [nil, nil, 0, .infinity])
    }
}
