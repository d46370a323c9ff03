// Batches as tests write them, and a model with what the shared one lacks.

import CoreData
import Foundation

enum BatchModel {
    /// Books with unique titles, covers that lie in files, and shelves that deny or require.
    static func make() -> NSManagedObjectModel {
        let book = entity("Book", ["title": .stringAttributeType, "pages": .integer32AttributeType])
        let cover = NSAttributeDescription()
        (cover.name, cover.attributeType) = ("cover", .binaryDataAttributeType)
        cover.isOptional = true
        cover.allowsExternalBinaryDataStorage = true
        book.properties.append(cover)
        book.attributesByName["pages"]?.defaultValue = 1
        book.uniquenessConstraints = [["title"]]
        let shelf = entity("Shelf", ["name": .stringAttributeType])
        let room = entity("Room", ["name": .stringAttributeType])
        relate(shelf, "books", to: book, "shelf", rule: .denyDeleteRule)
        relate(room, "shelves", to: shelf, "room", rule: .nullifyDeleteRule)
        shelf.relationshipsByName["room"]?.isOptional = false
        let model = NSManagedObjectModel()
        model.entities = [book, shelf, room]
        return model
    }

    private static func entity(_ name: String, _ attributes: [String: NSAttributeType])
        -> NSEntityDescription
    {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.sorted { $0.key < $1.key }.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        return entity
    }

    private static func relate(
        _ one: NSEntityDescription, _ name: String, to many: NSEntityDescription, _ inverse: String,
        rule: NSDeleteRule
    ) {
        let (forward, backward) = (NSRelationshipDescription(), NSRelationshipDescription())
        (forward.name, forward.destinationEntity, forward.deleteRule) = (name, many, rule)
        (backward.name, backward.destinationEntity) = (inverse, one)
        (backward.maxCount, backward.deleteRule) = (1, .nullifyDeleteRule)
        (forward.inverseRelationship, backward.inverseRelationship) = (backward, forward)
        (forward.isOptional, backward.isOptional) = (true, true)
        one.properties.append(forward)
        many.properties.append(backward)
    }
}

extension NSManagedObjectContext {
    /// Inserts rows and returns how many.
    @discardableResult
    func batchInsert(_ entity: String, _ rows: [[String: Any]]) throws -> Int {
        let request = NSBatchInsertRequest(entityName: entity, objects: rows)
        request.resultType = .count
        return (try execute(request) as? NSBatchInsertResult)?.result as? Int ?? -1
    }

    /// Updates rows and returns how many.
    @discardableResult
    func batchUpdate(
        _ entity: String, _ format: String? = nil, _ values: [AnyHashable: Any]
    ) throws -> Int {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.propertiesToUpdate = values
        request.resultType = .updatedObjectsCountResultType
        return (try execute(request) as? NSBatchUpdateResult)?.result as? Int ?? -1
    }

    /// Deletes rows and returns how many.
    @discardableResult
    func batchDelete(_ entity: String, _ format: String? = nil) throws -> Int {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        let delete = NSBatchDeleteRequest(fetchRequest: request)
        delete.resultType = .resultTypeCount
        return (try execute(delete) as? NSBatchDeleteResult)?.result as? Int ?? -1
    }
}
