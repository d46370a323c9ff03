// One entity mapping of a migration, with its policy and the objects that it migrates.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// An entity mapping at work.
final class MigrationStep {
    let mapping: NSEntityMapping
    let policy: NSEntityMigrationPolicy
    let name: String
    /// The relationships of source objects that expressions follow: their rows are read together.
    private(set) var paths: [String] = []
    /// The number of objects to migrate; `nil` if only evaluating the source expression would tell.
    private(set) var count: Int?
    private var request: NSFetchRequest<NSManagedObject>?

    init(_ mapping: NSEntityMapping) throws {
        self.mapping = mapping
        name = mapping.name ?? ""
        policy = try NSEntityMigrationPolicy.make(for: mapping)
    }

    /// Finds out what there is to migrate.
    func prepare(_ manager: NSMigrationManager) throws {
        try checkEntities(manager)
        paths = prefetched(manager)
        guard migratesObjects else {
            count = 0
            return
        }
        request = try sourceRequest(manager)
        if let request { count = try manager.sourceContext.count(for: request) }
    }

    /// The IDs of the objects to migrate.
    func sourceObjects(_ manager: NSMigrationManager) throws -> [NSManagedObjectID] {
        guard migratesObjects else { return [] }
        guard let request else { return try evaluated(manager) }
        let ids = NSFetchRequest<NSManagedObjectID>()
        ids.entity = request.entity
        ids.predicate = request.predicate
        ids.sortDescriptors = request.sortDescriptors
        ids.includesSubentities = request.includesSubentities
        ids.resultType = .managedObjectIDResultType
        return try manager.sourceContext.fetch(ids)
    }

    /// The request for the objects to migrate with their rows, if it is one for the source context.
    func rowRequest(inBatchesOf size: Int) -> NSFetchRequest<NSManagedObject>? {
        guard migratesObjects, let request, request.sortDescriptors?.isEmpty != false else { return nil }
        request.fetchBatchSize = size
        request.relationshipKeyPathsForPrefetching = paths
        return request
    }

    /// Indicates whether objects get relationships, of the mapping or by code of the client's.
    func relates(_ manager: NSMigrationManager) -> Bool {
        hasOwnPolicy || manager.relationshipMappings(of: mapping).contains { $0.valueExpression != nil }
    }

    /// Indicates whether somebody may ask what became of which object: code of the client's, or an expression that is more than
    /// a key path of the source object.
    func asksForAssociations(_ manager: NSMigrationManager) -> Bool {
        relates(manager)
            || manager.attributeMappings(of: mapping).contains {
                $0.valueExpression?.tree.isSourcePath == false
            }
    }

