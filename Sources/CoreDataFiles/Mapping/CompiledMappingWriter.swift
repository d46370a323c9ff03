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
            [
                .init("NSEntityMappings", archive.array(places.map(\.1))),
                .init("NSEntityMappingsByName", archive.dictionary(places, isMutable: true)),
            ])
    }

    private func write(_ mapping: EntityMappingSchema) throws -> PropertyList {
        try archive.object(
            ["NSEntityMapping", "NSObject"],
            [
                .init("NSMappingName", archive.string(mapping.name)),
                .init("NSMappingType", .integer(Int64(mapping.kind.rawValue))),
                .init("NSSourceEntityName", archive.string(mapping.sourceEntityName)),
                .init("NSSourceEntityVersionHash", hash(mapping.sourceVersionHash)),
                .init("NSDestinationEntityName", archive.string(mapping.destinationEntityName)),
                .init("NSDestinationEntityVersionHash", hash(mapping.destinationVersionHash)),
                .init("NSEntityMigrationPolicyClassName", archive.string(mapping.policyClassName)),
                .init("NSSourceExpression", expression(mapping.sourceExpression)),
                .init("NSUserInfo", userInfo(mapping.userInfo)),
                .init("NSAttributeMappings", archive.array(mapping.attributes.map(write))),
                .init("NSRelationshipMappings", archive.array(mapping.relationships.map(write))),
            ])
    }

    private func write(_ mapping: PropertyMappingSchema) throws -> PropertyList {
        try ModelFileError.locating("", property: mapping.name) {
            try archive.object(
                ["NSPropertyMapping", "NSObject"],
                [
                    .init("NSDestinationPropertyName", archive.string(mapping.name)),
                    .init("NSValueExpression", expression(mapping.value)),
                    .init("NSUserInfo", userInfo(mapping.userInfo)),
                    .init("NSPropertyTransforms", KeyedArchiveWriter.null),
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
