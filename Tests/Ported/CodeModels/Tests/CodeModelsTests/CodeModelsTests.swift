import CoreData
import XCTest

@testable import CodeModels

final class CodeModelsTests: XCTestCase {
    func testObjectsOfAModelInCode() throws {
        let context = try Inventory.context(Inventory.model())
        let box = Box(context: context)
        let item = Item(context: context)
        item.trimmed = "  Lamp "
        item.box = box
        XCTAssertEqual(item.title, "Lamp")
        XCTAssertEqual(item.count, 1)
        XCTAssertEqual(box.items, [item])
        try context.save()
        context.reset()
        let read = try XCTUnwrap(context.fetch(NSFetchRequest<Item>(entityName: "Item")).first)
        XCTAssertEqual(read.trimmed, "Lamp")
        XCTAssertEqual(read.size, Size(width: 1, height: 2))
        XCTAssertEqual(read.box?.label, "Box")
    }

    func testFetchedProperty() throws {
        let context = try Inventory.context(Inventory.model())
        let box = Box(context: context)
        for count in 1...3 {
            let item = Item(context: context)
            item.count = Int64(count)
            item.box = box
        }
        try context.save()
        context.refreshAllObjects()
        XCTAssertEqual((box.value(forKey: "many") as? [Item])?.count, 2)
    }

    /// The settings of a model in use that code may still change.
    func testModelsInUse() throws {
        let model = Inventory.model()
        _ = try Inventory.context(model)
        let property = try XCTUnwrap(model.entitiesByName["Box"]?.propertiesByName["many"])
        property.userInfo = ["shown": true]
        XCTAssertEqual(property.userInfo?["shown"] as? Bool, true)
        XCTAssertEqual(model.entityVersionHashesByName, Inventory.model().entityVersionHashesByName)
    }

    func testEmptyInitialiser() {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.performAndWait {
            XCTAssertNil(context.persistentStoreCoordinator)
            XCTAssertFalse(context.hasChanges)
        }
    }

    func testKindsOfValues() {
        XCTAssertEqual(
            NSAttributeDescription("count", of: NSNumber.self)?.attributeType, .integer64AttributeType)
        XCTAssertEqual(
            NSAttributeDescription("price", of: NSDecimalNumber.self)?.attributeType, .decimalAttributeType)
        for name in ["description", "objectID", "isDeleted", "willSave"] {
            XCTAssertNil(NSAttributeDescription(name, of: NSNumber.self), name)
        }
    }

    func testFollowers() throws {
        let context = try Inventory.context(Inventory.model())
        let box = Box(context: context)
        var labels: [String?] = []
        let follower = Follower(box, #keyPath(Box.label)) { labels.append($0 as? String) }
        box.label = "Lamps"
        box.label = "Cups"
        XCTAssertEqual(labels, ["Lamps", "Cups"])
        withExtendedLifetime(follower) {}
    }
}
