// Decimals in sets: the hash of Foundation's NSDecimalNumber calls itself without end off Apple's systems.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DecimalPitfalls {
    private static func model() -> NSManagedObjectModel {
        let shelf = NSEntityDescription("Shelf", [NSAttributeDescription("limit", .decimal)])
        let item = NSEntityDescription("Item", [NSAttributeDescription("price", .decimal)])
        NSRelationshipDescription.connect(shelf, "items", .many, item, "shelf", .one)
        item.uniquenessConstraints = [["price"]]
        let model = NSManagedObjectModel()
        model.entities = [shelf, item]
        return model
    }

    private func decimals(_ texts: String...) -> [NSDecimalNumber] {
        texts.map { NSDecimalNumber(string: $0) }
    }

    @Test func equalNumbersHaveOneHash() {
        _ = NSManagedObjectModel()
        for text in ["0", "1", "-3", "1.5", "2.25", "123456789012", "-0.125", "1e20"] {
            let (decimal, number) = (NSDecimalNumber(string: text), NSNumber(value: Double(text) ?? .nan))
            #expect(decimal.isEqual(number) && number.isEqual(decimal), "\(text)")
            expect(decimal.hash, equals: number.hash, "\(text)")
        }
        expect(Set<NSNumber>([NSDecimalNumber(string: "3"), 3, 3.5]).count, equals: 2)
        expect(NSSet(array: decimals("1.5", "1.50", "2")).count, equals: 2)
        expect(NSDecimalNumber.notANumber.hash, equals: NSDecimalNumber.notANumber.hash)
    }

    @Test(arguments: StoreKind.allCases) func decimalsOfRelatedObjects(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(Self.model())
        let context = container.viewContext
        let prices = decimals("1.5", "2.25", "3")
        let items = prices.map { context.make("Item", ["price": $0]) }
        let shelf = context.make("Shelf", ["limit": prices[1], "items": NSSet(array: items)])
        try context.save()
        let all = NSSet(array: prices)
        for path in ["items.price", "items.@distinctUnionOfObjects.price"] {
            expect(try #require(shelf.value(forKeyPath: path) as? NSSet, "\(path)"), equals: all)
        }
        let members = try #require(shelf.value(forKey: "items") as? NSSet)
        expect(try #require(members.value(forKey: "price") as? NSSet), equals: all)
        let distinct = NSArray(array: items + items).value(forKeyPath: "@distinctUnionOfObjects.price")
        expect(try #require(distinct as? NSArray).count, equals: 3)

        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "price", ascending: true)]
        for (predicate, count) in [
            (NSPredicate(format: "price IN %@", NSSet(array: decimals("1.5", "3", "4"))), 2),
            (NSPredicate(format: "ANY shelf.items.price == %@", prices[0]), 3),
            (NSPredicate(format: "price == shelf.limit"), 1),
        ] {
            request.predicate = predicate
            try expect(context.fetch(request).count, equals: count, "\(predicate.formatString)")
            expect(items.filter { predicate.evaluate(with: $0) }.count, equals: count)
        }
        request.predicate = nil
        let sections = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "price", cacheName: nil)
        try sections.performFetch()
        expect(sections.sections?.map(\.name), equals: ["1.5", "2.25", "3"])
        _ = context.make("Item", ["price": prices[0]])
        #expect(throws: NSError.self) { try context.save() }
        withExtendedLifetime(container) {}
    }
}
