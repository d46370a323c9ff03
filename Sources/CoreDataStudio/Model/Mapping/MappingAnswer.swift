// A mapping model as pages get it.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

struct MappingAnswer: Encodable {
    struct Property: Encodable {
        var name: String
        var isRelationship: Bool
        /// `String`, `→ Power`
        var type: String
        var isOptional: Bool
        var value: String?
        var userInfo: [ModelCommand.Entry]
    }

    struct Mapping: Encodable {
        var name: String
        var kind: String
        var source: String?
        var destination: String?
        /// Nil for a source expression of another form than a fetch of the entity.
        var filter: String?
        var expression: String?
        var policy: String?
        var userInfo: [ModelCommand.Entry]
        var properties: [Property]
    }

    struct Side: Encodable {
        /// The version of the model that this is now; nil if none is like it.
        var version: String?
        var entities: [Entity]
    }

    struct Entity: Encodable {
        var name: String
        var keys: [String]
    }

    var file: String
    var obstacle: String?
    var isNew: Bool
    var isUnsaved: Bool
    var isChangedOnDisk: Bool
    var change: Int
    var undo: String?
    var redo: String?
    var source: Side
    var destination: Side
    var mappings: [Mapping]
    var checks: [MappingCheck]

    init(_ document: MappingDocument, versions: ModelDraft) {
        // First: with a number too low an edit is refused, with one too high it would be of another mapping.
        change = document.change
        let draft = document.draft
        file = document.url.lastPathComponent
        obstacle = document.obstacle
        isNew = document.isNew
        isUnsaved = document.hasUnsavedEdits
        isChangedOnDisk = !document.isNew && document.isChangedOnDisk
        (undo, redo) = (document.undoLabel, document.redoLabel)
        let known = versions.versions.compactMap { version in
            (try? version.root.schema()).map { (version.name, Self.hashes($0)) }
        }
        source = Self.side(draft.source, known: known)
        destination = Self.side(draft.destination, known: known)
        mappings = draft.mapping.entityMappings.map { Self.mapping($0, draft: draft) }
        checks = MappingCheck.checks(of: draft)
    }

    private static func hashes(_ schema: ModelSchema) -> [String: Data] {
        VersionHash.hashes(of: ModelIndex(schema)).mapValues(\.data)
    }

    private static func side(_ schema: ModelSchema?, known: [(String, [String: Data])]) -> Side {
        guard let schema else { return Side(entities: []) }
        let own = hashes(schema)
        let index = ModelIndex(schema)
        return Side(
            version: known.first { $0.1 == own }?.0,
            entities: index.entityNames.map { name in
                Entity(name: name, keys: (index.entity(name)?.properties ?? []).map(\.name).sorted())
            })
    }

    private static func mapping(_ entity: EntityMappingSchema, draft: MappingDraft) -> Mapping {
        Mapping(
            name: entity.name,
            kind: MappingDraft.kinds.first { $0.kind == entity.kind }?.value ?? "Undefined",
            source: entity.sourceEntityName, destination: entity.destinationEntityName,
            filter: entity.filter, expression: entity.sourceExpression?.format,
            policy: entity.policyClassName, userInfo: entries(entity.userInfo),
            properties: properties(of: entity, draft))
    }

    private static func properties(of entity: EntityMappingSchema, _ draft: MappingDraft) -> [Property] {
        let known = entity.attributes + entity.relationships
        let stored = draft.properties(of: entity)
        let listed = stored.map { property in
            let value = known.first { $0.name == property.name }
            return Property(
                name: property.name, isRelationship: property.relationship != nil, type: type(of: property),
                isOptional: property.isOptional, value: value?.value?.format,
                userInfo: entries(value?.userInfo))
        }
        // Properties that the destination doesn't have any more, and all of a compiled mapping model's.
        let others = known.filter { each in !stored.contains { $0.name == each.name } }.map { property in
            Property(
                name: property.name,
                isRelationship: entity.relationships.contains { $0.name == property.name },
                type: "", isOptional: true, value: property.value?.format,
                userInfo: entries(property.userInfo))
        }
        return listed + others
    }

    private static func type(of property: PropertySchema) -> String {
        guard let relationship = property.relationship else {
            return property.attribute.map { $0.type.sourceName } ?? ""
        }
        return (relationship.isToMany ? "↠ " : "→ ") + relationship.destinationEntityName
    }

    private static func entries(_ userInfo: [Value: Value]?) -> [ModelCommand.Entry] {
        (userInfo ?? [:]).compactMap { key, value in
            guard case .string(let key) = key, case .string(let value) = value else { return nil }
            return ModelCommand.Entry(key: key, value: value)
        }.sorted { $0.key < $1.key }
    }
}
