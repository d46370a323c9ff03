// The model of the stores: something of everything that a save writes to another place.

import CoreData
import Foundation

enum TestModel {
    /// - Parameter version: 1, or 2, which renames `Note.text` to `body` and adds `Note.rating`.
    static func make(version: Int = 1) -> NSManagedObjectModel {
        let counter = entity("Counter", [integer("value")])
        let folder = entity("Folder", [integer("gen")])
        let note = entity(
            "Note", [integer("gen"), integer("index"), integer("state"), text(version), blob()])
        let tag = entity("Tag", [integer("gen"), attribute("name", .stringAttributeType)])
        let item = entity(
            "Item",
            [
                integer("batch"), integer("number"), integer("value"),
                attribute("name", .stringAttributeType),
            ])
        tag.uniquenessConstraints = [["name"]]
        if version > 1 {
            let rating = integer("rating")
            rating.defaultValue = 3
            note.properties.append(rating)
        }
        relate(folder, "notes", toMany: note, .cascadeDeleteRule, inverse: "folder", isMany: false)
        relate(note, "tags", toMany: tag, .nullifyDeleteRule, inverse: "notes", isMany: true)
        folder.properties.append(count())
        let model = NSManagedObjectModel()
        model.entities = [counter, folder, note, tag, item]
        return model
    }

    /// The attribute of notes that holds their text.
    static func textKey(version: Int) -> String { version > 1 ? "body" : "text" }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    private static func integer(_ name: String) -> NSAttributeDescription {
        let attribute = attribute(name, .integer64AttributeType)
        attribute.isOptional = false
        attribute.defaultValue = 0
        return attribute
    }

    private static func text(_ version: Int) -> NSAttributeDescription {
        let text = attribute(textKey(version: version), .stringAttributeType)
        if version > 1 { text.renamingIdentifier = "text" }
        return text
    }

    private static func blob() -> NSAttributeDescription {
        let blob = attribute("blob", .binaryDataAttributeType)
        blob.allowsExternalBinaryDataStorage = true
        return blob
    }

    private static func count() -> NSDerivedAttributeDescription {
        let count = NSDerivedAttributeDescription()
        count.name = "noteCount"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(format: "notes.@count")
        return count
    }

    private static func relate(
        _ source: NSEntityDescription, _ name: String, toMany target: NSEntityDescription,
        _ rule: NSDeleteRule, inverse: String, isMany: Bool
    ) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.deleteRule) = (name, target, rule)
        (back.name, back.destinationEntity) = (inverse, source)
        back.maxCount = isMany ? 0 : 1
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        source.properties.append(there)
        target.properties.append(back)
    }
}
