// Members of an ordered relationship without inverse, which another object takes over.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct TakenMembersTests {
    private func model() -> NSManagedObjectModel {
        let (list, item) = (
            NSEntityDescription("List", [NSAttributeDescription("name", .string)]),
            NSEntityDescription("Item", [NSAttributeDescription("name", .string)])
        )
        list.properties.append(NSRelationshipDescription("items", to: item, .ordered))
        let model = NSManagedObjectModel()
        model.entities = [list, item]
        return model
    }

    /// The former owner still shows the member and moves others around it: the new owner's order stays whole.
    @Test(arguments: [StoreKind.sqlite, .tracked] + StoreKind.onServers)
    func theNewOwnersOrderStays(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(model())
        let context = container.newBackgroundContext()
        try context.run {
            let items = ["a", "b", "c", "d", "e"].map { context.make("Item", ["name": $0]) }
            let (first, second) = (context.make("List", ["name": "1"]), context.make("List", ["name": "2"]))
            first.setValue(NSOrderedSet(array: Array(items[0...2])), forKey: "items")
            second.setValue(NSOrderedSet(array: Array(items[3...4])), forKey: "items")
            try context.save()
            second.mutableOrderedSetValue(forKey: "items").add(items[2])
            first.mutableOrderedSetValue(forKey: "items").moveObjects(at: [2], to: 0)
            try context.save()
        }
        let other = container.newBackgroundContext()
        try other.run {
            let names = try other.all("List", sort: "name").map { list in
                (list.value(forKey: "items") as? NSOrderedSet)?.array.compactMap {
                    ($0 as? NSManagedObject)?.text("name")
                }
            }
            expect(names, equals: [["a", "b"], ["d", "e", "c"]])
        }
        try expect(container.persistentStoreCoordinator.verify(container.store), equals: [])
    }
}
