// Elements of composite attributes that must be unique.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CompositeConstraintTests {
    /// Places are unique by city and position together, and by their code.
    private static func model() -> NSManagedObjectModel {
        let position = NSCompositeAttributeDescription(
            "position", elements: NSAttributeDescription.all(("latitude", .doubleAttributeType)))
        let address = NSCompositeAttributeDescription(
            "address",
            elements: NSAttributeDescription.all(
                ("city", .stringAttributeType), ("street", .stringAttributeType),
                ("code", .integer32AttributeType))
                + [position])
        let place = NSEntityDescription(
            "Place", NSAttributeDescription.all(("name", .stringAttributeType)) + [address])
        let shop = NSEntityDescription("Shop")
        place.subentities = [shop]
        place.uniquenessConstraints = [["address.city", "address.position.latitude"], ["address.code"]]
        let model = NSManagedObjectModel()
        model.entities = [place, shop]
        return model
    }

    private static func address(_ city: String?, _ latitude: Double?, code: Int? = nil, street: String? = nil)
        -> [String: Any]
    {
        var address: [String: Any] = [:]
        address["city"] = city
        address["code"] = code
        address["street"] = street
        if let latitude { address["position"] = ["latitude": latitude] }
        return address
    }

    private func make(
        _ context: NSManagedObjectContext, _ name: String, _ address: [String: Any],
        _ entity: String = "Place"
    ) -> NSManagedObject {
        context.make(entity, ["name": name, "address": address])
    }

    @Test(arguments: StoreKind.allCases) func theErrorNamesTheElements(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(Self.model())
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        context.mergePolicy = NSMergePolicy.error
        let first = make(context, "A", Self.address("Ulm", 48.4))
        _ = make(context, "nil is no value", Self.address("Ulm", nil))
        _ = make(context, "neither", Self.address("Ulm", nil))
        try context.save()
        let second = make(context, "B", Self.address("Ulm", 48.4), "Shop")
        let error = try #require(thrownError { try context.save() })
        expect(error.code, equals: NSManagedObjectConstraintMergeError)
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        let conflict = try #require(conflicts?.first)
        expect(conflict.constraint, equals: ["address.city", "address.position.latitude"])
        #expect(conflict.databaseObject === first && conflict.conflictingObjects == [second])
        expect(conflict.constraintValues["address.city"] as? String, equals: "Ulm")
        expect(conflict.constraintValues["address.position.latitude"] as? Double, equals: 48.4)
        second.setValue(48.5, forKeyPath: "address.position.latitude")
        try context.save()
    }

    @Test(arguments: StoreKind.allCases) func policiesSettleThem(_ kind: StoreKind) throws {
        for policy in [
            NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ] {
            let container = try kind.makeContainer(Self.model())
            defer { withExtendedLifetime(container) {} }
            let context = container.viewContext
            context.mergePolicy = policy
            let old = make(context, "old", Self.address(nil, nil, code: 7, street: "Ring"))
            let moved = make(context, "moved", Self.address("Bonn", 50.7, code: 8, street: "Allee"))
            try context.save()
            _ = make(context, "new", Self.address(nil, nil, code: 7, street: "Weg"))
            try context.save()
            let trumps =
                policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
                || policy.mergeType == .overwriteMergePolicyType
            let found = try context.all("Place", "address.code == 7")
            expect(found.map(\.objectID), equals: [old.objectID])
            expect(old.value(forKey: "name") as? String, equals: (trumps ? "new" : "old"))
            expect(old.value(forKeyPath: "address.street") as? String, equals: (trumps ? "Weg" : "Ring"))
            // A saved object takes the values of another, and other elements beside them.
            moved.setValue(7, forKeyPath: "address.code")
            moved.setValue("Platz", forKeyPath: "address.street")
            try context.save()
            let holder = try context.all("Place", "address.code == 7")
            expect(
                holder.map(\.objectID), equals: [(trumps ? moved : old).objectID],
                "\(policy.mergeType.rawValue)")
            if policy.mergeType == .mergeByPropertyStoreTrumpMergePolicyType {
                expect(moved.value(forKeyPath: "address.code") as? Int, equals: 8)
                expect(moved.value(forKeyPath: "address.street") as? String, equals: "Platz", "stays changed")
            }
            try expect(context.all("Place").count, equals: (trumps ? 1 : 2))
        }
    }

    @Test(arguments: StoreKind.allCases) func rowsMayExchangeThem(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(Self.model())
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let places = [1, 2, 3].map { (code: Int) in
            make(context, "\(code)", Self.address(nil, nil, code: code))
        }
        try context.save()
        for (place, code) in zip(places, [2, 3, 1]) { place.setValue(code, forKeyPath: "address.code") }
        try context.save()
        try expect(
            context.all("Place", "address.code == 1").map { $0.value(forKey: "name") as? String },
            equals: ["3"])
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers) func batchesRespectThem(
        _ kind: StoreKind
    ) throws {
        let container = try kind.makeContainer(Self.model())
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        try context.batchInsert("Place", [["name": "a", "address": Self.address("Ulm", 1, code: 5)]])
        context.mergePolicy = NSMergePolicy.error
        let error = #expect(throws: NSError.self) {
            try context.batchInsert("Place", [["name": "b", "address": Self.address("Ulm", 1)]])
        }
        expect(error?.code, equals: NSManagedObjectConstraintMergeError)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.batchInsert("Place", [["name": "c", "address.code": 5]])
        let found = try context.all("Place")
        expect(found.map { $0.value(forKey: "name") as? String }, equals: ["c"])
        expect(found.first?.value(forKeyPath: "address.city") as? String, equals: "Ulm")
    }

    @Test func theIndexIsOverTheirColumns() throws {
        let container = try StoreKind.sqlite.makeContainer(Self.model())
        let store = container.store
        try expect(container.persistentStoreCoordinator.verify(store), equals: [])
        let url = try #require(store.url)
        try container.persistentStoreCoordinator.remove(store)
        let found = try rows(url, "SELECT sql FROM sqlite_master WHERE name LIKE '%UNIQUE%' ORDER BY rowid")
        expect(
            found,
            equals: [
                [
                    "CREATE UNIQUE INDEX \"Z_Place_UNIQUE_address.city_address.position.latitude\" ON ZPLACE "
                        + "(ZADDRESS_CITY COLLATE BINARY ASC, ZADDRESS_POSITION_LATITUDE COLLATE BINARY ASC)"
                ],
                [
                    "CREATE UNIQUE INDEX \"Z_Place_UNIQUE_address.code\" ON ZPLACE (ZADDRESS_CODE COLLATE BINARY ASC)"
                ],
            ])
    }
}
