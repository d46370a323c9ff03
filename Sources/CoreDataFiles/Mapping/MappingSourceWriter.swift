// Writes the sources of mapping models, with the objects, names and types that Xcode's files have.
// Expressions that the compiler generates are left to it. The models are embedded in compiled form; Xcode's
// own embed its source form.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A writer of mapping models' sources.
package struct MappingSourceWriter {
    private var objects: [XMLTree] = []
    private var lastNumber = 101

    /// The bytes of an `xcmapping.xml` for a mapping between two models. Throws `ModelFileError` (with an empty file
    /// name) if the mapping isn't one between versions of entities that these models have.
    package static func data(
        for mapping: MappingSchema, from source: ModelSchema, to destination: ModelSchema,
        paths: (source: String?, destination: String?) = (nil, nil)
    ) throws -> Data {
        try ModelFileError.locating("") {
            let models = try [source, destination].map { try CompiledModelWriter.data(for: $0) }
            var content = try MappingSource(
                source: CompiledModelReader.read(models[0], from: ""),
                destination: CompiledModelReader.read(models[1], from: ""))
            (content.sourcePath, content.destinationPath) = paths
            content.entities = try MappingSourceBuilder(content, mapping: mapping).entities()
            guard try content.compiled() == mapping else {
                throw ArchiveFailure(
                    "the mapping model is for other versions of the entities, or its properties aren't sorted"
                )
            }
            var writer = MappingSourceWriter()
            return try XMLTreeWriter.data(
                for: writer.document(content, models: models),
                documentType: "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">")
        }
    }

    private mutating func document(_ content: MappingSource, models: [Data]) throws -> XMLTree {
        let model = nextID()
        let entities = try content.entities.map { try write($0, of: model) }
        objects.append(
            object(
                "XDDEVMAPPINGMODEL", id: model,
                children: [
                    attribute("sourcemodelpath", type: "string", text: content.sourcePath),
                    attribute("sourcemodeldata", type: "binary", text: models[0].base64EncodedString()),
                    attribute("destinationmodelpath", type: "string", text: content.destinationPath),
                    attribute("destinationmodeldata", type: "binary", text: models[1].base64EncodedString()),
                    relationship(
                        "entitymappings", type: "0/0", destination: "XDDEVENTITYMAPPING", ids: entities),
                ]))
        return XMLTree("database", children: [Self.head(nextObject: lastNumber + 1)] + objects)
    }

    private mutating func write(_ entity: MappingSource.Entity, of model: String) throws -> String {
        let id = nextID()
        let attributes = try entity.attributes.map { try write($0, type: "XDDEVATTRIBUTEMAPPING", of: id) }
        let relationships = try entity.relationships.map {
            try write($0, type: "XDDEVRELATIONSHIPMAPPING", of: id)
        }
        let kind = MappingSource.kinds.first { $0.kind == entity.kind }?.name
        objects.append(
            try object(
                "XDDEVENTITYMAPPING", id: id,
                children: [
                    attribute("migrationpolicyclassname", type: "string", text: entity.policyClassName),
                    attribute("name", type: "string", text: entity.name),
                    attribute("sourcename", type: "string", text: entity.sourceName),
                    attribute("sourcefilterpredicatestring", type: "string", text: entity.filter),
                    attribute("sourceexpressiondata", type: "binary", text: expression(entity.expression)),
                    attribute("userinfodata", type: "binary", text: userInfo(entity.userInfo)),
                    attribute("mappingtypename", type: "string", text: kind),
                    attribute("mappingnumber", type: "int16", text: "\(entity.number)"),
                    attribute("destinationname", type: "string", text: entity.destinationName),
                    attribute(
                        "autogenerateexpression", type: "bool", text: entity.generatesExpression ? "1" : "0"),
                    relationship("mappingmodel", type: "1/1", destination: "XDDEVMAPPINGMODEL", ids: [model]),
                    relationship(
                        "attributemappings", type: "0/0", destination: "XDDEVATTRIBUTEMAPPING",
                        ids: attributes),
                    relationship(
                        "relationshipmappings", type: "0/0", destination: "XDDEVRELATIONSHIPMAPPING",
                        ids: relationships),
                ]))
        return id
    }

    private mutating func write(
        _ property: MappingSource.Property, type: String, of entity: String
    ) throws -> String {
        let id = nextID()
        let states = type == "XDDEVRELATIONSHIPMAPPING" || !property.generatesExpression
        objects.append(
            try object(
                type, id: id,
                children: [
                    attribute("valueexpressiondata", type: "binary", text: expression(property.expression)),
                    attribute("userinfodata", type: "binary", text: userInfo(property.userInfo)),
                    attribute("sourcemappingname", type: "string", text: property.sourceMapping),
                    attribute("sourcekeypath", type: "string", text: property.sourceKeyPath),
                    attribute(
                        "autogenerateexpression", type: "bool",
                        text: states ? (property.generatesExpression ? "1" : "0") : nil),
                    attribute("name", type: "string", text: property.name),
                    relationship(
                        "entitymapping", type: "1/1", destination: "XDDEVENTITYMAPPING", ids: [entity]),
                ]))
        return id
    }

    // MARK: Elements

    private mutating func nextID() -> String {
        lastNumber += 1
        return "z\(lastNumber)"
    }

    private func object(_ type: String, id: String, children: [XMLTree?]) -> XMLTree {
        XMLTree(
            "object", attributes: [.init("type", value: type), .init("id", value: id)],
            children: children.compactMap(\.self))
    }

    private func attribute(_ name: String, type: String, text: String?) -> XMLTree? {
        text.map {
            XMLTree(
                "attribute", attributes: [.init("name", value: name), .init("type", value: type)], text: $0)
        }
    }

    private func relationship(
        _ name: String, type: String, destination: String, ids: [String]
    ) -> XMLTree {
        var element = XMLTree(
            "relationship",
            attributes: [
                .init("name", value: name), .init("type", value: type),
                .init("destination", value: destination),
            ])
        if !ids.isEmpty { element.attributes.append(.init("idrefs", value: ids.joined(separator: " "))) }
        return element
    }

    private func expression(_ tree: ExpressionTree?) throws -> String? {
        guard let tree else { return nil }
        let archive = KeyedArchiveWriter()
        let root = try ArchivedPredicateWriter(archive, readsAllKeysAsPaths: true).expression(tree)
        return archive.data(root: root).base64EncodedString()
    }

    private func userInfo(_ userInfo: [Value: Value]?) throws -> String? {
        guard let userInfo else { return nil }
        let archive = KeyedArchiveWriter()
        let root = try archive.value(.dictionary(userInfo))
        return archive.data(root: root).base64EncodedString()
    }

    /// Returns the head of the store: the versions of its own entities.
    private static func head(nextObject: Int) -> XMLTree {
        func key(_ name: String, _ value: XMLTree) -> [XMLTree] { [XMLTree("key", text: name), value] }
        let hashes = [
            ("XDDevAttributeMapping", "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc="),
            ("XDDevEntityMapping", "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI="),
            ("XDDevMappingModel", "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ="),
            ("XDDevPropertyMapping", "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA="),
            ("XDDevRelationshipMapping", "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs="),
        ]
        let metadata = XMLTree(
            "dict",
            children: key("NSPersistenceFrameworkVersion", XMLTree("integer", text: "1044"))
                + key(
                    "NSStoreModelVersionHashes",
                    XMLTree("dict", children: hashes.flatMap { key($0, XMLTree("data", text: $1)) }))
                + key("NSStoreModelVersionHashesVersion", XMLTree("integer", text: "3"))
                + key(
                    "NSStoreModelVersionIdentifiers", XMLTree("array", children: [XMLTree("string")])))
        return XMLTree(
            "databaseInfo",
            children: [
                XMLTree("version", text: "134481920"), XMLTree("UUID", text: UUID().uuidString),
                XMLTree("nextObjectID", text: "\(nextObject)"),
                XMLTree(
                    "metadata",
                    children: [
                        XMLTree("plist", attributes: [.init("version", value: "1.0")], children: [metadata])
                    ]),
            ])
    }
}
