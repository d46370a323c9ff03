// Composite attributes in batches: as a whole, by element, and where they are wrong.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct BatchCompositeTests {
    /// Places with an address, which has a position.
    private func stack(_ kind: StoreKind) throws -> StoreContainer {
        let position = NSCompositeAttributeDescription(
            "position",
            elements: NSAttributeDescription.all(
                ("lat", .doubleAttributeType), ("long", .doubleAttributeType)))
        let address = NSCompositeAttributeDescription(
            "address", elements: NSAttributeDescription.all(("city", .stringAttributeType)) + [position])
        let passing = NSCompositeAttributeDescription(
            "passing", elements: NSAttributeDescription.all(("a", .stringAttributeType)))
        passing.isTransient = true
        let model = NSManagedObjectModel()
        model.entities = [
            NSEntityDescription(
                "Place", NSAttributeDescription.all(("name", .stringAttributeType)) + [address, passing])
        ]
        return try kind.makeContainer(model)
    }

    private func addresses(_ context: NSManagedObjectContext) throws -> [String: NSDictionary] {
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Place")
        return try context.fetch(fetch).reduce(into: [:]) {
            $0[$1.value(forKey: "name") as? String ?? ""] =
                ($1.value(forKey: "address") as? [String: Any] ?? [:]) as NSDictionary
        }
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers)
    func wholesAndElementsAreInserted(_ kind: StoreKind) throws {
        let container = try stack(kind)
        let rows: [[String: Any]] = [
            ["name": "a", "address": ["city": "Ulm", "position": ["lat": 48.4, "long": 10]]],
            ["name": "b", "address.city": "Ulm", "address.position.lat": 48.4, "address.position.long": 10],
            ["name": "c", "address.city": "Ulm", "address.position": ["lat": 48.4, "long": 10]],
            ["name": "d", "address.position": ["lat": 48.4]],
            ["name": "e", "address": ["city": "Bonn", "position": NSNull()]],
            ["name": "f", "address": NSNull()],
        ]
        let context = container.viewContext
        _ = try context.execute(NSBatchInsertRequest(entityName: "Place", objects: rows))
        var left = rows.map { row in row.mapValues { $0 } }[...]
        let filling = NSBatchInsertRequest(entityName: "Place") { (values: NSMutableDictionary) in
            guard let row = left.popFirst() else { return true }
            for (key, value) in row { values[key] = key == "name" ? "filled \(value)" : value }
            return false
        }
        _ = try context.execute(filling)
        let found = try addresses(context)
        let whole: NSDictionary = ["city": "Ulm", "position": ["lat": 48.4, "long": 10.0]]
        let expected: [String: NSDictionary] = [
            "a": whole, "b": whole, "c": whole, "d": ["position": ["lat": 48.4]], "e": ["city": "Bonn"],
            "f": [:],
        ]
        for (name, address) in expected {
            expect(found[name], equals: address, "\(name)")
            expect(found["filled " + name], equals: address, "\(name)")
        }
        expect(found.count, equals: 12)
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers)
    func elementsAreUpdated(_ kind: StoreKind) throws {
        let container = try stack(kind)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let row: [String: Any] = [
            "name": "a", "address": ["city": "Ulm", "position": ["lat": 48.4, "long": 10.0]],
        ]
        _ = try context.execute(NSBatchInsertRequest(entityName: "Place", objects: [row]))
        func update(_ values: [AnyHashable: Any]) throws -> NSDictionary? {
            let request = NSBatchUpdateRequest(entityName: "Place")
            request.propertiesToUpdate = values
            _ = try context.execute(request)
            context.reset()
            return try addresses(context)["a"]
        }
        try expect(
            update(["address.city": "Bonn"]),
            equals: [
                "city": "Bonn", "position": ["lat": 48.4, "long": 10.0],
            ])
        try expect(
            update(["address.position": ["lat": 50.7]]), equals: ["city": "Bonn", "position": ["lat": 50.7]])
        try expect(update(["address": ["city": "Ulm"]]), equals: ["city": "Ulm"])
    }

    @Test(
        arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers,
        [
            ("address.town", "x", "no such element"), ("address", ["town": "x"], "no such element"),
            ("address", ["position": ["height": 5]], "no such element"), ("address", 5, "takes a dictionary"),
            ("address.position", "x", "takes a dictionary"), ("name.length", 5, "no such property"),
            ("passing.a", "x", "transient"), ("passing", ["a": "x"], "transient"),
        ] as [(String, any Sendable, String)])
    func whatDoesNotFitIsRefused(
        _ kind: StoreKind, _ wrong: (key: String, value: any Sendable, reason: String)
    ) throws {
        let container = try stack(kind)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let row: [String: Any] = ["name": "a", wrong.key: wrong.value]
        let error = #expect(throws: NSError.self) {
            _ = try context.execute(NSBatchInsertRequest(entityName: "Place", objects: [row]))
        }
        expect(error?.code, equals: NSManagedObjectValidationError)
        expect(
            error?.localizedDescription.contains(wrong.reason), equals: true,
            "\(error?.localizedDescription ?? "")"
        )
        #expect(try addresses(context).isEmpty)
    }
}
