// Reads the sources of mapping models (.xcmappingmodel/xcmapping.xml): an XML store of the entities
// XDDevMappingModel, XDDevEntityMapping, XDDevAttributeMapping and XDDevRelationshipMapping.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A reader of mapping models' sources.
package struct MappingSourceReader {
    /// The objects of the store by ID.
    private let objects: [String: XMLTree]

    /// The contents of a file's bytes. `file` names them in errors. Throws `ModelFileError`.
    package static func read(_ data: Data, from file: String) throws -> MappingSource {
        try ModelFileError.locating(file) {
            let root = try XMLTreeReader.read(data)
            guard root.name == "database" else { throw ArchiveFailure("it is no mapping model") }
            var objects: [String: XMLTree] = [:]
            for object in root.children where object.name == "object" {
                if let id = object["id"] { objects[id] = object }
            }
            return try MappingSourceReader(objects: objects).content(of: root)
        }
    }

    private func content(of root: XMLTree) throws -> MappingSource {
        let models = root.children.filter { $0["type"] == "XDDEVMAPPINGMODEL" }
        guard models.count == 1 else { throw ArchiveFailure("it holds \(models.count) mapping models") }
        let model = models[0]
        var content = try MappingSource(
            source: embedded("sourcemodeldata", in: model),
            destination: embedded("destinationmodeldata", in: model))
        content.sourcePath = text("sourcemodelpath", of: model)
        content.destinationPath = text("destinationmodelpath", of: model)
        content.entities = try related("entitymappings", of: model).map(entity)
        return content
    }

    private func entity(_ object: XMLTree) throws -> MappingSource.Entity {
        var entity = MappingSource.Entity()
        entity.sourceName = text("sourcename", of: object)
        entity.destinationName = text("destinationname", of: object)
        entity.name = text("name", of: object)
        let name =
            entity.name
            ?? EntityMappingSchema.name(source: entity.sourceName, destination: entity.destinationName)
        return try ModelFileError.locating("", entity: name) {
            if name.isEmpty { throw ArchiveFailure("an entity mapping names no entity") }
            entity.number = Int(text("mappingnumber", of: object) ?? "") ?? 0
            entity.kind = try kind(of: object)
            entity.policyClassName = text("migrationpolicyclassname", of: object)
            entity.filter = text("sourcefilterpredicatestring", of: object)
            entity.generatesExpression = text("autogenerateexpression", of: object) != "0"
            entity.expression = try expression("sourceexpressiondata", of: object)
            entity.userInfo = try userInfo(of: object)
            entity.attributes = try related("attributemappings", of: object).map(property)
            entity.relationships = try related("relationshipmappings", of: object).map(property)
            return entity
        }
    }

    private func kind(of object: XMLTree) throws -> EntityMappingSchema.Kind {
        guard let text = text("mappingtypename", of: object) else { return .undefined }
        guard let kind = MappingSource.kinds.first(where: { $0.name == text })?.kind else {
            throw ArchiveFailure("the mapping's type is unknown: \"\(text)\"")
        }
        return kind
    }

    private func property(_ object: XMLTree) throws -> MappingSource.Property {
        guard let name = text("name", of: object) else {
            throw ArchiveFailure("a property mapping has no name")
        }
        return try ModelFileError.locating("", property: name) {
            var property = MappingSource.Property(name: name)
            property.expression = try expression("valueexpressiondata", of: object)
            property.generatesExpression = text("autogenerateexpression", of: object) != "0"
            property.sourceKeyPath = text("sourcekeypath", of: object)
            property.sourceMapping = text("sourcemappingname", of: object)
            property.userInfo = try userInfo(of: object)
            return property
        }
    }

    // MARK: Fields

    /// Nil for an empty text too: that is how the editor takes a name away.
    private func text(_ name: String, of object: XMLTree) -> String? {
        let text = object.children.first { $0.name == "attribute" && $0["name"] == name }?.text
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func data(_ name: String, of object: XMLTree) throws -> Data? {
        guard let text = text(name, of: object) else { return nil }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw ArchiveFailure("\(name) is no data")
        }
        return data
    }

    private func related(_ name: String, of object: XMLTree) throws -> [XMLTree] {
        let element = object.children.first { $0.name == "relationship" && $0["name"] == name }
        return try (element?["idrefs"] ?? "").split(separator: " ").map { id in
            guard let object = objects[String(id)] else {
                throw ArchiveFailure("\(name) names no object with \"\(id)\"")
            }
            return object
        }
    }

    private func expression(_ name: String, of object: XMLTree) throws -> ExpressionTree? {
        guard let data = try data(name, of: object) else { return nil }
        guard let root = try KeyedArchive(data).root().object else {
            throw ArchiveFailure("\(name) holds no expression")
        }
        return try ArchivedPredicateReader.expression(root)
    }

    private func userInfo(of object: XMLTree) throws -> [Value: Value]? {
        guard let data = try data("userinfodata", of: object) else { return nil }
        guard case .dictionary(let pairs) = try KeyedArchive(data).node().value() else {
            throw ArchiveFailure("the user info is no dictionary")
        }
        return pairs
    }

    /// A model in the form of Xcode's archived sources, or compiled.
    private func embedded(_ name: String, in object: XMLTree) throws -> ModelSchema {
        guard let data = try data(name, of: object) else {
            throw ArchiveFailure("the file has no \(name): save it again with its models at hand")
        }
        let isCompiled = try KeyedArchive(data).root().object?.isKind(of: "NSManagedObjectModel") ?? false
        return isCompiled
            ? try CompiledModelReader.read(data, from: "") : try ArchivedSourceReader.read(data, from: "")
    }
}

extension MappingSource {
    /// The words for kinds of mappings.
    static let kinds: [(name: String, kind: EntityMappingSchema.Kind)] = [
        ("Undefined", .undefined), ("Custom", .custom), ("Add", .add), ("Remove", .remove), ("Copy", .copy),
        ("Transform", .transform),
    ]
}
