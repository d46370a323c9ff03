// The one place where Swift key paths become the key paths of the model.

import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// Names of Swift key paths. Any thread may ask.
enum KeyPathNames {
    /// A key path as a key of the cache. Unchecked because a key path never changes.
    private struct Key: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }

    /// Only what was found: a model that is loaded later may name what has no name now.
    private static let known = Mutex<[Key: String]>([:])

    /// The keys that a Swift key path reads, joined with dots.
    static func path(_ keyPath: AnyKeyPath) throws(KeyPathFailure) -> String {
        let key = Key(keyPath: keyPath)
        if let path = known.withLock({ $0[key] }) { return path }
        let path = try find(keyPath)
        known.withLock { $0[key] = path }
        return path
    }

    /// The same where nothing can be thrown: raises for a key path that has no name.
    static func pathOrRaise(_ keyPath: AnyKeyPath) -> String {
        do {
            return try path(keyPath)
        } catch {
            raise(.invalidArgument, "\(error)")
        }
    }

    private static func find(_ keyPath: AnyKeyPath) throws(KeyPathFailure) -> String {
        let root = type(of: keyPath).rootType
        guard let naming = root as? any KeyPathNaming.Type else {
            throw KeyPathFailure(keyPath: keyPath, reason: "\(root) doesn't know the keys of its key paths")
        }
        if let path = naming.key(for: keyPath) { return path }
        guard let objectClass = naming as? NSManagedObject.Type else {
            throw KeyPathFailure(keyPath: keyPath, reason: "\(root) has no key for it")
        }
        return try probed(keyPath, on: objectClass)
    }

    /// Returns the name that reading the key path on an object of the class shows.
    static func probed(
        _ keyPath: AnyKeyPath, on objectClass: NSManagedObject.Type
    ) throws(KeyPathFailure) -> String {
        let registry = KeyRegistry.withKeyPaths(of: objectClass)
        let stated = registry.key(for: keyPath)
        if let stated, registry.isStored(keyPath) { return stated }
        guard let entity = entity(of: objectClass) else {
            // With a model, an enumeration may turn out to have the key of an attribute.
            if let stated, EnumerationCases(type(of: keyPath).valueType) == nil { return stated }
            throw KeyPathFailure(
                keyPath: keyPath,
                reason: "no model in use or among the program's resources has an entity of the class "
                    + "\(objectClass); load the model first",
                lacksModel: true)
        }
        return try withExtendedLifetime(entity.model) { () throws(KeyPathFailure) in
            if let stated, entity.runtime.property(stated) != nil { return stated }
            do throws(KeyPathFailure) {
                return try ProbedKeyPath(keyPath, objectClass: objectClass, entity: entity.runtime).path()
            } catch {
                guard let stated else { throw error }
                return stated
            }
        }
    }

    /// The entity whose objects are of a class: of a model in use, else of one among the program's resources. It lives
    /// as long as the model.
    static func entity(
        of objectClass: NSManagedObject.Type
    ) -> (runtime: ManagedEntity, model: ManagedModel)? {
        let inUse = ManagedModel.allInUse
        if let found = withExtendedLifetime(
            inUse, { entity(of: objectClass, in: inUse).map { ($0, $0.model) } })
        {
            return found
        }
        let models = BundleModels.models(in: nil).map { ManagedModel.of(NSManagedObjectModel(schema: $0)) }
        return withExtendedLifetime(models) { entity(of: objectClass, in: models).map { ($0, $0.model) } }
    }

    private static func entity(
        of objectClass: NSManagedObject.Type, in models: [ManagedModel]
    ) -> ManagedEntity? {
        let entities = models.flatMap(\.entities)
        let own = entities.filter {
            LoadedClasses.name($0.description.managedObjectClassName, denotes: objectClass)
        }
        if let named = own.first(where: { $0.name == String(describing: objectClass) }) ?? own.first {
            return named
        }
        // A class above those that the model names.
        return entities.first { $0.objectClass.inherits(objectClass) }
    }
}

extension NSManagedObject {
    /// Returns whether this class is, or derives from, another.
    static func inherits(_ other: NSManagedObject.Type) -> Bool {
        var next: AnyClass? = self
        while let current = next {
            if current == other { return true }
            next = _getSuperclass(current)
        }
        return false
    }

    final class func probedKey(for keyPath: AnyKeyPath) -> String? {
        try? KeyPathNames.probed(keyPath, on: self)
    }
}
