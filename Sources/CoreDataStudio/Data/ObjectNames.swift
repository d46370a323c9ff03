// The names of objects in pages: `Hero/12`, and `Hero/new-3` while they aren't saved.

import CoreData
import StoreTools

/// Names of objects of one workspace, and the way back.
struct ObjectNames {
    private let coordinator: NSPersistentStoreCoordinator
    private var count = 0
    private var fresh: [String: NSManagedObject] = [:]
    private var names: [ObjectIdentifier: String] = [:]
    /// The objects saved meanwhile, so that pages that show them under their first names find them.
    private var saved: [String: NSManagedObjectID] = [:]

    init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

    mutating func name(of object: NSManagedObject) -> String {
        if let known = names[ObjectIdentifier(object)], object.objectID.isTemporaryID { return known }
        guard object.objectID.isTemporaryID else { return name(of: object.objectID) }
        count += 1
        let name = "\(object.entity.name ?? "")/new-\(count)"
        fresh[name] = object
        names[ObjectIdentifier(object)] = name
        return name
    }

    /// Of a saved object.
    func name(of id: NSManagedObjectID) -> String {
        let entity = id.entity.name ?? ""
        let suffix = storeNumber(id.persistentStore).map { "@\($0)" } ?? ""
        if let number = id.rowNumber { return "\(entity)/\(number)\(suffix)" }
        return "\(entity)/~\(id.uriRepresentation().lastPathComponent.dropFirst())\(suffix)"
    }

    private func storeNumber(_ store: NSPersistentStore?) -> Int? {
        guard let store, let place = coordinator.persistentStores.firstIndex(where: { $0 === store }),
            place > 0
        else { return nil }
        return place
    }

    /// The object of a name. Throws a problem of status 404 if there is none.
    func object(_ name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        if let object = fresh[name], object.managedObjectContext != nil { return object }
        if let id = saved[name] ?? id(name), let object = try context.objectIfThere(id) {
            return object
        }
        throw StudioProblem(status: 404, "There is no object \(name.prefix(200)). It may have been deleted.")
    }

    private func id(_ name: String) -> NSManagedObjectID? {
        guard let slash = name.firstIndex(of: "/") else { return nil }
        let entity = name[..<slash]
        var rest = name[name.index(after: slash)...]
        var store = 0
        if let at = rest.lastIndex(of: "@"), let number = Int(rest[rest.index(after: at)...]) {
            store = number
            rest = rest[..<at]
        }
        let stores = coordinator.persistentStores
        guard stores.indices.contains(store), let identifier = stores[store].identifier else { return nil }
        if rest.first == "~" {
            rest = rest.dropFirst()
        } else if Int64(rest).map({ $0 > 0 }) != true {
            return nil
        }
        let id = coordinator.managedObjectID(for: "x-coredata://\(identifier)/\(entity)/p\(rest)")
        return id?.entity.name == String(entity) ? id : nil
    }

    /// Takes note of what a save gave permanent IDs, and forgets what is gone.
    mutating func noteSaved() {
        for (name, object) in fresh {
            if object.managedObjectContext != nil, object.objectID.isTemporaryID { continue }
            if object.managedObjectContext != nil { saved[name] = object.objectID }
            fresh[name] = nil
            names[ObjectIdentifier(object)] = nil
        }
        if saved.count > 10_000 { saved.removeAll() }
    }
}
