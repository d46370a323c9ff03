// A frozen model, prepared for speed: what contexts, objects and stores ask instead of the descriptions.

import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// The entities of a model in use, by number. Coordinators own it, and objects that are in no context.
///
/// Unchecked because it is immutable once made; the descriptions that it refers to are frozen.
final class ModelRuntime: @unchecked Sendable {
    let model: NSManagedObjectModel
    let index: ModelIndex
    /// By entity index (`ModelIndex.entityNames`).
    private(set) var entities: [EntityRuntime] = []

    /// The entities that classes were found to stand for: every object that a client makes asks.
    private let entitiesByClass = Mutex<[ObjectIdentifier: EntityRuntime]>([:])

    private struct WeakRuntime: Sendable { weak var runtime: ModelRuntime? }
    private static let shared = Mutex<[ObjectIdentifier: WeakRuntime]>([:])

    /// The one runtime of a model, which freezes the model.
    static func of(_ model: NSManagedObjectModel) -> ModelRuntime {
        // Not under the lock: key paths in the model's requests get their names from the models in use.
        model.freeze()
        return shared.withLock { table in
            if let existing = table[ObjectIdentifier(model)]?.runtime { return existing }
            table = table.filter { $0.value.runtime != nil }
            let runtime = ModelRuntime(model)
            table[ObjectIdentifier(model)] = WeakRuntime(runtime: runtime)
            return runtime
        }
    }

    /// The runtimes of all models in use.
    static var allInUse: [ModelRuntime] {
        shared.withLock { $0.values.compactMap(\.runtime) }
    }

    private init(_ model: NSManagedObjectModel) {
        self.model = model
        index = model.index
        let descriptions = model.entitiesByName
        entities = index.entityNames.enumerated().compactMap { number, name in
            guard let schema = index.entity(name), let description = descriptions[name] else { return nil }
            return EntityRuntime(schema, number: number, description: description, model: self)
        }
        for entity in entities { entity.connectInverses() }
    }

    deinit {
        for entity in entities { entity.detach() }
    }

    func entity(named name: String) -> EntityRuntime? {
        // Entities are sorted by name.
        var low = 0
        var high = entities.count
        while low < high {
            let middle = (low + high) / 2
            if entities[middle].name == name { return entities[middle] }
            if entities[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The entity that a client names. Clients write `NSStringFromClass(Person.self)`, which has the module before the
    /// name off Apple's systems.
    func entity(spelled name: String) -> EntityRuntime? {
        entity(named: name) ?? (name.contains(".") ? entity(named: ObjectClasses.lastComponent(name)) : nil)
    }

    /// The entity that a class was found to stand for.
    func entity(ofClass objectClass: NSManagedObject.Type) -> EntityRuntime? {
        entitiesByClass.withLock { $0[ObjectIdentifier(objectClass)] }
    }

    /// Notes the entity that a class of a client's stands for. `NSManagedObject` itself may be that of many.
    func note(_ entity: EntityRuntime, ofClass objectClass: NSManagedObject.Type) {
        if objectClass == NSManagedObject.self { return }
        entitiesByClass.withLock { $0[ObjectIdentifier(objectClass)] = entity }
    }

    /// The runtime of an entity of this model or of an equal one.
    func entity(for description: NSEntityDescription) -> EntityRuntime? {
        if let runtime = description.runtime, runtime.model === self { return runtime }
        return description.name.flatMap(entity(named:))
    }

    /// The registry that objects outside any context share.
    private(set) lazy var standaloneRegistry = ObjectRegistry(model: self, context: nil)
}
