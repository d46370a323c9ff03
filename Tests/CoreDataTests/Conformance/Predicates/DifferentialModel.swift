// The model of the differential test of predicates: every attribute type, every form of relationship.

import CoreData

enum DifferentialModel {
    /// Items have a parent and children, friends, labels and a box that orders them; some are special.
    static func make() -> NSManagedObjectModel {
        let item = NSEntityDescription("Item")
        item.properties = attributes.map { NSAttributeDescription($0.0, $0.1) }
        item.attributesByName["big"]?.allowsExternalBinaryDataStorage = true
        item.attributesByName["scratch"]?.isTransient = true
        let special = NSEntityDescription("Special")
        special.properties = [NSAttributeDescription("extra", .string)]
        item.subentities = [special]
        let box = NSEntityDescription("Box")
        box.properties = boxed.map {
            NSAttributeDescription($0.0, $0.1)
        }
        let label = NSEntityDescription("Label")
        label.properties = labelled.map {
            NSAttributeDescription($0.0, $0.1)
        }
        NSRelationshipDescription.connect(item, "parent", .one, item, "children", .many)
        NSRelationshipDescription.connect(item, "friends", .many, item, "friendOf", .many)
        NSRelationshipDescription.connect(item, "labels", .many, label, "items", .many)
        NSRelationshipDescription.connect(item, "box", .one, box, "items", .ordered)
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
}
