// A client's store as a store of Core Data.

import CoreData
import Foundation
import Synchronization

/// Lets contexts fire faults and save with a store that a client wrote. Fetches go by `ClientFetch`, which knows descriptors.
///
/// An object of the store is called by a text of this process's own. The client's identifier of it is looked up: a temporary one
/// until the store has saved the object, then the one that the store gave it.
///
/// Unchecked because the coordinator's lock guards the client's store and the values; identifiers have a lock of their own.
final class ClientStore: NSIncrementalStore, @unchecked Sendable {
    static let storeType = "SwiftData.DataStore"
    /// The option with the client's store.
    static let bridgeOption = "SwiftData.DataStore"
    static let register: Void = NSPersistentStoreCoordinator.registerStoreClass(
        ClientStore.self, forStoreType: storeType)

    /// The client's store as an option.
    final class BridgeBox: NSObject {
        let bridge: any ClientStoreBridge
        init(_ bridge: any ClientStoreBridge) { self.bridge = bridge }
    }

    private struct Names {
        var identifiers: [String: PersistentIdentifier] = [:]
        var references: [PersistentIdentifier: String] = [:]
    }

    private let names = Mutex(Names())
    /// The last values that the store told, by identifier, and how often they changed.
    private var rows: [PersistentIdentifier: (values: SnapshotValues, version: UInt64)] = [:]

    var bridge: any ClientStoreBridge {
        guard let box = options?[Self.bridgeOption] as? BridgeBox else {
            preconditionFailure("a store of a client is added with its own option")
        }
        return box.bridge
    }

    override func loadMetadata() throws {
        metadata = [NSStoreUUIDKey: bridge.identifier, NSStoreTypeKey: Self.storeType]
    }

    // MARK: Identifiers

    func identifier(of objectID: NSManagedObjectID) -> PersistentIdentifier {
        let reference = "\(referenceObject(for: objectID))"
        return names.withLock { names in
            if let known = names.identifiers[reference] { return known }
            let made = PersistentIdentifier(
                id: .init(storeIdentifier: nil, entityName: objectID.entity.name ?? "", key: "t" + reference))
            names.identifiers[reference] = made
            names.references[made] = reference
            return made
        }
    }

