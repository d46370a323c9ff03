// Stores as SwiftData lays values out, as far as users tell: structures as composite attributes, lists of values as
// transformable attributes whose value class is a Swift type and whose bytes are a property list or JSON.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite struct SwiftDataStoreTests {
    private struct Step: Codable {
        var name: String
        var minutes: Double?
        var isDone: Bool
        var at: Date
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private static func composite(
        _ name: String, _ elements: [NSAttributeDescription]
    ) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        (composite.name, composite.elements, composite.isOptional) = (name, elements, true)
        return composite
    }

    private static func model() -> NSManagedObjectModel {
        let steps = attribute("steps", .transformableAttributeType)
        steps.attributeValueClassName = "Array<Step>"
        steps.valueTransformerName = "SomeSwiftDataTransformer"
        let todo = NSEntityDescription()
        todo.name = "Todo"
        todo.properties = [
            attribute("title", .stringAttributeType), attribute("note", .binaryDataAttributeType), steps,
            composite("status", [attribute("rawValue", .stringAttributeType)]),
            composite(
                "place",
                [
                    attribute("city", .stringAttributeType), attribute("title", .stringAttributeType),
                    attribute("latitude", .doubleAttributeType),
                ]),
        ]
        let model = NSManagedObjectModel()
        model.entities = [todo]
        return model
    }

    /// A store with one row, whose blobs are written as they are.
    private static func store(_ blobs: [String: Data], in folder: TemporaryFolder) throws -> URL {
        let url = folder.file("default.store")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let todo = NSEntityDescription.insertNewObject(forEntityName: "Todo", into: context)
            todo.setValue("Bake", forKey: "title")
            todo.setValue(["rawValue": "open"], forKey: "status")
            todo.setValue(["city": "Ulm", "latitude": 48.4], forKey: "place")
            try context.save()
        }
        try coordinator.remove(store)
        let database = try PlainDatabase(url)
        for (column, data) in blobs {
            let hex = data.map { String(format: "%02x", $0) }.joined()
            try database.rows("UPDATE ZTODO SET \(column) = X'\(hex)'")
        }
        try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return url
    }

    /// What is printed of the row with the model that the store keeps.
    private static func printed(_ url: URL, _ path: String, keepsBytes: Bool = false) throws -> PrintedValue {
        let opened = try OpenStore(path: url.path)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Todo")
        let todo = try #require(try opened.context.fetch(request).first)
        var column = try KeyPathColumn(path, of: todo.entity)
        column.keepsBytes = keepsBytes
        let value = column.value(of: todo)
        try opened.close()
        return value
    }

    private static let steps = [
        Step(name: "Knead", minutes: nil, isDone: true, at: Date(timeIntervalSinceReferenceDate: 0)),
        Step(name: "Wait", minutes: 90.5, isDone: false, at: Date(timeIntervalSinceReferenceDate: 60)),
    ]

    @Test func listsInPropertyListsAreShown() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let folder = try TemporaryFolder()
        let url = try Self.store(["ZSTEPS": encoder.encode(Self.steps)], in: folder)
        try expect(
            Self.printed(url, "steps").json,
            equals: """
                [{"at": "2001-01-01T00:00:00Z", "isDone": true, "name": "Knead"}, \
                {"at": "2001-01-01T00:01:00Z", "isDone": false, "minutes": 90.5, "name": "Wait"}]
                """)
    }

    @Test func listsInJSONAreShown() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store(["ZSTEPS": JSONEncoder().encode(Self.steps)], in: folder)
        try expect(
            Self.printed(url, "steps").json,
            equals: """
                [{"at": 0, "isDone": true, "name": "Knead"}, \
                {"at": 60, "isDone": false, "minutes": 90.5, "name": "Wait"}]
                """)
    }

    @Test func enumerationsInJSONAreShown() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store(["ZSTEPS": Data("\"urgent\"".utf8)], in: folder)
        try expect(Self.printed(url, "steps"), equals: .text("urgent"))
    }

    @Test func nothingInAListIsShown() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let folder = try TemporaryFolder()
        let url = try Self.store(["ZSTEPS": encoder.encode([1, nil, 3] as [Int?])], in: folder)
        try expect(Self.printed(url, "steps"), equals: .list([.integer(1), .null, .integer(3)]))
    }

    @Test func otherBytesStayBytes() throws {
        let bytes = Data([0x62, 0x70, 0xFF, 0x00])
        let folder = try TemporaryFolder()
        let url = try Self.store(["ZSTEPS": bytes, "ZNOTE": bytes], in: folder)
        try expect(Self.printed(url, "steps"), equals: .bytes(bytes))
        try expect(Self.printed(url, "note"), equals: .bytes(bytes))
    }

    @Test func binaryAttributesAreShownAsWhatTheyEncodeAndKeptForImports() throws {
        let json = Data(" {\"b\": [1.5, true], \"a\": null}".utf8)
        let folder = try TemporaryFolder()
        let url = try Self.store(["ZNOTE": json], in: folder)
        try expect(Self.printed(url, "note").json, equals: "{\"a\": null, \"b\": [1.5, true]}")
        try expect(Self.printed(url, "note", keepsBytes: true), equals: .bytes(json))
    }

    @Test(arguments: ["42", "true", "{\"a\": ", "[1, 2", "bplist00"])
    func binaryAttributesOfOtherFormsStayBytes(_ text: String) throws {
        #expect(PrintedValue(binary: Data(text.utf8)) == nil)
    }

    @Test func structuresAreDictionaries() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store([:], in: folder)
        try expect(
            Self.printed(url, "place").json,
            equals: "{\"city\": \"Ulm\", \"title\": null, \"latitude\": 48.4}")
        try expect(Self.printed(url, "status.rawValue"), equals: .text("open"))
    }

    /// Columns that another program named after the elements alone.
    @Test func columnsOfElementsAreFound() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store([:], in: folder)
        let database = try PlainDatabase(url)
        try database.rows("ALTER TABLE ZTODO RENAME COLUMN ZPLACE_CITY TO ZCITY")
        try database.rows("ALTER TABLE ZTODO RENAME COLUMN ZSTATUS_RAWVALUE TO ZRAWVALUE")
        try expect(
            Self.printed(url, "place").json,
            equals: "{\"city\": \"Ulm\", \"title\": null, \"latitude\": 48.4}")
        try expect(Self.printed(url, "status.rawValue"), equals: .text("open"))
    }

    /// The column of another property is never taken for an element's.
    @Test func aColumnOfAnotherPropertyIsNoElements() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store([:], in: folder)
        let database = try PlainDatabase(url)
        try database.rows("ALTER TABLE ZTODO RENAME COLUMN ZPLACE_TITLE TO ZTOWN")
        #expect(throws: (any Error).self) { try OpenStore(path: url.path) }
    }

    @Test func doctorFindsNothingWrong() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store(["ZSTEPS": JSONEncoder().encode(Self.steps)], in: folder)
        try expect(Diagnosis.findings(path: url.path, modelPath: nil).map(\.title), equals: [])
    }
}
