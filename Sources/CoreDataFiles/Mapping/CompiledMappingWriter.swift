// Writes compiled mapping models (.cdm), with the classes and keys that Apple's compiler writes.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A writer of compiled mapping models.
package struct CompiledMappingWriter {
    private let archive = KeyedArchiveWriter()

    private var expressions: ArchivedPredicateWriter {
        ArchivedPredicateWriter(archive, readsAllKeysAsPaths: true)
    }

    /// The bytes of a compiled mapping model. Throws `ModelFileError` (with an empty file name) for what no archive
    /// can hold.
    package static func data(for mapping: MappingSchema) throws -> Data {
        let writer = CompiledMappingWriter()
        return try ModelFileError.locating("") {
            let root = try writer.write(mapping)
            return writer.archive.data(root: root)
        }
    }

    private func write(_ mapping: MappingSchema) throws -> PropertyList {
        guard Set(mapping.entityMappings.map(\.name)).count == mapping.entityMappings.count else {
            throw ArchiveFailure("two entity mappings have the same name")
        }
        let places = try mapping.entityMappings.map { entity in
            try ModelFileError.locating("", entity: entity.name) {
                (archive.string(entity.name), try write(entity))
            }
        }
        return archive.object(
            ["NSMappingModel", "NSObject"],
            fields: [
                .init("NSEntityMappings", value: archive.array(places.map(\.1))),
                .init("NSEntityMappingsByName", value: archive.dictionary(places, isMutable: true)),
            ])
    }

    private func write(_ mapping: EntityMappingSchema) throws -> PropertyList {
        try archive.object(
            ["NSEntityMapping", "NSObject"],
            fields: [
                .init("NSMappingName", value: archive.string(mapping.name)),
                .init("NSMappingType", value: .integer(Int64(mapping.kind.rawValue))),
                .init("NSSourceEntityName", value: archive.string(mapping.sourceEntityName)),
                .init("NSSourceEntityVersionHash", value: hash(mapping.sourceVersionHash)),
                .init("NSDestinationEntityName", value: archive.string(mapping.destinationEntityName)),
                .init("NSDestinationEntityVersionHash", value: hash(mapping.destinationVersionHash)),
                .init("NSEntityMigrationPolicyClassName", value: archive.string(mapping.policyClassName)),
                .init("NSSourceExpression", value: expression(mapping.sourceExpression)),
                .init("NSUserInfo", value: userInfo(mapping.userInfo)),
                .init("NSAttributeMappings", value: archive.array(mapping.attributes.map(write))),
                .init("NSRelationshipMappings", value: archive.array(mapping.relationships.map(write))),
            ])
    }

    private func write(_ mapping: PropertyMappingSchema) throws -> PropertyList {
        try ModelFileError.locating("", property: mapping.name) {
            try archive.object(
                ["NSPropertyMapping", "NSObject"],
                fields: [
                    .init("NSDestinationPropertyName", value: archive.string(mapping.name)),
                    .init("NSValueExpression", value: expression(mapping.value)),
                    .init("NSUserInfo", value: userInfo(mapping.userInfo)),
                    .init("NSPropertyTransforms", value: KeyedArchiveWriter.null),
                ])
        }
    }

    private func expression(_ tree: ExpressionTree?) throws -> PropertyList {
        try tree.map(expressions.expression) ?? KeyedArchiveWriter.null
    }

    private func hash(_ hash: Data?) -> PropertyList {
        hash.map { archive.leaf(.data($0)) } ?? KeyedArchiveWriter.null
    }

    private func userInfo(_ userInfo: [Value: Value]?) throws -> PropertyList {
        try userInfo.map { try archive.value(.dictionary($0)) } ?? KeyedArchiveWriter.null
    }
}
