// Derived attributes whose sources change by a migration, while they themselves stay as they are.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DerivedMigrationTests {
    enum Change: CaseIterable {
        case membersLeave, orderGoes
    }

    private func model(_ change: Change, isOld: Bool) -> NSManagedObjectModel {
        let item = NSEntityDescription("Item", [NSAttributeDescription("name", .string)])
        let gift = NSEntityDescription("Gift")
        let box = NSEntityDescription("Box")
        if isOld || change == .orderGoes { item.subentities = [gift] }
        let many = change == .orderGoes
        NSRelationshipDescription.connect(
            box, "items", many && isOld ? .ordered : .many, item, "boxes", many ? .many : .one)
        let count = NSDerivedAttributeDescription()
        (count.name, count.type) = ("count", .integer64)
        count.derivationExpression = NSExpression(format: "items.@count")
        box.properties.append(count)
        let model = NSManagedObjectModel()
        model.entities = [item, gift, box]
        return model
    }

    private func counts(_ opened: OpenStore) throws -> [Int] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = opened.coordinator
        return try context.all("Box").compactMap { $0.value(forKey: "count") as? Int }
    }

    /// The count is that of the members that are left, and follows them from then on.
    @Test(arguments: StoreKind.inPlace, Change.allCases)
    func countsFollow(_ kind: StoreKind, _ change: Change) throws {
        let store = try MigratedStore(kind)
        try store.fill(model(change, isOld: true)) { opened in
            let box = opened.context.make("Box")
            for entity in ["Item", "Gift", "Gift"] { relate(box, opened.context.make(entity)) }
            try #require(opened.save() == [])
            try expect(counts(opened), equals: [3])
        }
        try store.migrate(to: model(change, isOld: false)) { migrated in
            let left = change == .membersLeave ? 1 : 3
            try expect(counts(migrated), equals: [left])
            let boxes = try migrated.context.all("Box")
            relate(try #require(boxes.first), migrated.context.make("Item"))
            try #require(migrated.save() == [])
            try expect(counts(migrated), equals: [left + 1])
        }
    }

    private func relate(_ box: NSManagedObject, _ item: NSManagedObject) {
        if box.entity.relationshipsByName["items"]?.isOrdered == true {
            box.mutableOrderedSetValue(forKey: "items").add(item)
        } else {
            box.mutableSetValue(forKey: "items").add(item)
        }
    }
}
