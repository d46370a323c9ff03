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
            content.entities = try MappingSourceBuilder(content, mapping).entities()
            guard try content.compiled() == mapping else {
                throw ArchiveFailure(
                    "the mapping model is for other versions of the entities, or its properties aren't sorted"
                )
            }
            var writer = MappingSourceWriter()
            return try XMLTreeWriter.data(
                for: writer.document(content, models),
                documentType: "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">")
        }
    }

    private mutating func document(_ content: MappingSource, _ models: [Data]) throws -> XMLTree {
        let model = nextID()
        let entities = try content.entities.map { try write($0, of: model) }
        objects.append(
            object(
                "XDDEVMAPPINGMODEL", model,
                [
                    attribute("sourcemodelpath", "string", content.sourcePath),
                    attribute("sourcemodeldata", "binary", models[0].base64EncodedString()),
                    attribute("destinationmodelpath", "string", content.destinationPath),
                    attribute("destinationmodeldata", "binary", models[1].base64EncodedString()),
                    relationship("entitymappings", "0/0", "XDDEVENTITYMAPPING", entities),
                ]))
        return XMLTree("database", children: [Self.head(nextObject: lastNumber + 1)] + objects)
    }

    private mutating func write(_ entity: MappingSource.Entity, of model: String) throws -> String {
        let id = nextID()
        let attributes = try entity.attributes.map { try write($0, "XDDEVATTRIBUTEMAPPING", of: id) }
        let relationships = try entity.relationships.map {
            try write($0, "XDDEVRELATIONSHIPMAPPING", of: id)
        }
        let kind = MappingSource.kinds.first { $0.kind == entity.kind }?.name
        objects.append(
            try object(
                "XDDEVENTITYMAPPING", id,
                [
                    attribute("migrationpolicyclassname", "string", entity.policyClassName),
                    attribute("name", "string", entity.name),
                    attribute("sourcename", "string", entity.sourceName),
                    attribute("sourcefilterpredicatestring", "string", entity.filter),
                    attribute("sourceexpressiondata", "binary", expression(entity.expression)),
                    attribute("userinfodata", "binary", userInfo(entity.userInfo)),
                    attribute("mappingtypename", "string", kind),
                    attribute("mappingnumber", "int16", "\(entity.number)"),
                    attribute("destinationname", "string", entity.destinationName),
                    attribute("autogenerateexpression", "bool", entity.generatesExpression ? "1" : "0"),
                    relationship("mappingmodel", "1/1", "XDDEVMAPPINGMODEL", [model]),
                    relationship("attributemappings", "0/0", "XDDEVATTRIBUTEMAPPING", attributes),
                    relationship("relationshipmappings", "0/0", "XDDEVRELATIONSHIPMAPPING", relationships),
                ]))
        return id
    }

    private mutating func write(
        _ property: MappingSource.Property, _ type: String, of entity: String
    ) throws -> String {
        let id = nextID()
        let states = type == "XDDEVRELATIONSHIPMAPPING" || !property.generatesExpression
        objects.append(
            try object(
                type, id,
                [
                    attribute("valueexpressiondata", "binary", expression(property.expression)),
                    attribute("userinfodata", "binary", userInfo(property.userInfo)),
                    attribute("sourcemappingname", "string", property.sourceMapping),
                    attribute("sourcekeypath", "string", property.sourceKeyPath),
                    attribute(
                        "autogenerateexpression", "bool",
                        states ? (property.generatesExpression ? "1" : "0") : nil),
                    attribute("name", "string", property.name),
                    relationship("entitymapping", "1/1", "XDDEVENTITYMAPPING", [entity]),
                ]))
        return id
    }

    // MARK: Elements

    private mutating func nextID() -> String {
        lastNumber += 1
        return "z\(lastNumber)"
    }

    private func object(_ type: String, _ id: String, _ children: [XMLTree?]) -> XMLTree {
        XMLTree("object", [.init("type", type), .init("id", id)], children: children.compactMap(\.self))
    }

    private func attribute(_ name: String, _ type: String, _ text: String?) -> XMLTree? {
        text.map { XMLTree("attribute", [.init("name", name), .init("type", type)], text: $0) }
    }

    private func relationship(
        _ name: String, _ type: String, _ destination: String, _ ids: [String]
    ) -> XMLTree {
        var element = XMLTree(
            "relationship", [.init("name", name), .init("type", type), .init("destination", destination)])
        if !ids.isEmpty { element.attributes.append(.init("idrefs", ids.joined(separator: " "))) }
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
                    children: [XMLTree("plist", [.init("version", "1.0")], children: [metadata])]),
            ])
    }
}
