// The model of the differential test of predicates: every attribute type, every form of relationship.

import CoreData

enum DifferentialModel {
    /// Items have a parent and children, friends, labels and a box that orders them; some are special.
    static func make() -> NSManagedObjectModel {
        let item = StoreFixtures.entity("Item")
        item.properties = attributes.map { StoreFixtures.attribute($0.0, $0.1) }
        item.attributesByName["big"]?.allowsExternalBinaryDataStorage = true
        item.attributesByName["scratch"]?.isTransient = true
        let special = StoreFixtures.entity("Special")
        special.properties = [StoreFixtures.attribute("extra", .string)]
        item.subentities = [special]
        let box = StoreFixtures.entity("Box")
        box.properties = boxed.map {
            StoreFixtures.attribute($0.0, $0.1)
        }
        let label = StoreFixtures.entity("Label")
        label.properties = labelled.map {
            StoreFixtures.attribute($0.0, $0.1)
        }
        connect(item, "parent", 1, item, "children", 0)
        connect(item, "friends", 0, item, "friendOf", 0)
        connect(item, "labels", 0, label, "items", 0)
        connect(item, "box", 1, box, "items", 0).isOrdered = true
        let model = NSManagedObjectModel()
        model.entities = [item, special, box, label]
        return model
    }

    private typealias Keys = [(String, NSAttributeDescription.AttributeType)]

    private static let boxed: Keys = [("id", .integer32), ("name", .string), ("size", .integer32)]
    private static let labelled: Keys = [("id", .integer32), ("word", .string), ("weight", .double)]
    private static let attributes: Keys = [
        ("id", .integer32), ("i16", .integer16), ("i32", .integer32), ("i64", .integer64), ("dbl", .double),
        ("flt", .float), ("dec", .decimal), ("flag", .boolean), ("str", .string), ("text", .string),
        ("date", .date), ("uuid", .uuid), ("uri", .uri), ("blob", .binaryData), ("big", .binaryData),
        ("tags", .transformable), ("scratch", .string),
    ]

    /// Adds both directions and returns the second.
    @discardableResult
    private static func connect(
        _ first: NSEntityDescription, _ name: String, _ count: Int, _ second: NSEntityDescription,
        _ inverseName: String, _ inverseCount: Int
    ) -> NSRelationshipDescription {
        let there = StoreFixtures.relationship(name, to: second, count: count)
        let back = StoreFixtures.relationship(inverseName, to: first, count: inverseCount)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        first.properties.append(there)
        second.properties.append(back)
        return back
    }
}
