import CoreData
import Foundation

/// A size as an attribute's value.
@objc(Size)
public final class Size: NSObject, NSCoding {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    public init?(coder: NSCoder) {
        width = coder.decodeInteger(forKey: "width")
        height = coder.decodeInteger(forKey: "height")
    }

    public func encode(with coder: NSCoder) {
        coder.encode(width, forKey: "width")
        coder.encode(height, forKey: "height")
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? Size).map { $0.width == width && $0.height == height } ?? false
    }

    public override var hash: Int { width ^ height }
}

@objc(Item)
public class Item: NSManagedObject {
    @NSManaged public var title: String?
    @NSManaged public var size: Size?
    @NSManaged public var count: Int64
    @NSManaged public var box: Box?
    @NSManaged private var primitiveTitle: String?

    /// A title without spaces round it.
    public var trimmed: String? {
        get {
            willAccessValue(forKey: "title")
            defer { didAccessValue(forKey: "title") }
            return primitiveTitle?.trimmingCharacters(in: .whitespaces)
        }
        set {
            willChangeValue(forKey: "title")
            primitiveTitle = newValue?.trimmingCharacters(in: .whitespaces)
            didChangeValue(forKey: "title")
        }
    }
}

@objc(Box)
public class Box: NSManagedObject {
    @NSManaged public var label: String
    @NSManaged public var items: Set<Item>
}

extension NSEntityDescription {
    convenience init(_ type: NSManagedObject.Type) {
        self.init()
        name = NSStringFromClass(type).components(separatedBy: ".").last
        managedObjectClassName = NSStringFromClass(type)
    }
}

extension NSAttributeDescription {
    convenience init(_ name: String, _ type: NSAttributeType, default value: Any? = nil) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = value == nil
        defaultValue = value
    }
}

public enum Inventory {
    public static func model() -> NSManagedObjectModel {
        let item = NSEntityDescription(Item.self)
        let box = NSEntityDescription(Box.self)
        let boxOfItem = NSRelationshipDescription()
        boxOfItem.name = #keyPath(Item.box)
        boxOfItem.maxCount = 1
        boxOfItem.destinationEntity = box
        let items = NSRelationshipDescription()
        items.name = #keyPath(Box.items)
        items.destinationEntity = item
        items.deleteRule = .cascadeDeleteRule
        items.inverseRelationship = boxOfItem
        boxOfItem.inverseRelationship = items
        item.properties = [
            NSAttributeDescription("title", .stringAttributeType),
            NSAttributeDescription("count", .integer64AttributeType, default: 1),
            NSAttributeDescription("size", .transformableAttributeType, default: Size(width: 1, height: 2)),
            boxOfItem,
        ]
        let many = NSFetchedPropertyDescription()
        many.name = "many"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = item
        request.predicate = NSPredicate(format: "count > 1 AND box == $FETCH_SOURCE")
        many.fetchRequest = request
        box.properties = [NSAttributeDescription("label", .stringAttributeType, default: "Box"), items, many]
        let model = NSManagedObjectModel()
        model.entities = [item, box]
        return model
    }

    public static func context(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil,
            at: URL(fileURLWithPath: "/dev/null/inventory"),
            options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
