// Writes compiled models (.mom), with the classes and keys that Apple's compiler writes.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A writer of compiled models.
package final class CompiledModelWriter {
    let archive = KeyedArchiveWriter()
    let model: ModelSchema
    let modelPlace: PropertyList
    private(set) var entityPlaces: [String: PropertyList] = [:]
    /// Places of properties by entity and name, which inverses refer to.
    private var propertyPlaces: [String: [String: PropertyList]] = [:]

    var predicates: ArchivedPredicateWriter { ArchivedPredicateWriter(archive) }

    private init(_ model: ModelSchema) {
        self.model = model
        modelPlace = archive.reserve()
        for entity in model.entities {
            entityPlaces[entity.name] = archive.reserve()
            for property in entity.properties {
                propertyPlaces[entity.name, default: [:]][property.name] = archive.reserve()
            }
        }
    }

    /// The compiled model's bytes. Throws `ModelFileError` (with an empty file name) for what no archive can hold.
    ///
    /// A compiled model has no room for what only sources state: see `ModelSchema.compiled`.
    package static func data(for model: ModelSchema) throws -> Data {
        let writer = CompiledModelWriter(model)
        try writer.requireUniqueNames()
        for entity in model.entities {
            try ModelFileError.locating("", entity: entity.name) { try writer.write(entity) }
        }
        try ModelFileError.locating("") { try writer.writeModel() }
        return writer.archive.data(root: writer.modelPlace)
    }

    /// The archive keeps entities and properties by name, so a name that occurs twice would lose one.
    private func requireUniqueNames() throws {
        guard entityPlaces.count == model.entities.count else {
            throw ModelFileError(file: "", reason: "two entities have the same name")
        }
        for entity in model.entities where propertyPlaces[entity.name]?.count ?? 0 != entity.properties.count
        {
            throw ModelFileError(file: "", entity: entity.name, reason: "two properties have the same name")
        }
    }

    private func writeModel() throws {
        let templates = try model.fetchTemplates.map {
            (archive.string($0.name), try fetchRequest($0.request))
        }
        var fields: [PropertyList.Entry] = [
            .init(
                "NSEntities",
                value: archive.dictionary(
                    model.entities.map { (archive.string($0.name), place(of: $0.name)) }, isMutable: true)
            ),
            .init(
                "NSFetchRequestTemplates",
                value: templates.isEmpty
                    ? KeyedArchiveWriter.null : archive.dictionary(templates, isMutable: true)),
            .init(
                "NSVersionIdentifiers",
                value: archive.set(model.versionIdentifiers.map { archive.string($0) })),
        ]
        if !model.configurations.isEmpty {
            let configurations = try model.configurations.map { configuration in
                let members = try configuration.entityNames.map { name in
                    guard let place = entityPlaces[name] else {
                        throw ArchiveFailure(
                            "configuration \"\(configuration.name)\" names no entity with \"\(name)\"")
                    }
                    return place
                }
                return (archive.string(configuration.name), archive.set(members))
            }
            fields.append(
                .init("NSConfigurations", value: archive.dictionary(configurations, isMutable: true)))
        }
        archive.define(modelPlace, classes: ["NSManagedObjectModel", "NSObject"], fields: fields)
    }

    func place(of entity: String?) -> PropertyList {
        entity.flatMap { entityPlaces[$0] } ?? KeyedArchiveWriter.null
    }

    /// The place of a property that an entity has or inherits.
    func place(of property: String, in entity: String) -> PropertyList {
        var seen: Set<String> = []
        var next: String? = entity
        while let name = next, seen.insert(name).inserted {
            if let place = propertyPlaces[name]?[property] { return place }
            next = superentities[name]
        }
        return KeyedArchiveWriter.null
    }

    private lazy var superentities: [String: String] = {
        var result: [String: String] = [:]
        for entity in model.entities { result[entity.name] = entity.superentityName }
        return result
    }()

    // MARK: Entities

    private func write(_ entity: EntitySchema) throws {
        if let parent = entity.superentityName, entityPlaces[parent] == nil {
            throw ArchiveFailure("the superentity \"\(parent)\" does not exist")
        }
        let properties = try entity.properties.map { property in
            let place = place(of: property.name, in: entity.name)
            try ModelFileError.locating("", property: property.name) {
                try write(property, to: place, of: entity)
            }
            return (archive.string(property.name), place)
        }
        var fields = try common(entity)
        fields.append(.init("NSProperties", value: archive.dictionary(properties, isMutable: true)))
        fields += try indexes(entity)
        archive.define(place(of: entity.name), classes: ["NSEntityDescription", "NSObject"], fields: fields)
    }

    private func common(_ entity: EntitySchema) throws -> [PropertyList.Entry] {
        let children = model.entities.filter { $0.superentityName == entity.name }.map {
            (archive.string($0.name), place(of: $0.name))
        }
        var fields: [PropertyList.Entry] = [
            .init("NSEntityName", value: archive.string(entity.name)),
            .init("NSClassNameForEntity", value: archive.string(entity.className ?? "NSManagedObject")),
            .init("NSManagedObjectModel", value: modelPlace),
            .init("NSSuperentity", value: place(of: entity.superentityName)),
            .init("NSSubentities", value: archive.dictionary(children, isMutable: true)),
            .init("NSRenamingIdentifier", value: archive.string(entity.renamingIdentifier ?? entity.name)),
            .init("NSVersionHashModifier", value: archive.string(entity.versionHashModifier)),
            .init("NSUserInfo", value: try archive.value(.dictionary(entity.userInfo))),
        ]
        if entity.isAbstract { fields.append(.init("NSIsAbstract", value: .bool(true))) }
        if let expression = entity.coreSpotlightDisplayNameExpression {
            fields.append(
                .init("NSCoreSpotlightDisplayNameExpression", value: try predicates.expression(expression)))
        }
        return fields
    }

    private func indexes(_ entity: EntitySchema) throws -> [PropertyList.Entry] {
        func lists(_ names: [[String]]) -> PropertyList {
            archive.array(
                names.map { archive.array($0.map { archive.string($0) }, isMutable: true) }, isMutable: true)
        }
        var fields: [PropertyList.Entry] = []
        if !entity.uniquenessConstraints.isEmpty {
            fields.append(.init("NSUniqueTuples", value: lists(entity.uniquenessConstraints)))
        }
        if !entity.compoundIndexes.isEmpty {
            fields.append(.init("NSCompoundIndexes", value: lists(entity.compoundIndexes)))
        }
        if !entity.indexes.isEmpty {
            let places = try entity.indexes.map { try fetchIndex($0, of: entity) }
            fields.append(.init("NSFetchIndexDescriptions", value: archive.array(places, isMutable: true)))
        }
        return fields
    }

    private func fetchIndex(_ index: FetchIndexSchema, of entity: EntitySchema) throws -> PropertyList {
        let place = archive.reserve()
        let elements = try index.elements.map { element in
            var fields: [PropertyList.Entry] = [
                .init("NSFetchIndexElementType", value: .integer(Int64(element.collation.rawValue))),
                .init("NSAscending", value: .bool(element.isAscending)),
                .init("NSFetchIndexDescription", value: place),
            ]
            switch element.subject {
            case .property(let name): fields.append(.init("NSPropertyName", value: archive.string(name)))
            case .expression(let name, let expression, let type):
                fields.append(.init("NSPropertyName", value: archive.string(name)))
                fields.append(
                    .init(
                        "NSProperty",
                        value: try expressionDescription(name, expression: expression, type: type)))
            }
            return archive.object(["NSFetchIndexElementDescription", "NSObject"], fields: fields)
        }
        archive.define(
            place, classes: ["NSFetchIndexDescription", "NSObject"],
            fields: [
                .init("NSIndexName", value: archive.string(index.name)),
                .init("NSEntity", value: self.place(of: entity.name)),
                .init("NSIndexElements", value: archive.array(elements)),
                .init(
                    "NSPartialIndexPredicate",
                    value: try index.partialPredicate.map(predicates.predicate) ?? KeyedArchiveWriter.null),
            ])
        return place
    }
}
