// A request that writes many new rows without making objects of them.

import CoreDataSupport
public import Foundation

/// Inserts rows straight into a store: from dictionaries, or from a closure that fills one dictionary or one object
/// after the other. Contexts don't notice until the IDs are merged into them (Docs/Batches.md).
///
/// The model's default values apply. A row that lacks a required value makes the whole request fail with
/// `NSValidationMissingMandatoryPropertyError`; other validation rules aren't checked. The context's merge
/// policy resolves conflicts of values that must be unique.
///
/// ```swift
/// let request = NSBatchInsertRequest(entityName: "Hero", objects: [["name": "Ann"], ["name": "Ben"]])
/// request.resultType = .objectIDs
/// let result = try context.execute(request) as? NSBatchInsertResult
/// print(result?.result as? [NSManagedObjectID] ?? [])
/// ```
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    /// The contents of the result; whether it succeeded, by default.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly
    /// The rows by attribute name, `NSNull` for nil.
    open var objectsToInsert: [[String: Any]]?
    /// Fills a dictionary with the values of the next row; returns true when there is none, which is then not used.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// Fills an object with the values of the next row; returns true when there is none, which is then not used. The
    /// object is always the same one, belongs to no context, and must not be kept.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    private let name: String
    private let stated: NSEntityDescription?

    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// The name of the entity whose rows are inserted.
    open var entityName: String { stated?.name ?? name }
    /// The entity, if the request was made with one.
    open var entity: NSEntityDescription? { stated }

    /// A request to insert these rows.
    ///
    /// - Parameters:
    ///   - entityName: the name of an entity of the model.
    ///   - dictionaries: a row each, its values by the attributes' names. An attribute that a dictionary
    ///     doesn't name gets its default.
    public init(entityName: String, objects dictionaries: [[String: Any]]) {
        name = entityName
        stated = nil
        objectsToInsert = dictionaries
        super.init()
    }

    /// A request to insert these rows.
    ///
    /// - Parameters:
    ///   - entity: an entity of the coordinator's model.
    ///   - dictionaries: a row each, its values by the attributes' names. An attribute that a dictionary
    ///     doesn't name gets its default.
    public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        name = entity.name ?? ""
        stated = entity
        objectsToInsert = dictionaries
        super.init()
    }

    /// A request without entity, which no store executes. Superseded by `init(entityName:objects:)`.
    public override convenience init() {
        self.init(entityName: "", objects: [])
    }

    /// A request to insert the rows that a closure makes.
    ///
    /// - Parameters:
    ///   - entityName: the name of an entity of the model.
    ///   - handler: fills the dictionary of the next row, which is empty; true ends the insertion, without
    ///     that row.
    public convenience init(
        entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entityName: entityName, objects: [])
        (objectsToInsert, dictionaryHandler) = (nil, handler)
    }

    /// A request to insert the rows that a closure makes.
    ///
    /// - Parameters:
    ///   - entity: an entity of the coordinator's model.
    ///   - handler: fills the dictionary of the next row, which is empty; true ends the insertion, without
    ///     that row.
    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: entity, objects: [])
        (objectsToInsert, dictionaryHandler) = (nil, handler)
    }

    /// A request to insert the rows that a closure makes.
    ///
    /// - Parameters:
    ///   - entityName: the name of an entity of the model.
    ///   - handler: sets the values of the next row's object; true ends the insertion, without that row.
    public convenience init(
        entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entityName: entityName, objects: [])
        (objectsToInsert, managedObjectHandler) = (nil, handler)
    }

    /// A request to insert the rows that a closure makes.
    ///
    /// - Parameters:
    ///   - entity: an entity of the coordinator's model.
    ///   - handler: sets the values of the next row's object; true ends the insertion, without that row.
    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: entity, objects: [])
        (objectsToInsert, managedObjectHandler) = (nil, handler)
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy =
            stated.map { NSBatchInsertRequest(entity: $0, objects: []) }
            ?? NSBatchInsertRequest(entityName: name, objects: [])
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The contents of a batch insert's result.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// A `Bool`: whether it succeeded.
    case statusOnly = 0
    /// `[NSManagedObjectID]`: the new rows, and existing ones that were updated because their values must be unique.
    case objectIDs = 1
    /// An `Int`: how many of the request's rows were written, into new rows or existing ones.
    case count = 2
}

/// The answer to an `NSBatchInsertRequest`.
open class NSBatchInsertResult: NSPersistentStoreResult {
    private let value: Any?
    private let type: NSBatchInsertRequestResultType

    init(_ value: Any?, type: NSBatchInsertRequestResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    /// The result, of the kind that `resultType` names.
    open var result: Any? { value }
    /// The kind of `result`.
    open var resultType: NSBatchInsertRequestResultType { type }
}
