// The default behaviour of policies, and the search of mappings for their policies.

import CoreDataPredicate
import CoreDataSchema
package import CoreDataSupport
import Foundation
import Synchronization

extension NSEntityMigrationPolicy {
    final func createDefaultInstance(
        _ source: NSManagedObject, mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard mapping.destinationEntityName != nil else { return }
        guard let entity = manager.destinationEntity(for: mapping), !entity.isAbstract else {
            throw MappingFailure.make(
                mapping, property: nil,
                reason:
                    "the destination model has no entity \"\(mapping.destinationEntityName ?? "")\" that objects can "
                    + "be made of")
        }
        let made = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
        let values = MappingValues(
            manager: manager, mapping: mapping, policy: self, source: source, destination: made)
        try manager.requiredRun.attributePlan(of: values).apply(values)
        manager.associate(sourceInstance: source, withDestinationInstance: made, for: mapping)
    }

    final func createDefaultRelationships(
        _ destination: NSManagedObject, mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let relationships = manager.relationshipMappings(of: mapping)
        if !relationships.contains(where: { $0.valueExpression != nil }) { return }
        let source = manager.sourceInstances(
            forEntityMappingName: mapping.name, destinationInstances: [destination]
        ).first
        let values = MappingValues(
            manager: manager, mapping: mapping, policy: self, source: source, destination: destination)
        for property in relationships { try values.setRelationship(property) }
    }
}

extension NSEntityMigrationPolicy: FunctionCallable {
    package final func predicateCall(_ selector: String, arguments: [Value]) throws -> Value {
        if let value = try functions.call(selector, on: self, arguments: arguments) { return value }
        throw EvaluationFailure(
            reason: "the migration policy \(type(of: self)) states no function “\(selector)” in "
                + "registerFunctions(in:)")
    }
}

// MARK: Classes by name

extension NSEntityMigrationPolicy {
    private static let registered = Mutex<[String: NSEntityMigrationPolicy.Type]>([:])

    /// Makes a policy class known to mappings by a name, with or without a module: its own name, and the one given.
    /// Without this a class is found by `Module.Class`, also if the module is the program's under another name, and by
    /// `Class` if the program has no other policy of that name. Beside Apple's API.
    ///
    /// - Parameters:
    ///   - policyClass: the class.
    ///   - name: a further name, as mapping models spell it; nil for its own only.
    public static func register(_ policyClass: NSEntityMigrationPolicy.Type, name: String? = nil) {
        registered.withLock { table in
            for key in [name, String(reflecting: policyClass), String(describing: policyClass)] {
                if let key { table[key] = policyClass }
            }
        }
    }

    /// The class that a mapping names: by a registered name without its module, exactly, by its name alone, or in the
    /// program's module.
    static func policyClass(named name: String) -> NSEntityMigrationPolicy.Type? {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        if let known = registered.withLock({ $0[name] ?? $0[last] }) { return known }
        if let found = LoadedClasses.denoted(by: name, below: NSEntityMigrationPolicy.self) { return found }
        guard let program = Bundle.main.executableURL?.deletingPathExtension().lastPathComponent else {
            return nil
        }
        let module = String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return NSClassFromString("\(module).\(last)") as? NSEntityMigrationPolicy.Type
    }

    /// A policy for a mapping.
    static func make(for mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else {
            return NSEntityMigrationPolicy()
        }
        guard let policyClass = policyClass(named: name) else {
            throw MappingFailure.make(
                mapping, property: nil,
                reason:
                    "there is no subclass of NSEntityMigrationPolicy called \"\(name)\"; a class of another module "
                    + "than the one named must be registered with NSEntityMigrationPolicy.register(_:name:)",
                code: NSEntityMigrationPolicyError)
        }
        return policyClass.makeByMetatype()
    }
}