    func objectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
        guard
            let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[identifier.entityName]
        else {
            return nil
        }
        let reference = names.withLock { names in
            if let known = names.references[identifier] { return known }
            let made = UUID().uuidString
            names.references[identifier] = made
            names.identifiers[made] = identifier
            return made
        }
        return newObjectID(for: entity, referenceObject: reference)
    }

    private func rename(_ old: PersistentIdentifier, to new: PersistentIdentifier) {
        names.withLock { names in
            guard let reference = names.references.removeValue(forKey: old) else { return }
            names.references[new] = reference
            names.identifiers[reference] = new
        }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
    }

    // MARK: Values

    /// Keeps values, and returns the identifiers of those that differ from what was known.
    @discardableResult
    func keep(_ values: [SnapshotValues]) -> Set<PersistentIdentifier> {
        var changed: Set<PersistentIdentifier> = []
        for value in values {
            let known = rows[value.identifier]
            if let known, known.values.isSame(as: value) { continue }
            rows[value.identifier] = (value, (known?.version ?? 0) + 1)
            if known != nil { changed.insert(value.identifier) }
        }
        return changed
    }

    private func row(_ identifier: PersistentIdentifier, _ context: NSManagedObjectContext?) throws
        -> SnapshotValues
    {
        if let known = rows[identifier] { return known.values }
        let state = Self.state(of: context)
        if let cached = try bridge.cached(identifier, state) {
            keep([cached])
            return cached
        }
        try refetch(identifier, state)
        if let known = rows[identifier] { return known.values }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError,
            userInfo: [NSLocalizedDescriptionKey: "The store has no model \(identifier.id.key)."])
    }

    /// Asks for one model; where the store can't filter, for all of its type.
    private func refetch(_ identifier: PersistentIdentifier, _ state: EditingState) throws {
        guard let type = SnapshotTypes.type(of: identifier.entityName) else { return }
        func fetch<T: PersistentModel>(_ type: T.Type) throws -> FetchedValues {
            let one = FetchDescriptor<T>(predicate: #Predicate { $0.persistentModelID == identifier })
            do {
                return try bridge.fetch(one, state)
            } catch DataStoreError.preferInMemoryFilter {
                return try bridge.fetch(FetchDescriptor<T>(), state)
            }
        }
        let fetched = try fetch(type)
        keep(fetched.found + fetched.related)
    }

    private static func state(of context: NSManagedObjectContext?) -> EditingState {
        (context as? ManagedContext)?.owner?.editingState ?? EditingState()
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let identifier = identifier(of: objectID)
        let row = try row(identifier, context)
        var values: [String: Any] = [:]
        for form in try forms(of: objectID) where !form.isToMany {
            guard let value = row[form.name] else { continue }
            if form.isRelationship {
                values[form.name] = (value as? PersistentIdentifier).flatMap(self.objectID) ?? NSNull()
            } else {
                values[form.name] = form.stored(value)
            }
        }
        for form in try forms(of: objectID) where form.isRelationship && !form.isToMany {
            values[form.name] = values[form.name] ?? NSNull()
        }
        return NSIncrementalStoreNode(
            objectID: objectID, withValues: values, version: rows[identifier]?.version ?? 1)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let value = try row(identifier(of: objectID), context)[relationship.name]
        if relationship.isToMany {
            return ((value as? [PersistentIdentifier]) ?? []).compactMap(self.objectID)
        }
        return (value as? PersistentIdentifier).flatMap(self.objectID) ?? NSNull()
    }

    private func forms(of objectID: NSManagedObjectID) throws -> [StoredForm] {
        guard let type = SnapshotTypes.type(of: objectID.entity.name ?? "") else {
            throw SwiftDataError.unknownSchema
        }
        return type._$modelClass.properties.compactMap(StoredForm.init)
    }

    func erase() throws {
        var result: Result<Void, any Error> = .success(())
        persistentStoreCoordinator?.performAndWait {
            result = Result {
                try bridge.erase()
                rows = [:]
            }
        }
        try result.get()
    }

    // MARK: Requests

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        if let save = request as? NSSaveChangesRequest {
            try self.save(save, context)
            return [] as [Any]
        }
        // Descriptors go by `ClientFetch`. Core Data asks all stores for models that others keep.
        if let fetch = request as? NSFetchRequest<any NSFetchRequestResult>,
            let name = fetch.entity?.name ?? fetch.entityName, bridge.storeSchema.entitiesByName[name] == nil
        {
            if fetch.resultType == .countResultType { return [NSNumber(value: 0)] }
            return [] as [Any]
        }
        throw DataStoreError.unsupportedFeature
    }

    private func save(_ request: NSSaveChangesRequest, _ context: NSManagedObjectContext?) throws {
        func models(_ objects: Set<NSManagedObject>?) -> [_ModelObject] {
            (objects ?? []).compactMap { $0 as? _ModelObject }
        }
        let changes = ClientChanges(
            inserted: models(request.insertedObjects), updated: models(request.updatedObjects),
            deleted: models(request.deletedObjects))
        let new = changes.inserted.map { PersistentIdentifier($0) }
        let gone = changes.deleted.map { PersistentIdentifier($0) }
        let saved = try bridge.save(changes, Self.state(of: context))
        if let lost = new.first(where: { saved.remapped[$0] == nil }) {
            throw SwiftDataError.modelValidationFailure.because(
                "the store gave no identifier to a new model of the entity \(lost.entityName)")
        }
        for (old, lasting) in saved.remapped { rename(old, to: lasting) }
        for identifier in gone { rows[identifier] = nil }
        keep(saved.values)
        if let token = saved.token { (context as? ManagedContext)?.owner?.note(token, of: bridge.identifier) }
    }
}
