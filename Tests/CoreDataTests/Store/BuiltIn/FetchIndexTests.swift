// Fetch indexes: descending, partial, over expressions. The database uses them for what they were made for.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FetchIndexTests {
    private let folder: TemporaryFolder
    private let opened: OpenStore

    private static func index(
        _ name: String, _ elements: [(NSPropertyDescription, isAscending: Bool)], where format: String? = nil
    ) -> NSFetchIndexDescription {
        let index = NSFetchIndexDescription(
            name: name,
            elements: elements.map { property, isAscending in
                let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
                element.isAscending = isAscending
                return element
            })
        index.partialIndexPredicate = format.map { NSPredicate(format: $0) }
        return index
    }

    private static func model() -> NSManagedObjectModel {
        let sale = NSEntityDescription(
            "Sale",
            NSAttributeDescription.all(
                ("region", .stringAttributeType), ("day", .dateAttributeType),
                ("price", .doubleAttributeType), ("pieces", .integer32AttributeType),
                ("state", .integer16AttributeType), ("note", .stringAttributeType)))
        let named = sale.attributesByName
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = CoreData.NSExpression(format: "price * pieces")
        total.expressionResultType = .doubleAttributeType
        func property(_ name: String) -> NSPropertyDescription { named[name] ?? total }
        sale.indexes = [
            index("byDay", [(property("day"), false)]),
            index("mixed", [(property("note"), true), (property("pieces"), false)]),
            index("open", [(property("region"), true)], where: "state == 1"),
            index("few", [(property("price"), true)], where: "pieces BETWEEN {2, 4} AND note != nil"),
            index("some", [(property("pieces"), true)], where: "region BEGINSWITH 'N'"),
            index("total", [(total, true)]),
        ]
        let model = NSManagedObjectModel()
        model.entities = [sale]
        return model
    }

    init() throws {
        folder = try TemporaryFolder()
        opened = try OpenStore(folder.file("Sales.sqlite"), Self.model())
        for number in 0..<200 {
            let sale = NSEntityDescription.insertNewObject(forEntityName: "Sale", into: opened.context)
            sale.setValue(["North", "South", "Nowhere"][number % 3], forKey: "region")
            sale.setValue(Date(timeIntervalSinceReferenceDate: Double(number % 50)), forKey: "day")
            sale.setValue(Double(number), forKey: "price")
            sale.setValue(number % 7, forKey: "pieces")
            sale.setValue(number % 5, forKey: "state")
            if number % 2 == 0 { sale.setValue("note \(number % 11)", forKey: "note") }
        }
        try #require(opened.save() == [])
    }

    private func plan(_ format: String, sort: [NSSortDescriptor] = []) throws -> String {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Sale")
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = sort
        let all = try opened.context.all("Sale")
        let expected = all.filter { NSPredicate(format: format).evaluate(with: $0) }
        try expect(Set(opened.context.fetch(request)), equals: Set(expected), "\(format)")
        return try opened.coordinator.sqlDescription(for: request, in: opened.store).plan
            .joined(separator: "; ")
    }

    @Test func descendingIndexesSort() throws {
        let newest = try plan("TRUEPREDICATE", sort: [NSSortDescriptor(key: "day", ascending: false)])
        #expect(newest.contains("USING INDEX Z_Sale_byDay") && !newest.contains("TEMP B-TREE"))
        let since = try plan("day > CAST(30, 'NSDate')")
        #expect(since.contains("Z_Sale_byDay (ZDAY>?)"))
        let mixed = try plan(
            "note = 'note 3'", sort: [NSSortDescriptor(key: "pieces", ascending: false)])
        #expect(mixed.contains("Z_Sale_mixed (ZNOTE=?)") && !mixed.contains("TEMP B-TREE"))
    }

    @Test func partialIndexesServeTheirRows() throws {
        #expect(try plan("region == 'North' AND state == 1").contains("INDEX Z_Sale_open (ZREGION=?)"))
        #expect(try !plan("region == 'North' AND state == 2").contains("Z_Sale_open"))
        #expect(
            try plan("price < 50 AND pieces >= 2 AND pieces <= 4 AND note != nil").contains("Z_Sale_few"))
        #expect(try !plan("price < 50 AND pieces BETWEEN {2, 5} AND note != nil").contains("Z_Sale_few"))
        #expect(
            try plan("pieces > 3 AND region BEGINSWITH 'N'").contains("Z_Sale_some"))
    }

    @Test func expressionsAreIndexed() throws {
        #expect(try plan("price * pieces > 900").contains("INDEX Z_Sale_total (<expr>>?)"))
        #expect(try !plan("price + pieces > 150").contains("Z_Sale_total"))
    }

    /// A migration makes the indexes that are new and drops those that are gone.
    @Test func migrationsMakeAndDropThem() throws {
        try opened.close()
        let url = folder.file("Sales.sqlite")
        let without = Self.model()
        without.entities[0].indexes = []
        without.entities[0].versionHashModifier = "plain"
        try OpenStore(url, without, options: .migrating).close()
        let names =
            "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'Z\\_Sale%' ESCAPE '\\'"
        try expect(rows(url, names), equals: [])
        let again = try OpenStore(url, Self.model(), options: .migrating)
        try expect(again.coordinator.verify(again.store), equals: [])
        try again.close()
        try expect(rows(url, names).count, equals: 6)
    }

    /// Elements of composite attributes, inherited ones too, by their descriptions or as key paths; of any kind of index.
    @Test func elementsOfCompositesAreIndexed() throws {
        let position = NSCompositeAttributeDescription(
            "position",
            elements: NSAttributeDescription.all(
                ("latitude", .doubleAttributeType), ("longitude", .doubleAttributeType)))
        let address = NSCompositeAttributeDescription(
            "address", elements: NSAttributeDescription.all(("city", .stringAttributeType)) + [position])
        let place = NSEntityDescription(
            "Place", [address, NSAttributeDescription("city", .stringAttributeType)])
        let shop = NSEntityDescription("Shop")
        place.subentities = [shop]
        place.indexes = [
            Self.index("byCity", [(address.elements[0], true)]),
            Self.index("byLongitude", [(position.elements[1], false)]),
        ]
        shop.indexes = [
            NSFetchIndexDescription(
                name: "position",
                elements: [
                    NSFetchIndexElementDescription(property: position.elements[0], collationType: .rTree)
                ])
        ]
        let model = NSManagedObjectModel()
        model.entities = [place, shop]
        let data = try NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: false)
        let reader = try NSKeyedUnarchiver(forReadingFrom: data)
        reader.requiresSecureCoding = false
        let read = try #require(
            reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSManagedObjectModel)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        for (number, model) in [model, copy, read].enumerated() {
            let url = folder.file("Places\(number).sqlite")
            let opened = try OpenStore(url, model)
            try expect(opened.coordinator.verify(opened.store), equals: [])
            for (entity, format, index) in [
                ("Place", "address.city == 'Ulm'", "Z_Place_byCity (ZADDRESS_CITY=?)"),
                ("Place", "address.position.longitude == 8", "Z_Place_byLongitude"),
                ("Shop", "address.position.latitude BETWEEN {1, 2}", "Z_Shop_position VIRTUAL TABLE"),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: format)
                let plan = try opened.coordinator.sqlDescription(for: request, in: opened.store).plan
                #expect(plan.joined(separator: "; ").contains(index), "\(number) \(format)")
            }
            try opened.close()
        }
    }

    /// Apple's own models have such indexes. The store is made without them, and nothing is wrong with it.
    @Test func anIndexOverAToManyRelationshipIsLeftOut() throws {
        func model(_ names: Set<String>, version: Int = 1) -> NSManagedObjectModel {
            let account = NSEntityDescription("Account", [NSAttributeDescription("name", .string)])
            account.versionHashModifier = "\(version)"
            let kind = NSEntityDescription("Kind", [NSAttributeDescription("name", .string)])
            NSRelationshipDescription.connect(account, "kinds", .many, kind, "accounts", .many)
            NSRelationshipDescription.connect(account, "parent", .one, account, "children", .many)
            account.indexes = account.properties.filter { names.contains($0.name) }.map {
                Self.index("by" + $0.name, [($0, true)])
            }
            let model = NSManagedObjectModel()
            model.entities = [account, kind]
            return model
        }
        let all: Set = ["kinds", "children", "parent", "name"]
        let query = #"SELECT name FROM sqlite_master WHERE name LIKE 'Z\_Account%' ESCAPE '\' ORDER BY name"#
        for (number, first) in [model(all), model(["name"])].enumerated() {
            let url = folder.file("Accounts\(number).sqlite")
            try OpenStore(url, first).close()
            let opened = try OpenStore(url, model(all, version: 2), options: .migrating)
            try expect(opened.coordinator.verify(opened.store), equals: [])
            try opened.close()
            try expect(rows(url, query), equals: [["Z_Account_byname"], ["Z_Account_byparent"]])
        }
        let messages = model(all).remarks.filter { !$0.isError }.map(\.message)
        #expect(
            messages.contains(
                #"fetch index "bykinds" is left out of stores: "kinds" is a to-many relationship"#))
        #expect(!messages.contains { $0.contains("byparent") })
    }
}
