// Reads compiled mapping models (.cdm): keyed archives of NSMappingModel, NSEntityMapping, NSPropertyMapping.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A reader of compiled mapping models.
package enum CompiledMappingReader {
    /// The mapping model in a file's bytes. `file` names them in errors. Throws `ModelFileError`.
    package static func read(_ data: Data, from file: String) throws -> MappingSchema {
        try ModelFileError.locating(file) {
            guard let root = try KeyedArchive(data).node().object, root.isKind(of: "NSMappingModel") else {
                throw ArchiveFailure("the archive holds no mapping model")
            }
            return try mapping(root)
        }
    }

    private static func mapping(_ root: ArchiveObject) throws -> MappingSchema {
        let mappings = try (root.node("NSEntityMappings").object?.elements() ?? []).map { node in
            guard let object = node.object, object.isKind(of: "NSEntityMapping"),
                let name = try object.node("NSMappingName").text
            else { throw ArchiveFailure("an entity mapping has no name or isn't one") }
            return try ModelFileError.locating("", entity: name) { try entity(object, name: name) }
        }
        if let twice = Dictionary(grouping: mappings, by: \.name).first(where: { $1.count > 1 })?.key {
            throw ArchiveFailure("two entity mappings are called \"\(twice)\"")
        }
        return MappingSchema(entityMappings: mappings)
    }

    private static func entity(_ object: ArchiveObject, name: String) throws -> EntityMappingSchema {
        let type = try object.integer("NSMappingType") ?? 0
        guard let kind = EntityMappingSchema.Kind(rawValue: UInt(clamping: type)) else {
            throw ArchiveFailure("the mapping's type is unknown: \(type)")
        }
        var mapping = EntityMappingSchema(name: name, kind: kind)
        mapping.sourceEntityName = try object.node("NSSourceEntityName").text
        mapping.destinationEntityName = try object.node("NSDestinationEntityName").text
        mapping.sourceVersionHash = try data(object.node("NSSourceEntityVersionHash"))
        mapping.destinationVersionHash = try data(object.node("NSDestinationEntityVersionHash"))
        mapping.policyClassName = try object.node("NSEntityMigrationPolicyClassName").text
        mapping.userInfo = try userInfo(object)
        mapping.attributes = try properties(object, key: "NSAttributeMappings")
        mapping.relationships = try properties(object, key: "NSRelationshipMappings")
        mapping.sourceExpression = try object.node("NSSourceExpression").object.map(
            ArchivedPredicateReader.expression)
        return mapping
    }

    private static func properties(_ object: ArchiveObject, key: String) throws -> [PropertyMappingSchema] {
        try (object.node(key).object?.elements() ?? []).map { node in
            guard let object = node.object, object.isKind(of: "NSPropertyMapping"),
                let name = try object.node("NSDestinationPropertyName").text
            else { throw ArchiveFailure("a property mapping has no name or isn't one") }
            return try ModelFileError.locating("", property: name) {
                try PropertyMappingSchema(
                    name: name,
                    value: object.node("NSValueExpression").object.map(ArchivedPredicateReader.expression),
                    userInfo: userInfo(object))
            }
        }
    }

    private static func userInfo(_ object: ArchiveObject) throws -> [Value: Value]? {
        switch try object.node("NSUserInfo").value() {
        case .null: return nil
        case .dictionary(let pairs): return pairs
        default: throw ArchiveFailure("the user info is no dictionary")
        }
    }

    private static func data(_ node: ArchiveNode) throws -> Data? {
        switch try node.value() {
        case .null: return nil
        case .data(let data): return data
        default: throw ArchiveFailure("a version hash is no data")
        }
    }
}
