// The pairs of source and destination objects, mapping by mapping.

import Foundation

/// The associations of one migration. Of saved objects only the IDs are kept.
final class MigrationAssociations {
    /// The associations of one mapping.
    private struct Table {
        /// In the order in which they were made.
        var order: [NSManagedObjectID] = []
        var destinations: [NSManagedObjectID: [NSManagedObjectID]] = [:]
        var sources: [NSManagedObjectID: [NSManagedObjectID]] = [:]
        /// Objects that have no lasting ID yet.
        var fresh: [(source: NSManagedObjectID, object: NSManagedObject)] = []
        var freshDestinations: [NSManagedObjectID: [NSManagedObject]] = [:]
        var freshSources: [ObjectIdentifier: [NSManagedObjectID]] = [:]
    }

    /// False where nobody will ask for them: then none is noted.
    var areKept = true
    private var tables: [String: Table] = [:]
    /// The names of the mappings under which a source object has associations.
    private var names: [String] = []

    func add(_ source: NSManagedObject, destination: NSManagedObject, mapping: String) {
        if !areKept { return }
        if tables[mapping] == nil { names.append(mapping) }
        let id = source.objectID
        tables[mapping, default: Table()].fresh.append((id, destination))
        tables[mapping]?.freshDestinations[id, default: []].append(destination)
        tables[mapping]?.freshSources[ObjectIdentifier(destination), default: []].append(id)
    }

    /// Lets go of the objects: they were saved, and have the IDs that they will keep.
    func keepPermanentIDs() {
        for name in names {
            guard var table = tables.removeValue(forKey: name) else { continue }
            for (source, object) in table.fresh {
                let id = object.objectID
                table.order.append(id)
                table.destinations[source, default: []].append(id)
                table.sources[id, default: []].append(source)
            }
            table.fresh = []
            table.freshDestinations = [:]
            table.freshSources = [:]
            tables[name] = table
        }
    }

    func removeAll() {
        tables = [:]
        names = []
    }

    // MARK: Asking

    /// Returns the objects that a mapping made of objects of the source, or all that it made.
    func destinations(
        _ mapping: String, of sources: [NSManagedObject]?, in context: NSManagedObjectContext
    ) -> [NSManagedObject] {
        guard let table = tables[mapping] else { return [] }
        guard let sources else {
            return table.order.map(context.object(with:)) + table.fresh.map(\.object)
        }
        var seen: Set<ObjectIdentifier> = []
        return sources.flatMap { source -> [NSManagedObject] in
            let id = source.objectID
            return (table.destinations[id] ?? []).map(context.object(with:))
                + (table.freshDestinations[id] ?? [])
        }.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Returns the objects that any mapping made of an object of the source.
    func destinations(of source: NSManagedObject, in context: NSManagedObjectContext) -> [NSManagedObject] {
        names.flatMap { destinations($0, of: [source], in: context) }
    }

    /// Returns the source objects of which a mapping made objects of the destination, or
    /// all of which it made any.
    func sources(
        _ mapping: String, of destinations: [NSManagedObject]?, in context: NSManagedObjectContext
    ) -> [NSManagedObject] {
        guard let table = tables[mapping] else { return [] }
        var seen: Set<NSManagedObjectID> = []
        let ids: [NSManagedObjectID] =
            destinations.map { objects in
                objects.flatMap {
                    (table.freshSources[ObjectIdentifier($0)] ?? []) + (table.sources[$0.objectID] ?? [])
                }
            } ?? (table.order.flatMap { table.sources[$0] ?? [] } + table.fresh.map(\.source))
        return ids.filter { seen.insert($0).inserted }.map(context.object(with:))
    }

    /// The IDs of what a mapping made, each once. Only after `keepPermanentIDs()`.
    func savedIDs(_ mapping: String) -> [NSManagedObjectID] {
        var seen: Set<NSManagedObjectID> = []
        return (tables[mapping]?.order ?? []).filter { seen.insert($0).inserted }
    }

    /// The objects that a mapping made and that aren't saved, each once.
    func fresh(_ mapping: String) -> [NSManagedObject] {
        var seen: Set<ObjectIdentifier> = []
        return (tables[mapping]?.fresh ?? []).map(\.object).filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }
}
