// The history of a store that is migrated in place.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CarriedHistoryTests {
    @Test(arguments: StoreKind.inPlace) func historyIsCarriedOver(_ kind: StoreKind) throws {
        StoreKind.register()
        let folder = try TemporaryFolder()
        let url = try #require(try StoreKind.place(kind.type, folder, "Store.sqlite"))
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        func version(_ names: [String], extra: [String]) -> NSManagedObjectModel {
            let kept = NSAttributeDescription("kept", .stringAttributeType)
            kept.preservesValueInHistoryOnDeletion = true
            let attributes = extra.map { NSAttributeDescription($0, .stringAttributeType) }
            let model = NSManagedObjectModel()
            model.entities =
                names.map { NSEntityDescription($0) } + [
                    NSEntityDescription(
                        "M", [kept, NSAttributeDescription("v", .stringAttributeType)] + attributes)
                ]
            return model
        }
        let opened = try OpenStore(url, version(["Z"], extra: []), options: options)
        let first = opened.context.make("M", ["kept": "k"])
        _ = opened.context.make("Z", [:])
        try #require(opened.save() == [])
        first.setValue("2", forKey: "v")
        try #require(opened.save() == [])
        opened.context.delete(first)
        try #require(opened.save() == [])
        try opened.close()
        let migrated = try OpenStore(
            url, version(["A", "B"], extra: ["a"]), options: options.merging(.migrating) { first, _ in first }
        )
        do {
            let context = migrated.context
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
            let changes = try #require(result.result as? [NSPersistentHistoryTransaction])
                .flatMap { $0.changes ?? [] }
            expect(changes.map(\.changedObjectID.entity.name), equals: ["M", "M", "M"])
            expect(changes.map(\.changeType), equals: [.insert, .update, .delete])
            expect(changes[1].updatedProperties?.map(\.name), equals: ["v"])
            expect(changes[2].tombstone?["kept"] as? String, equals: "k")
        }
    }

    /// Elements of composite attributes outlive a deleted object as attributes do, and follow their renaming.
    @Test(arguments: StoreKind.inPlace) func tombstonesOfElementsAreCarriedOver(_ kind: StoreKind) throws {
        StoreKind.register()
        let folder = try TemporaryFolder()
        let url = try #require(try StoreKind.place(kind.type, folder, "Store.sqlite"))
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let opened = try OpenStore(url, Self.places("address", "city"), options: options)
        let address: [String: Any] = ["city": "Ulm", "geo": ["north": 48.5]]
        let place = opened.context.make("Place", ["address": address, "name": "n"])
        try #require(opened.save() == [])
        opened.context.delete(place)
        try #require(opened.save() == [])
        let before = try Self.tombstone(opened.context)
        expect(before["address"] as? NSDictionary, equals: address as NSDictionary)
        expect(before["name"] as? String, equals: "n")
        try opened.close()
        let migrated = try OpenStore(
            url, Self.places("place", "town"), options: options.merging(.migrating) { first, _ in first })
        let after = try Self.tombstone(migrated.context)
        expect(
            after["place"] as? NSDictionary,
            equals: ["town": "Ulm", "geo": ["north": 48.5]] as NSDictionary)
        expect(after["name"] as? String, equals: "n")
        try migrated.close()
    }

    /// A model with a composite attribute and one of its elements, which may have been called `address` and `city`.
    private static func places(_ name: String, _ element: String) -> NSManagedObjectModel {
        let town = NSAttributeDescription(element, .stringAttributeType)
        let geo = NSCompositeAttributeDescription(
            "geo", elements: [NSAttributeDescription("north", .doubleAttributeType)])
        let address = NSCompositeAttributeDescription(name, elements: [town, geo])
        if name != "address" { (address.renamingIdentifier, town.renamingIdentifier) = ("address", "city") }
        let label = NSAttributeDescription("name", .stringAttributeType)
        (address.preservesValueInHistoryOnDeletion, label.preservesValueInHistoryOnDeletion) = (true, true)
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Place", [address, label])]
        return model
    }

    private static func tombstone(_ context: NSManagedObjectContext) throws -> [AnyHashable: Any] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
        let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
        return try #require(transactions.last?.changes?.last?.tombstone)
    }
}