    /// Indicates whether somebody may fetch objects that the migration made: code of the client's, or an expression other than
    /// that for the source objects.
    var mayFetch: Bool {
        hasOwnPolicy
            || ((mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])).contains {
                $0.valueExpression?.tree.fetches == true
            }
    }

    private var hasOwnPolicy: Bool { type(of: policy) != NSEntityMigrationPolicy.self }

    /// Objects of an entity that is gone concern nobody but a policy of the client's.
    private var migratesObjects: Bool {
        guard mapping.sourceEntityName != nil else { return mapping.sourceExpression != nil }
        return mapping.destinationEntityName != nil || hasOwnPolicy
    }

    private func checkEntities(_ manager: NSMigrationManager) throws {
        if let name = mapping.sourceEntityName, manager.sourceEntity(for: mapping) == nil {
            throw MappingFailure.make(
                mapping, property: nil, reason: "the source model has no entity \"\(name)\"")
        }
        if let name = mapping.destinationEntityName, manager.destinationEntity(for: mapping) == nil {
            throw MappingFailure.make(
                mapping, property: nil, reason: "the destination model has no entity \"\(name)\"")
        }
    }

    // MARK: Source expression

    private var expression: ExpressionTree? {
        mapping.sourceExpression?.tree
            ?? mapping.sourceEntityName.map { EntityMappingSchema.sourceExpression(of: $0) }
    }

    /// The request, if the source expression is one for the source context.
    private func sourceRequest(_ manager: NSMigrationManager) throws -> NSFetchRequest<NSManagedObject>? {
        guard case .fetchRequest(let tree, let context, false)? = expression,
            context == .keyPath(.variable(NSMigrationManagerKey), "sourceContext")
        else { return nil }
        let value = try evaluate(tree, manager: manager)
        guard case .object(let reference) = value,
            let request = reference.object as? NSFetchRequest<NSManagedObject>,
            request.fetchLimit == 0, request.fetchOffset == 0
        else { return nil }
        return request
    }

    private func evaluated(_ manager: NSMigrationManager) throws -> [NSManagedObjectID] {
        guard let expression else { return [] }
        let value = try evaluate(expression, manager: manager)
        return try value.list.map { element in
            guard case .object(let reference) = element, let object = reference.object as? NSManagedObject
            else {
                throw MappingFailure.make(
                    mapping, property: nil,
                    reason: "the source expression gives \(element.kindName), not managed objects")
            }
            return object.objectID
        }
    }

    private func evaluate(_ tree: ExpressionTree, manager: NSMigrationManager) throws -> Value {
        let bindings: [String: Any] = [
            NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: mapping,
            NSMigrationEntityPolicyKey: policy,
        ]
        do {
            return try Evaluator(bindings: bindings).value(of: tree, .null)
        } catch let failure as EvaluationFailure {
            throw MappingFailure.make(
                mapping, property: nil, reason: "the source expression has no value: \(failure.reason)")
        }
    }

    // MARK: Prefetching

    private func prefetched(_ manager: NSMigrationManager) -> [String] {
        guard let relationships = manager.sourceEntity(for: mapping)?.relationshipsByName else { return [] }
        var found: Set<String> = []
        let properties =
            manager.attributeMappings(of: mapping) + manager.relationshipMappings(of: mapping)
        for property in properties {
            for path in property.valueExpression?.tree.sourcePaths ?? [] {
                let key = String(path.prefix { $0 != "." })
                if relationships[key] != nil { found.insert(key) }
            }
        }
        return found.sorted()
    }

    /// The relationships whose members a validation counts or looks for.
    static func validatedRelationships(_ entity: NSEntityDescription) -> [String] {
        entity.relationshipsByName.filter { $0.value.isToMany && isValidated($0.value) }.keys.sorted()
    }

    /// Returns whether the model demands anything of an entity's objects.
    static func hasRules(_ entity: NSEntityDescription) -> Bool {
        entity.properties.contains { property in
            if let relationship = property as? NSRelationshipDescription { return isValidated(relationship) }
            return true
        }
    }

    private static func isValidated(_ relationship: NSRelationshipDescription) -> Bool {
        if !relationship.validationPredicates.isEmpty { return true }
        if relationship.isToMany { return relationship.minCount > 0 || relationship.maxCount > 0 }
        return !relationship.isOptional
    }
}

extension ExpressionTree {
    /// Indicates that the expression is a key path of `$source`, or a constant.
    fileprivate var isSourcePath: Bool {
        switch self {
        case .keyPath(.variable(NSMigrationSourceObjectKey), _), .constant: true
        default: false
        }
    }

    /// Indicates that a part of the expression is a fetch.
    fileprivate var fetches: Bool {
        var fetches = false
        _ = rewriting { (expression, _) throws(Never) in
            if case .fetchRequest = expression { fetches = true }
            return nil
        }
        return fetches
    }

    /// The key paths that an expression reads from `$source`.
    fileprivate var sourcePaths: [String] {
        var paths: [String] = []
        _ = rewriting { (expression, _) throws(Never) in
            if case .keyPath(.variable(NSMigrationSourceObjectKey), let path) = expression {
                paths.append(path)
            }
            return nil
        }
        return paths
    }
}
