// The unsaved changes of a context, laid over the results of a store.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The unsaved changes that matter for one fetch.
struct PendingOverlay {
    private let fetch: ResolvedFetch
    private let touched: [NSManagedObject]

    init(_ context: NSManagedObjectContext, fetch: ResolvedFetch) {
        self.fetch = fetch
        guard fetch.fields.includesPendingChanges, !context.changes.changed.isEmpty else {
            touched = []
            return
        }
        let entity = fetch.entity
        let exact = !fetch.fields.includesSubentities
        let stores = Set(fetch.stores.map(ObjectIdentifier.init))
        let isPartial = context.requiredCoordinator.stores(for: entity).count > stores.count
        touched = context.changes.changed.filter { object in
            guard object.state.marks.contains(.tracked), object.state.hasChanges else { return false }
            guard exact ? object.runtime.number == entity.number : object.runtime.isKind(of: entity) else {
                return false
            }
            guard isPartial, let store = context.store(of: object) else { return true }
            return stores.contains(ObjectIdentifier(store))
        }
    }

    var isEmpty: Bool { touched.isEmpty }

    /// The store's objects with deleted ones left out, changed ones judged anew, and new ones that match added.
    /// `isSorted` tells whether the store's order still holds.
    func apply(to found: [NSManagedObject]) throws -> (objects: [NSManagedObject], isSorted: Bool) {
        if touched.isEmpty { return (found, true) }
        var fits: [ObjectIdentifier: Bool] = [:]
        for object in touched {
            fits[ObjectIdentifier(object)] = try !object.state.isDeleted && matches(object)
        }
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(found.count)
        for object in found where fits.removeValue(forKey: ObjectIdentifier(object)) != false {
            objects.append(object)
        }
        for object in touched where fits[ObjectIdentifier(object)] == true { objects.append(object) }
        return (objects, fetch.storeFetch.sortKeys.isEmpty)
    }

    private func matches(_ object: NSManagedObject) throws -> Bool {
        guard let predicate = fetch.storeFetch.predicate else { return true }
        do {
            return try Evaluator(bindings: nil).matches(predicate, object: .object(ObjectReference(object)))
        } catch {
            throw CoreDataError.make(
                NSCoreDataError, description: "The predicate can't be evaluated on unsaved changes: \(error)",
                userInfo: [CoreDataError.Key.entity: fetch.entity.name])
        }
    }
}
