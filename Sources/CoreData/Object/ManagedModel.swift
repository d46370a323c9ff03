// A frozen model, prepared for speed: what contexts and objects ask instead of the descriptions.

import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// The entities of a model in use, by number. Coordinators own it, and objects that are in no context.
///
/// Unchecked because it is immutable once made; the descriptions that it refers to are frozen.
final class ManagedModel: ModelRuntime, @unchecked Sendable {
    let model: NSManagedObjectModel
    /// By entity index (`ModelIndex.entityNames`).
    private(set) var entities: [ManagedEntity] = []

    /// The entities that classes were found to stand for: every object that a client makes asks.
    private let entitiesByClass = Mutex<[ObjectIdentifier: ManagedEntity]>([:])
    /// The one of them that was asked for last: who makes many objects makes them of one class, mostly.
    private let latest = Atomic<Unmanaged<ManagedEntity>?>(nil)

    private struct WeakRuntime: Sendable { weak var runtime: ManagedModel? }
    private static let shared = Mutex<[ObjectIdentifier: WeakRuntime]>([:])

    /// The one runtime of a model, which freezes the model.
    static func of(_ model: NSManagedObjectModel) -> ManagedModel {
        // Not under the lock: key paths in the model's requests get their names from the models in use.
        model.freeze()
        return shared.withLock { table in
            if let existing = table[ObjectIdentifier(model)]?.runtime { return existing }
            table = table.filter { $0.value.runtime != nil }
            let runtime = ManagedModel(model)
            table[ObjectIdentifier(model)] = WeakRuntime(runtime: runtime)
            return runtime
        }
    }

    /// The runtimes of all models in use.
    static var allInUse: [ManagedModel] {
        shared.withLock { $0.values.compactMap(\.runtime) }
    }

    private init(_ model: NSManagedObjectModel) {
        self.model = model
        super.init(model.index)
        let descriptions = model.entitiesByName
        entities = index.entityNames.enumerated().compactMap { number, name in
            guard let schema = index.entity(name), let description = descriptions[name] else { return nil }
            return ManagedEntity(schema, number: number, description: description, model: self)
        }
        take(entities)
    }

    deinit {
        for entity in entities { entity.detach() }
    }

    func entity(named name: String) -> ManagedEntity? {
        number(named: name).map { entities[$0] }
    }

    /// The entity that a client names. Clients write `NSStringFromClass(Person.self)`, which has the module before the
    /// name off Apple's systems.
    func entity(spelled name: String) -> ManagedEntity? {
        entity(named: name) ?? (name.contains(".") ? entity(named: LoadedClasses.lastComponent(name)) : nil)
    }

    /// The entity that a class was found to stand for, without counting a reference to it.
    func entity(ofClass objectClass: NSManagedObject.Type) -> Unmanaged<ManagedEntity>? {
        if let latest = latest.load(ordering: .acquiring), uncounted(latest, { $0.isNoted(for: objectClass) })
        {
            return latest
        }
        let found = entitiesByClass.withLock {
            $0[ObjectIdentifier(objectClass)].map(Unmanaged.passUnretained)
        }
        if let found { latest.store(found, ordering: .releasing) }
        return found
    }

    /// Notes the entity that a class of a client's stands for. `NSManagedObject` itself may be that of many.
    func note(_ entity: ManagedEntity, ofClass objectClass: NSManagedObject.Type) {
        if objectClass == NSManagedObject.self { return }
        entitiesByClass.withLock { $0[ObjectIdentifier(objectClass)] = entity }
        entity.note(objectClass)
    }

    /// The runtime of an entity of this model or of an equal one.
    func entity(for description: NSEntityDescription) -> ManagedEntity? {
        reference(to: description).map { $0._withUnsafeGuaranteedRef { $0 } }
    }

    /// The same, without counting a reference to it.
    func reference(to description: NSEntityDescription) -> Unmanaged<ManagedEntity>? {
        if let known = description.entityReference, known._withUnsafeGuaranteedRef({ $0.isOf(self) }) {
            return known
        }
        return description.name.flatMap(entity(named:)).map(Unmanaged.passUnretained)
    }

    /// The registry that objects outside any context share.
    private(set) lazy var standaloneRegistry = ObjectRegistry(model: self, context: nil)
}

extension RelationRuntime {
    /// The entity on the other side.
    func destination(in model: ManagedModel) -> ManagedEntity { model.entities[destinationNumber] }
}

extension ModelRuntime {
    /// The model with its descriptions: each one that a coordinator has is a `ManagedModel`.
    final var managed: ManagedModel { unsafeDowncast(self, to: ManagedModel.self) }
}
