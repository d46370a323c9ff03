// From what contexts ask to the requests that an incremental store answers, and back.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSIncrementalStore {
    final func openStore(_ model: ModelRuntime) throws {
        self.model = model
        try loadMetadata()
        guard metadata?[NSStoreUUIDKey] is String else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, description: "The persistent store cannot be opened.",
                file: url,
                reason: "loadMetadata() of \(Swift.type(of: self)) gave no \(NSStoreUUIDKey).")
        }
        addIdentity()
        try checkModel(model)
    }

    final func objectID(_ description: NSEntityDescription, reference: Any) -> NSManagedObjectID {
        guard let entity = model?.managed.entity(for: description) else {
            raise(.invalidArgument, "entity \"\(description.name ?? "")\" is not in the store's model")
        }
        return NSManagedObjectID(entity, primaryKey: references.key(for: reference, entity), store: self)
    }

    private final var asking: NSManagedObjectContext? { persistentStoreCoordinator?.requester }

    // MARK: Fetches

    private final func request(
        _ fetch: StoreFetch, type: NSFetchRequestResultType
    ) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.fields.entity = fetch.entity.managed.description
        request.fields.includesSubentities = fetch.includesSubentities
        request.fields.predicate = fetch.predicate.map(NSPredicate.make)
        request.fields.sortDescriptors =
            fetch.sortKeys.isEmpty ? nil : fetch.sortKeys.map(NSSortDescriptor.make)
        request.fields.fetchLimit = fetch.limit
        request.fields.fetchOffset = fetch.offset
        request.fields.resultType = type
        request.affectedStores = [self]
        return request
    }

    final func objectIDs(_ fetch: StoreFetch) throws -> [NSManagedObjectID] {
        let answer = try execute(request(fetch, type: .managedObjectResultType), with: asking)
        return try elements(answer).map { element in
            if let object = element as? NSManagedObject { return object.objectID }
            if let objectID = element as? NSManagedObjectID { return objectID }
            throw unusable("a fetch of objects", answer: element)
        }
    }

    final func number(_ fetch: StoreFetch) throws -> Int {
        let answer = try execute(request(fetch, type: .countResultType), with: asking)
        let first = (answer as? NSArray)?.firstObject ?? (answer as? [Any])?.first ?? answer
        guard let number = first as? NSNumber else { throw unusable("a count", answer: answer) }
        return number.intValue
    }

    final func dictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        let request = request(fetch.fetch, type: .dictionaryResultType)
        request.fields.propertiesToFetch = fetch.columns.map { property($0, entity: fetch.fetch.entity) }
        request.fields.propertiesToGroupBy =
            fetch.groupBy.isEmpty ? nil : fetch.groupBy.map { property($0, entity: fetch.fetch.entity) }
        request.fields.havingPredicate = fetch.having.map(NSPredicate.make)
        request.fields.returnsDistinctResults = fetch.isDistinct
        return try elements(execute(request, with: asking)).map { element in
            guard
                let row = element as? NSDictionary ?? (element as? [String: Any]).map({ $0 as NSDictionary })
            else { throw unusable("a fetch of dictionaries", answer: element) }
            return fetch.columns.map { Value(row[$0.name]) }
        }
    }

    private final func property(
        _ column: FetchDescription.DictionaryColumn, entity: EntityRuntime
    ) -> Any {
        let description = NSExpressionDescription()
        description.name = column.name
        switch column.source {
        case .keyPath(let path): return entity.managed.description(ofProperty: path) ?? path
        case .objectID:
            description.expression = NSExpression.expressionForEvaluatedObject()
            description.expressionResultType = .objectIDAttributeType
        case .expression(let tree, let type):
            description.expression = NSExpression.make(tree)
            description.expressionResultType =
                NSAttributeType(rawValue: type.rawValue) ?? .undefinedAttributeType
        }
        return description
    }

    private final func elements(_ answer: Any) throws -> [Any] {
        if let array = answer as? [Any] { return array }
        if let array = answer as? NSArray { return array.map { $0 } }
        throw unusable("a fetch", answer: answer)
    }

    private final func unusable(_ question: String, answer: Any) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, description: "The store's answer can't be used.", file: url,
            reason: "\(Swift.type(of: self)) answered \(question) with a \(Swift.type(of: answer)).")
    }

    final func keys(_ objectIDs: [NSManagedObjectID], entity: EntityRuntime) -> StoreKeys {
        var keys = StoreKeys(
            primaryKeys: ContiguousArray(objectIDs.map(\.primaryKey)), entities: nil, entity: entity.number)
        if entity.subtree.count > 1 {
            keys.entities = ContiguousArray(objectIDs.map { Int32($0.runtime.number) })
        }
        return keys
    }

    // MARK: Saves

    final func permanentKeys(_ objects: [NSManagedObject]) throws -> [Int64] {
        let objectIDs = try obtainPermanentIDs(for: objects)
        if objectIDs.count == objects.count { return objectIDs.map(\.primaryKey) }
        throw unusable("a request for \(objects.count) permanent IDs", answer: objectIDs)
    }

    final func saveObjects(_ changes: StoreChanges, objects: SavedObjects) throws {
        let request = NSSaveChangesRequest(
            inserted: Set(objects.of(changes.inserted)),
            updated: Set(objects.of(changes.updated)),
            deleted: Set(objects.of(changes.deleted)),
            locked: Set(objects.of(changes.locked)))
        request.affectedStores = [self]
        _ = try execute(request, with: asking)
    }
}
