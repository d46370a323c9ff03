// Batches as tests write them, and a model with what the shared one lacks.

import CoreData
import Foundation

enum BatchModel {
    /// Books with unique titles, covers that lie in files, and shelves that deny or require.
    static func make() -> NSManagedObjectModel {
        let book = NSEntityDescription(
            "Book",
            NSAttributeDescription.all(("pages", .integer32AttributeType), ("title", .stringAttributeType)))
        let cover = NSAttributeDescription("cover", .binaryDataAttributeType)
        cover.allowsExternalBinaryDataStorage = true
        book.properties.append(cover)
        book.attributesByName["pages"]?.defaultValue = 1
        book.uniquenessConstraints = [["title"]]
        let shelf = NSEntityDescription("Shelf", [NSAttributeDescription("name", .stringAttributeType)])
        let room = NSEntityDescription("Room", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.connect(shelf, "books", .many, book, "shelf", .one, rule: .denyDeleteRule)
        NSRelationshipDescription.connect(room, "shelves", .many, shelf, "room", .one)
        shelf.relationshipsByName["room"]?.isOptional = false
        let model = NSManagedObjectModel()
        model.entities = [book, shelf, room]
        return model
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
