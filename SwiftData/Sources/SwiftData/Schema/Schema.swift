// The schema: the entities that models make up.

import Foundation

/// The entities, attributes and relationships of a set of models.
///
/// ```swift
/// let schema = Schema([Trip.self, Stop.self])
/// ```
///
/// Unchecked because nothing changes it once it is made: entities are set up before the initialiser returns.
public final class Schema: @unchecked Sendable {
    /// The version of the form in which schemas are written.
    public static let schemaEncodingVersion = Version(1, 0, 0)

    /// The form's version of this schema.
    public let encodingVersion: Version
    /// The version of the models.
    public let version: Version
    /// The entities, by name in order.
    public let entities: [Entity]
    /// The entities by their names.
    public let entitiesByName: [String: Entity]
    /// The classes of the entities, which a schema that was read from a file doesn't know.
    let types: [any PersistentModel.Type]

    /// A schema without entities.
    public convenience init() {
        self.init(entities: [], types: [], version: Version(1, 0, 0))
    }

    /// The schema of models and all that they are related to.
    ///
    /// - Parameters:
    ///   - types: the classes.
    ///   - version: the version of the models.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// The schema of models and all that they are related to.
    ///
    /// - Parameters:
    ///   - types: the classes.
    ///   - version: the version of the models.
    public convenience init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        let all = SchemaBuilder.reachable(from: types)
        self.init(entities: SchemaBuilder.entities(of: all), types: all, version: version)
    }

    /// The schema of entities that code describes.
    ///
    /// - Parameters:
    ///   - entities: the entities.
    ///   - version: the version of the models.
    public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
        self.init(entities: entities, types: [], version: version)
    }

    /// The schema of a version of models.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }

    init(
        entities: [Entity], types: [any PersistentModel.Type], version: Version,
        encodingVersion: Version = Schema.schemaEncodingVersion
    ) {
        self.entities = entities.sorted { $0.name < $1.name }
        entitiesByName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.types = types
        self.version = version
        self.encodingVersion = encodingVersion
    }

    /// Returns the entity of a class, or nil.
    public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
        entitiesByName[Schema.entityName(for: type)]
    }

    /// Returns the name of a class's entity: the class's own, without module and enclosing types.
    public static func entityName<T: PersistentModel>(for type: T.Type) -> String { String(describing: type) }
}

extension Schema: Equatable, Hashable {
    /// Returns true if two schemas have the same version and entities.
    ///
    /// - Parameters:
    ///   - left: the one schema.
    ///   - right: the other.
    public static func == (left: Schema, right: Schema) -> Bool {
        left === right || left.version == right.version && left.entities == right.entities
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(entities.map(\.name))
    }
}
