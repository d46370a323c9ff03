// Attributes that a mapping takes over as they are, of every type, and mappings that change while they are at work.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct AttributePlanTests {
    private let folder: TemporaryFolder

    private static let types: [(String, NSAttributeType)] = [
        ("small", .integer16AttributeType), ("middle", .integer32AttributeType),
        ("large", .integer64AttributeType), ("flag", .booleanAttributeType),
        ("double", .doubleAttributeType), ("float", .floatAttributeType), ("date", .dateAttributeType),
        ("text", .stringAttributeType), ("place", .URIAttributeType), ("id", .UUIDAttributeType),
        ("bytes", .binaryDataAttributeType), ("amount", .decimalAttributeType),
    ]

    private static var values: [String: Any] {
        [
            "small": Int16(-7), "middle": Int32.max, "large": Int64.min, "flag": true, "double": 0.1,
            "float": Float(2.5), "date": Date(timeIntervalSinceReferenceDate: 1234.5), "text": "äöü 𝄞",
            "id": UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
            "bytes": Data([0, 1, 255]), "amount": Decimal(string: "1234.25") ?? 0,
        ]
    }

    init() throws {
        folder = try TemporaryFolder()
        StoreKind.register()
    }

    private static func model(_ version: String, extra: [NSAttributeDescription] = []) -> NSManagedObjectModel
    {
        let thing = NSEntityDescription("Thing", types.map { NSAttributeDescription($0.0, $0.1) } + extra)
        thing.versionHashModifier = version
        let model = NSManagedObjectModel()
        model.entities = [thing]
        return model
    }

    private let old = Self.model("1")
    private let new = Self.model(
        "2", extra: [NSAttributeDescription("wide", .integer64AttributeType), .init("label", .string)])

    /// A store with an object that has all values, one that has none, and some with numbers only.
    private func makeStore(_ type: String) throws -> URL {
        let url = try #require(try StoreKind.place(type, folder, "Old.store"))
        try work(url, type, old) { context in
            for number in 0..<6 {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                if number == 0 {
                    thing.setValuesForKeys(Self.values)
                    thing.setValue(URL(string: "https://example.org/a?b=c"), forKey: "place")
                } else if number > 1 {
                    thing.setValue(number, forKey: "small")
                    thing.setValue("text \(number)", forKey: "text")
                }
            }
            try context.save()
        }
        return url
    }

    private func work<Result>(
        _ url: URL, _ type: String, _ model: NSManagedObjectModel,
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try body(context) }
        try coordinator.remove(store)
        return result
    }

    /// The values of all objects by key, ordered by `small` with nil first.
    private func things(_ context: NSManagedObjectContext) throws -> [[String: Any]] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.sortDescriptors = [NSSortDescriptor(key: "small", ascending: true)]
        return try context.fetch(request).map { thing in
            thing.dictionaryWithValues(forKeys: Array(thing.entity.attributesByName.keys))
        }
    }

    private func migrate(_ mapping: NSEntityMapping, from url: URL, type: String) throws -> [[String: Any]] {
        let model = NSMappingModel()
        model.entityMappings = [mapping]
        let destination = try #require(try StoreKind.place(type, folder, "New.store"))
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, sourceType: type, with: model, toDestinationURL: destination, destinationType: type)
        return try work(destination, type, new, things)
    }

    private func mapping(_ properties: [(String, String)]) -> NSEntityMapping {
        let mapping = LibraryModels.entityMapping(
            "ThingToThing", "Thing", "Thing", .customEntityMappingType, old, new)
        mapping.attributeMappings = properties.map(LibraryModels.property)
        return mapping
    }

    @Test(arguments: [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType] + StoreKind.serverTypes)
    func valuesOfEveryTypeAreTakenOver(_ type: String) throws {
        let url = try makeStore(type)
        let before = try work(url, type, old, things)
        // An expression between attributes reads those before it.
        let kept = Self.types.map { ($0.0, "$source.\($0.0)") }
        let after = try migrate(
            mapping(kept + [("label", "$destination.text"), ("wide", "$source.middle")]), from: url,
            type: type)
        expect(before.count, equals: 6)
        for (old, new) in zip(before, after) {
            for (key, _) in Self.types {
                expect((old[key] as? NSObject), equals: (new[key] as? NSObject), "\(key)")
            }
            expect((new["label"] as? NSObject), equals: (old["text"] as? NSObject))
            expect((new["wide"] as? NSNumber)?.int64Value, equals: (old["middle"] as? NSNumber)?.int64Value)
        }
        expect(after.filter { $0["text"] is NSNull }.count, equals: 1)
        #expect(after.contains { $0["amount"] as? Decimal == Self.values["amount"] as? Decimal })
    }

    /// Without stated mappings, attributes of the same names are taken over.
    @Test func aMappingThatCopiesNeedNotStateThem() throws {
        let url = try makeStore(NSSQLiteStoreType)
        let copy = LibraryModels.entityMapping(
            "ThingToThing", "Thing", "Thing", .copyEntityMappingType, old, new)
        let before = try work(url, NSSQLiteStoreType, old, things)
        let after = try migrate(copy, from: url, type: NSSQLiteStoreType)
        for (old, new) in zip(before, after) {
            for (key, _) in Self.types {
                expect((old[key] as? NSObject), equals: (new[key] as? NSObject), "\(key)")
            }
            #expect(new["label"] is NSNull)
        }
    }

    /// Gives each object another expression for its label, and drops that of the text after three objects.
    private final class ChangingPolicy: NSEntityMigrationPolicy {
        private var count = 0

        override func createDestinationInstances(
            forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            count += 1
            mapping.attributeMappings?[1].valueExpression = CoreData.NSExpression(format: "'label \(count)'")
            if count == 4 { mapping.attributeMappings?[0].name = "label" }
            if count == 5 { mapping.attributeMappings?[0].valueExpression = nil }
            if count == 6 { mapping.attributeMappings?.removeAll { $0.name == "small" } }
            try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        }
    }

    /// A policy may change the mapping that it is at, and what it calls in `super` goes by it.
    @Test func changesOfAMappingAtWorkCount() throws {
        NSEntityMigrationPolicy.register(ChangingPolicy.self)
        let url = try makeStore(NSSQLiteStoreType)
        let changing = mapping([
            ("text", "$source.text"), ("label", "$source.text"), ("small", "$source.small"),
        ])
        changing.entityMigrationPolicyClassName = "ChangingPolicy"
        let things = try migrate(changing, from: url, type: NSSQLiteStoreType)
        let labels = Set(things.compactMap { $0["label"] as? String })
        expect(labels, equals: ["label 1", "label 2", "label 3", "label 4", "label 5", "label 6"])
        expect(Set(things.compactMap { $0["text"] as? String }), equals: ["äöü 𝄞", "text 2"])
        expect(things.filter { $0["small"] is NSNull }.count, equals: 2)
    }
}
