// Stores of clients' own formats that are read and written whole. The topics are in the `+` files.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The abstract superclass of stores that are loaded and saved as a whole.
///
/// A subclass overrides `load()`, which makes a node for every object and hands them to `addCacheNodes(_:)`, and
/// `save()`, which writes `cacheNodes()`. Everything else is done here. The coordinator's lock is held meanwhile.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {  // the coordinator's lock guards the state
    /// `nil` until the store is added to a coordinator.
    final var atomic: AtomicContents?

    /// Reads the whole store.
    ///
    /// - Throws: what keeps it from doing so; the store is then not added.
    open func load() throws {
        throw RequestErrors.missing("load()", in: Swift.type(of: self))
    }

    /// Writes the whole store.
    ///
    /// - Throws: what keeps it from doing so; nothing of the save holds then.
    open func save() throws {
        throw RequestErrors.missing("save()", in: Swift.type(of: self))
    }

    /// Returns a node for a new object, with its values.
    ///
    /// The one returned here gets them from `updateCacheNode(_:from:)`.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    }

    /// Takes the values of an object that is being saved over into its node.
    ///
    /// Called for new objects too, once all of them have nodes.
    ///
    /// - Parameters:
    ///   - node: the object's node.
    ///   - managedObject: the object.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        copyValues(of: managedObject, to: node)
    }

    /// Returns the reference object of a new object, unique among the objects of an entity: a UUID unless
    /// overridden.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

    /// Called before the nodes of deleted objects leave the store.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// Returns the nodes of all objects.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { contents.all }

    /// Adds nodes that were made while loading.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { contents.add(cacheNodes) }

    /// Returns the node of an object, if the store has it.
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        contents.node(objectID)
    }

    /// Returns the ID of the object that the store calls by a reference object.
    ///
    /// - Parameters:
    ///   - entity: the object's entity.
    ///   - data: the reference object: a string, a number or another hashable value.
    open func objectID(
        for entity: NSEntityDescription, withReferenceObject data: Any
    ) -> NSManagedObjectID { contents.objectID(entity, reference: data) }

    /// Returns the reference object that the store calls an object by.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any { contents.reference(objectID) }

    /// Gives a store that has no metadata `NSStoreType` and a new `NSStoreUUID`.
    ///
    /// - Throws: nothing; overrides may.
    open override func loadMetadata() throws { addIdentity() }

    // MARK: Requests of contexts

    override func open(model: ModelRuntime) throws { try openAndLoad(model) }

    override func source() throws -> any RowSource { contents }

    override func allocateKeys(
        root: EntityRuntime, count: Int, for objects: () -> [NSManagedObject]
    ) throws -> [Int64] {
        objects().map { contents.references.key(for: newReferenceObject(for: $0), root) }
    }

    override func reference(_ primaryKey: Int64, entity: EntityRuntime) -> Any? {
        atomic?.references.reference(primaryKey, entity: entity)
    }

    override func objectID(forReferenceText text: String, entity: EntityRuntime) -> NSManagedObjectID? {
        atomic?.references.key(forText: text, entity).map {
            NSManagedObjectID(entity, primaryKey: $0, store: self)
        }
    }

    override func save(
        _ changes: StoreChanges, of objects: SavedObjects, before rest: () throws -> Void
    ) throws {
        try saveAll(changes, of: objects, before: rest)
    }

    override var savesBefore: Int { 2 }

    override func takeDerivedRows() -> DerivedRows { atomic?.rows.takeDerivedRows() ?? DerivedRows() }
}
