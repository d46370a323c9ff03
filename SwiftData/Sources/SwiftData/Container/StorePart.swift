// Which of a container's models each of several stores keeps.

import CoreData
import Foundation

/// The models of one store, of a container that has several.
struct StorePart: Hashable, Sendable {
    /// The names of their entities, in order.
    let entities: [String]

    /// The name of the managed object model's configuration. Of the entities, so that containers with other files share a model.
    var name: String { entities.joined(separator: ", ") }

    /// The parts that the schemas of configurations state, in their order; nil for a store of all models.
    ///
    /// A model that no configuration names is the first store's, and one whose superclass a configuration names that store's.
    static func parts(of schema: Schema, stated: [Schema?]) -> [StorePart?] {
        if stated.count < 2 || stated.allSatisfy({ $0 == nil }) { return stated.map { _ in nil } }
        var names = stated.map { schema in Set(schema?.entities.map(\.name) ?? []) }
        let hasAll = stated.contains { $0 == nil }
        for entity in schema.entities where !names.contains(where: { $0.contains(entity.name) }) {
            let superentities = ancestors(of: entity)
            if let number = names.firstIndex(where: { !$0.isDisjoint(with: superentities) }) {
                names[number].insert(entity.name)
            } else if !hasAll {
                names[0].insert(entity.name)
            }
        }
        return zip(stated, names).map { stated, names in
            stated == nil || names.count == schema.entities.count ? nil : StorePart(entities: names.sorted())
        }
    }

    private static func ancestors(of entity: Schema.Entity) -> Set<String> {
        var found: Set<String> = []
        var next = entity.superentity
        while let current = next, found.insert(current.name).inserted { next = current.superentity }
        return found
    }

    /// Adds the part to a managed object model, as a configuration.
    func add(to model: NSManagedObjectModel) {
        let all = model.entitiesByName
        model.setEntities(entities.compactMap { all[$0] }, forConfigurationName: name)
    }
}
