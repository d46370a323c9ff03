// A model in use, prepared for speed: what stores and planners ask instead of schemas by name.

import CoreDataSupport

/// The entities of a model in use, by number.
///
/// Unchecked because nothing changes once the entities are there, before the runtime is handed out.
open class ModelRuntime: @unchecked Sendable {
    package final let index: ModelIndex
    /// By entity index (`ModelIndex.entityNames`).
    package final private(set) var runtimes: [EntityRuntime] = []

    /// A model whose entities follow (`take`).
    package init(_ index: ModelIndex) {
        self.index = index
    }

    /// A model that no objects are made of: entities as they lie in rows.
    package static func ofRows(_ index: ModelIndex) -> ModelRuntime {
        let model = ModelRuntime(index)
        model.take(
            index.entityNames.enumerated().compactMap { number, name in
                index.entity(name).map { EntityRuntime($0, number: number, model: model) }
            })
        return model
    }

    /// Takes the entities, in the order of the index, and links the two sides of their relationships.
    package final func take(_ entities: [EntityRuntime]) {
        invariant(entities.count == index.entityNames.count, "each entity of a sound model has a runtime")
        runtimes = entities
        for entity in entities { entity.connectInverses() }
    }

    /// The number of an entity. Entities are sorted by name.
    package final func number(named name: String) -> Int? {
        var low = 0
        var high = runtimes.count
        while low < high {
            let middle = (low + high) / 2
            if runtimes[middle].name == name { return middle }
            if runtimes[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The entity of this name.
    package final func runtime(named name: String) -> EntityRuntime? {
        number(named: name).map { runtimes[$0] }
    }
}
