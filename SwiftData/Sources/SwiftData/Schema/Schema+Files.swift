// Schemas in files.

public import Foundation

extension Schema {
    /// Writes the schema to a file, as JSON, from which `load(from:)` and `coredata model show` read it.
    ///
    /// - Throws: the error of the file system.
    public func save(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: url, options: .atomic)
    }

    /// Reads a schema that `save(to:)` wrote. Its entities have no classes.
    ///
    /// - Throws: the error of the file system; a `DecodingError` for another file; `SwiftDataError.unknownSchema` for a file of a
    ///   later form.
    public static func load(from url: URL) throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
    }
}

extension Schema: Codable {
    private struct EntityForm: Codable {
        var name: String
        var superentity: String?
        var attributes: [AttributeForm]
        var relationships: [Relationship]
        var uniquenessConstraints: [[String]]
        var indices: [[String]]
        var rectangleIndices: [[String]]
    }

    private struct Form: Codable {
        var swiftDataSchema: Version
        var version: Version
        var entities: [EntityForm]
    }

    public convenience init(from decoder: any Decoder) throws {
        let form = try Form(from: decoder)
        if form.swiftDataSchema > Self.schemaEncodingVersion {
            throw SwiftDataError.unknownSchema.because("the file's form is \(form.swiftDataSchema)")
        }
        let entities = form.entities.map { stored in
            let entity = Entity(stored.name, own: stored.attributes.map(\.attribute) + stored.relationships)
            entity.uniquenessConstraints = stored.uniquenessConstraints
            entity.indices = stored.indices
            entity.rectangleIndices = stored.rectangleIndices
            return entity
        }
        let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for stored in form.entities {
            guard let parent = stored.superentity.flatMap({ byName[$0] }), let entity = byName[stored.name]
            else {
                continue
            }
            entity.inherit(from: parent)
            parent.subentities.insert(entity)
        }
        self.init(
            entities: entities, types: [], version: form.version, encodingVersion: form.swiftDataSchema)
    }

    public func encode(to encoder: any Encoder) throws {
        let forms = entities.map { entity in
            EntityForm(
                name: entity.name, superentity: entity.superentityName,
                attributes: entity.storedProperties.compactMap { ($0 as? Attribute).map(AttributeForm.init) },
                relationships: entity.storedProperties.compactMap { $0 as? Relationship },
                uniquenessConstraints: entity.uniquenessConstraints, indices: entity.indices,
                rectangleIndices: entity.rectangleIndices)
        }
        try Form(swiftDataSchema: encodingVersion, version: version, entities: forms).encode(to: encoder)
    }
}
