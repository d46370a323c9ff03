// Schemas as managed object models, each made once.

@_spi(SwiftData) import CoreData
import Foundation
import Synchronization

/// A schema with its managed object model, in use, and what classes need to know of it.
///
/// Unchecked because nothing changes once it is made.
final class ModelSet: @unchecked Sendable {
    let schema: Schema
    let model: NSManagedObjectModel
    /// By the numbers of entities.
    private(set) var bindings: [ModelBinding] = []
    /// Keeps the model in use.
    private let coordinator: NSPersistentStoreCoordinator

    /// Unchecked because types are constant.
    private struct Key: Hashable, @unchecked Sendable {
        let types: [ObjectIdentifier]
        let parts: Set<StorePart>
    }
    private static let known = Mutex<[Key: ModelSet]>([:])

    /// The one of a schema's classes, whatever the schema's version.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - parts: the parts that single stores keep.
    static func of(_ schema: Schema, parts: Set<StorePart> = []) -> ModelSet {
        // Entities that code describes have no classes to tell schemas apart.
        if schema.types.isEmpty { return ModelSet(schema, parts) }
        let types = schema.types.map { ObjectIdentifier($0) }.sorted { $0.hashValue < $1.hashValue }
        let key = Key(types: types, parts: parts)
        if let found = known.withLock({ $0[key] }) { return found }
        let made = ModelSet(schema, parts)
        return known.withLock { table in
            if let found = table[key] { return found }
            table[key] = made
            return made
        }
    }

    private init(_ schema: Schema, _ parts: Set<StorePart>) {
        self.schema = schema
        model = schema.makeModel { _ in "SwiftData._ModelObject" }
        for part in parts { part.add(to: model) }
        _ModelObject.register
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let types = Dictionary(
            schema.types.map { (SchemaBuilder.entityName(of: $0), $0) },
            uniquingKeysWith: { first, _ in first })
        let entities = model.entities.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        bindings = entities.compactMap { entity in
            types[entity.name ?? ""].map { ModelBinding($0._$modelClass, entity, self) }
        }
    }

    /// Has new models of the schema's classes made for this set.
    func use() { for binding in bindings { binding.modelClass.use(binding) } }

    func binding(of type: any PersistentModel.Type) -> ModelBinding? {
        let modelClass = type._$modelClass
        // Another container may be made meanwhile, so the class is asked once.
        let current = modelClass.binding
        if current.set === self { return current }
        return bindings.first { $0.modelClass === modelClass }
    }
}
