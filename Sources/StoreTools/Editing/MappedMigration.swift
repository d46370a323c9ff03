// Bringing a store to another version by a mapping model.

import CoreData

/// A mapping model with the versions that it leads from and to.
struct MappedMigration {
    let mapping: NSMappingModel
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel

    /// Returns the change of each entity, with its rows counted.
    func steps(for address: StoreAddress) throws -> [PlannedMigrationStep] {
        let counts = try counts(address)
        let mappings = mapping.entityMappings ?? []
        let mapped = Set(mappings.compactMap(\.sourceEntityName))
        let steps = mappings.map { mapping in
            let name = mapping.sourceEntityName
            let summary =
                switch (name, mapping.destinationEntityName) {
                case (let source?, let target?): "\(mapping.name ?? ""): \(source) becomes \(target)"
                case (let source?, nil): "\(mapping.name ?? ""): drop \(source)"
                case (nil, let target): "\(mapping.name ?? ""): add \(target ?? "")"
                }
            return PlannedMigrationStep(
                summary: summary, count: name.flatMap { counts[$0] },
                losesData: name != nil && mapping.destinationEntityName == nil)
        }
        let dropped = counts.filter { !mapped.contains($0.key) && $0.value > 0 }
        return steps
            + dropped.sorted { $0.key < $1.key }.map { name, count in
                PlannedMigrationStep(summary: "drop \(name): no mapping", count: count, losesData: true)
            }
    }

    /// The number of objects of each entity, those of subentities not among them.
    private func counts(_ address: StoreAddress) throws -> [String: Int] {
        source.hasNoClasses = true
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source)
        let store = try address.open(in: coordinator, options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        var counts: [String: Int] = [:]
        try context.performAndWait {
            for entity in source.entities where !entity.isAbstract {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.includesSubentities = false
                counts[entity.name ?? ""] = try context.count(for: request)
            }
        }
        try coordinator.remove(store)
        return counts
    }

    /// Puts a store of the newer version in the place of the older one, which keeps its identity.
    func run(_ address: StoreAddress, options: [AnyHashable: Any], progress: @escaping (String) -> Void)
        throws
    {
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        var told = -1
        let observation = manager.observe(\.migrationProgress) { manager, _ in
            let percent = Int(manager.migrationProgress * 100)
            if percent == told { return }
            told = percent
            progress("\(percent) %: \(manager.currentEntityMapping.name ?? "")")
        }
        defer { observation.invalidate() }
        try manager.migrateStore(
            from: address.url, type: address.type, options: options, mapping: mapping, to: address.url,
            type: address.type, options: options)
    }
}
