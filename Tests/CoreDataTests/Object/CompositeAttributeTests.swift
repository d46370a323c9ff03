// Composite attributes, nested ones too: their elements are columns to fetches, dictionaries to clients.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CompositeAttributeTests {
    /// Places with an address, which has a position; shops are at a place.
    private static func model() -> NSManagedObjectModel {
        let position = NSCompositeAttributeDescription(
            "position",
            elements: NSAttributeDescription.all(
                ("latitude", .doubleAttributeType), ("checked", .integer64AttributeType)))
        let address = NSCompositeAttributeDescription(
            "address",
            elements: NSAttributeDescription.all(
                ("city", .stringAttributeType), ("number", .integer32AttributeType)) + [position])
        let place = NSEntityDescription(
            "Place", NSAttributeDescription.all(("name", .stringAttributeType)) + [address])
        let shop = NSEntityDescription("Shop", NSAttributeDescription.all(("name", .stringAttributeType)))
        NSRelationshipDescription.connect(shop, "place", .one, place, "shops", .many)
        let model = NSManagedObjectModel()
        model.entities = [place, shop]
        return model
    }

    private static let places: [(String, String?, Int?, Double?)] = [
        ("A", "Ulm", 3, 48.4), ("B", "Bonn", 12, 50.7), ("C", nil, 7, nil), ("D", "Ulm", nil, 48.39),
        ("E", nil, nil, nil),
    ]

    private static func address(_ city: String?, _ number: Int?, _ latitude: Double?) -> [String: Any] {
        var address: [String: Any] = [:]
        if let city { address["city"] = city }
        if let number { address["number"] = number }
        if let latitude { address["position"] = ["latitude": latitude] }
        return address
    }

    private func filled(_ kind: StoreKind) throws -> StoreContainer {
        let container = try kind.makeContainer(Self.model())
        let context = container.viewContext
        for (name, city, number, latitude) in Self.places {
            let place = context.make("Place", ["name": name])
            place.setValue(Self.address(city, number, latitude), forKey: "address")
            _ = context.make("Shop", ["name": "Shop \(name)", "place": place])
        }
        try context.save()
        context.reset()
        return container
    }

    private func names(
        _ context: NSManagedObjectContext, _ format: String, entity: String = "Place", sort: String = "name",
        ascending: Bool = true
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [
            NSSortDescriptor(key: sort, ascending: ascending), NSSortDescriptor(key: "name", ascending: true),
        ]
        return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    @Test(arguments: StoreKind.allCases) func elementsAreFetchedBy(_ kind: StoreKind) throws {
        let container = try filled(kind)
        let context = container.viewContext
        try expect(names(context, "address.city == 'Ulm'"), equals: ["A", "D"])
        try expect(names(context, "address.city == nil"), equals: ["C", "E"])
        try expect(names(context, "address.number > 5"), equals: ["B", "C"])
        try expect(names(context, "address.position.latitude BETWEEN {48, 49}"), equals: ["A", "D"])
        try expect(
            names(context, "address.city BEGINSWITH[c] 'b' OR address.number = 7"), equals: ["B", "C"])
        try expect(
            names(context, "place.address.city = 'Ulm'", entity: "Shop"), equals: ["Shop A", "Shop D"])
        try expect(names(context, "place.address.position.latitude > 50", entity: "Shop"), equals: ["Shop B"])
        try expect(names(context, "ANY shops.place.address.number = 12"), equals: ["B"])
    }

    @Test(arguments: StoreKind.allCases) func elementsAreSortedBy(_ kind: StoreKind) throws {
        let container = try filled(kind)
        let context = container.viewContext
        let all = "TRUEPREDICATE"
        try expect(names(context, all, sort: "address.city"), equals: ["C", "E", "B", "A", "D"])
        try expect(
            names(context, all, sort: "address.number", ascending: false), equals: ["B", "C", "A", "D", "E"])
        try expect(names(context, all, sort: "address.position.latitude"), equals: ["C", "E", "D", "A", "B"])
        try expect(
            names(context, all, entity: "Shop", sort: "place.address.number", ascending: false),
            equals: ["Shop B", "Shop C", "Shop A", "Shop D", "Shop E"])
    }

    @Test(arguments: StoreKind.allCases) func valuesAreDictionaries(_ kind: StoreKind) throws {
        let container = try filled(kind)
        let context = container.viewContext
        let first = try #require(try context.all("Place", "name = 'A'").first)
        let address = try #require(first.value(forKey: "address") as? [String: Any])
        #expect(address["city"] as? String == "Ulm" && address["number"] as? Int == 3)
        expect(first.value(forKeyPath: "address.city") as? String, equals: "Ulm")
        expect(first.value(forKeyPath: "address.position.latitude") as? Double, equals: 48.4)
        let last = try #require(try context.all("Place", "name = 'E'").first)
        #expect(last.value(forKeyPath: "address.city") == nil)

        first.setValue("Bern", forKeyPath: "address.city")
        first.setValue(9, forKeyPath: "address.position.checked")
        expect(first.changedValues().keys.sorted(), equals: ["address"])
        let before = first.committedValues(forKeys: ["address"])["address"] as? [String: Any]
        expect(before?["city"] as? String, equals: "Ulm")
        expect((before?["position"] as? [String: Any])?["latitude"] as? Double, equals: 48.4)
        // Unsaved elements count in fetches.
        try expect(names(context, "address.city == 'Ulm'"), equals: ["D"])
        try expect(names(context, "address.city == 'Bern'"), equals: ["A"])
        try context.save()
        context.reset()
        let saved = try #require(try context.all("Place", "address.city = 'Bern'").first)
        expect(saved.value(forKeyPath: "address.number") as? Int, equals: 3)
        expect(saved.value(forKeyPath: "address.position.latitude") as? Double, equals: 48.4)
        expect(saved.value(forKeyPath: "address.position.checked") as? Int, equals: 9)
        saved.setValue(nil, forKeyPath: "address.position.checked")
        expect(saved.value(forKeyPath: "address.position.latitude") as? Double, equals: 48.4)
        #expect(saved.value(forKeyPath: "address.position.checked") == nil)
        saved.setValue(nil, forKeyPath: "address.position")
        #expect(saved.value(forKeyPath: "address.position.latitude") == nil)
        saved.setValue(nil, forKey: "address")
        try context.save()
        context.reset()
        try expect(names(context, "address.city == nil"), equals: ["A", "C", "E"])
    }

    @Test(arguments: StoreKind.allCases) func elementsAreColumnsOfDictionaryFetches(_ kind: StoreKind) throws
    {
        let container = try filled(kind)
        let context = container.viewContext
        let request = NSFetchRequest<NSDictionary>(entityName: "Place")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", "address.city", "address.position.latitude"]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let rows = try context.fetch(request)
        expect(rows.map { $0["address.city"] as? String }, equals: ["Ulm", "Bonn", nil, "Ulm", nil])
        expect(rows[0]["address.position.latitude"] as? Double, equals: 48.4)
        let counts = NSFetchRequest<NSDictionary>(entityName: "Place")
        counts.resultType = .dictionaryResultType
        counts.predicate = NSPredicate(format: "address.city != nil")
        counts.propertiesToGroupBy = ["address.city"]
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = CoreData.NSExpression(format: "count:(name)")
        count.expressionResultType = .integer64AttributeType
        counts.propertiesToFetch = ["address.city", count]
        let groups = try context.fetch(counts)
        let found = Dictionary(
            uniqueKeysWithValues: groups.map { ($0["address.city"] as? String ?? "", $0["count"] as? Int) })
        expect(found, equals: ["Ulm": 2, "Bonn": 1])
    }

    @Test func anUnknownElementStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let container = try StoreKind.inMemory.makeContainer(Self.model())
            let place = container.viewContext.make("Place")
            place.setValue(1, forKeyPath: "address.position.longitude")
        }
    }

    @Test(arguments: StoreKind.allCases) func elementsAreValidated(_ kind: StoreKind) throws {
        let model = Self.model()
        let address = model.entitiesByName["Place"]?.attributesByName["address"]
        let elements = (address as? NSCompositeAttributeDescription)?.elements ?? []
        elements[0].isOptional = false
        elements[1].setValidationPredicates(
            [NSPredicate(format: "SELF > 10")], withValidationWarnings: ["small"])
        let checked = (elements[2] as? NSCompositeAttributeDescription)?.elements[1]
        checked?.attributeType = .integer16AttributeType
        let container = try kind.makeContainer(model)
        let context = container.viewContext
        let place = context.make("Place", ["name": "nothing of the address is there, which is optional"])
        try context.save()
        for (value, code, key) in [
            (["number": 50] as [String: Any], NSValidationMissingMandatoryPropertyError, "address.city"),
            (["city": "Ulm", "number": 5], NSManagedObjectValidationError, "address.number"),
            (
                ["city": "Ulm", "position": ["checked": 70000]], NSValidationNumberTooLargeError,
                "address.position.checked"
            ),
        ] {
            place.setValue(value, forKey: "address")
            let error = try #require(thrownError { try context.save() })
            #expect(error.code == code && error.userInfo[NSValidationKeyErrorKey] as? String == key)
        }
        place.setValue(["city": "Ulm", "number": 11, "position": ["checked": 7]], forKey: "address")
        try context.save()
    }

    /// A composite attribute is nil if all of its elements are.
    @Test(arguments: StoreKind.allCases) func wholesAreComparedWithNil(_ kind: StoreKind) throws {
        let container = try filled(kind)
        let context = container.viewContext
        try expect(names(context, "address == nil"), equals: ["E"])
        try expect(names(context, "address != nil"), equals: ["A", "B", "C", "D"])
        try expect(names(context, "address.position == nil"), equals: ["C", "E"])
        try expect(names(context, "place.address == nil", entity: "Shop"), equals: ["Shop E"])
        try expect(names(context, "ANY shops.place.address.position != nil"), equals: ["A", "B", "D"])
    }

    @Test(arguments: StoreKind.allCases) func wholesAreColumnsOfDictionaryFetches(_ kind: StoreKind) throws {
        let container = try filled(kind)
        let request = NSFetchRequest<NSDictionary>(entityName: "Shop")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", "place.address", "place.address.number"]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let rows = try container.viewContext.fetch(request)
        let first = try #require(rows[0]["place.address"] as? [String: Any])
        #expect(first["city"] as? String == "Ulm" && first["number"] as? Int == 3 && first.count == 3)
        expect(first["position"] as? [String: Double], equals: ["latitude": 48.4])
        #expect(rows[0]["place.address.number"] as? Int == 3 && rows[0].count == 3)
        expect(rows[4].count, equals: 1, "nothing is there")
        let places = NSFetchRequest<NSDictionary>(entityName: "Place")
        places.resultType = .dictionaryResultType
        places.propertiesToGroupBy = ["address.position"]
        places.propertiesToFetch = ["address.position"]
        try expect(container.viewContext.fetch(places).count, equals: 4)
    }

    @Test func wholesAreRefusedElsewhereInSQL() throws {
        let container = try filled(.sqlite)
        for format in ["address == 'Ulm'", "address > 3", "address IN {1}", "lowercase(address) == 'a'"] {
            let error = thrownError { _ = try container.viewContext.all("Place", format) }
            expect(error?.localizedDescription.contains("composite attribute"), equals: true, "\(format)")
        }
        #expect(thrownError { _ = try container.viewContext.all("Place", sort: "address") } != nil)
    }

    /// Without any element it is nil; a composite attribute has that value if its elements may all be nil.
    @Test(arguments: [true, false]) func aRequiredOneMayHaveNoElement(elementsAreOptional: Bool) throws {
        let model = Self.model()
        let address = try #require(
            model.entitiesByName["Place"]?.attributesByName["address"] as? NSCompositeAttributeDescription)
        address.isOptional = false
        address.elements.last?.isOptional = false
        (address.elements.last as? NSCompositeAttributeDescription)?.elements
            .forEach { $0.isOptional = elementsAreOptional }
        let container = try StoreKind.sqlite.makeContainer(model)
        let context = container.viewContext
        let place = context.make("Place", ["name": "F", "address": ["city": "Ulm"]])
        guard elementsAreOptional else {
            let error = try #require(throws: NSError.self) { try context.save() }
            expect(error.code, equals: NSValidationMissingMandatoryPropertyError)
            return
        }
        try context.save()
        place.setValue(nil, forKey: "address")
        try context.save()
        #expect(place.value(forKey: "address") == nil)
    }
}
