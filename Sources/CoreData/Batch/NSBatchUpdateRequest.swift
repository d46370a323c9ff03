// A request that changes many rows without making objects of them.

import CoreDataSupport
public import Foundation

/// Changes properties of all rows that a predicate finds, with one statement. Contexts don't notice until the IDs are
/// merged into them (Docs/Batches.md). Nothing is validated.
///
/// ```swift
/// let request = NSBatchUpdateRequest(entityName: "Hero")
/// request.predicate = NSPredicate(format: "name == nil")
/// request.propertiesToUpdate = ["name": "nameless"]
/// try context.execute(request)
/// ```
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    /// The predicate of the rows that change; all for nil.
    open var predicate: NSPredicate?
    /// New values by name, Swift key path or property description: constants, `NSNull` for nil, or expressions over the row as it was.
    /// To-one relationships take objects or object IDs.
    open var propertiesToUpdate: [AnyHashable: Any]?
    /// Indicates whether rows of subentities change too. True by default.
    open var includesSubentities = true
    /// The contents of the result; whether it succeeded, by default.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType
    private let name: String
    final var known: NSEntityDescription?

    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// The name of the entity whose rows change.
    open var entityName: String { known?.name ?? name }
    /// The entity whose rows change. Of a request that was made with a name it is known once the request was executed.
    open var entity: NSEntityDescription {
        guard let known else {
            raise(
                .internalInconsistency,
                "The entity \"\(name)\" of a batch update is known once the request was executed.")
        }
        return known
    }

    /// A request over the entity of this name.
    public init(entityName: String) {
        name = entityName
        super.init()
    }

    /// A request over an entity.
    public init(entity: NSEntityDescription) {
        name = entity.name ?? ""
        known = entity
        super.init()
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchUpdateRequest(entityName: name)
        copy.known = known
        copy.predicate = predicate
        copy.propertiesToUpdate = propertiesToUpdate
        copy.includesSubentities = includesSubentities
        copy.resultType = resultType
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The contents of a batch update's result.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// A `Bool`: whether it succeeded.
    case statusOnlyResultType = 0
    /// `[NSManagedObjectID]`: the rows that changed.
    case updatedObjectIDsResultType = 1
    /// An `Int`: how many these are.
    case updatedObjectsCountResultType = 2
}

/// The answer to an `NSBatchUpdateRequest`.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    private let value: Any?
    private let type: NSBatchUpdateRequestResultType

    init(_ value: Any?, type: NSBatchUpdateRequestResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    /// The result, of the kind that `resultType` names.
    open var result: Any? { value }
    /// The kind of `result`.
    open var resultType: NSBatchUpdateRequestResultType { type }
}
