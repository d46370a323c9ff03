// Entities of a schema.

extension Schema {
    /// An entity: a class of models.
    ///
    /// Unchecked because a schema that is in use doesn't change any more.
    public final class Entity: Hashable, @unchecked Sendable {
        /// The name.
        public internal(set) var name: String
        /// The properties that the entity itself adds, in the order of their declarations.
        public internal(set) var storedProperties: [any SchemaProperty]
        /// The entities of subclasses.
        public internal(set) var subentities: Set<Entity> = []
        /// The entity of the superclass.
        public internal(set) weak var superentity: Entity?
        /// The name of the entity of the superclass.
        public internal(set) var superentityName: String?
        /// The names of properties whose values, alone or together, no two models have in common.
        public internal(set) var uniquenessConstraints: [[String]] = []
        /// The names of properties by which models are found faster, alone or together.
        public internal(set) var indices: [[String]] = []
        /// Those of `indices` that are trees of rectangles.
        var rectangleIndices: [[String]] = []

        /// An entity without properties.
        public convenience init(_ name: String) { self.init(name, own: []) }

        /// An entity with properties.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - properties: the properties.
        public convenience init(_ name: String, properties: any SchemaProperty...) {
            self.init(name, own: properties)
        }

        /// An entity with subentities and properties.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - subentities: the entities that inherit the properties.
        ///   - properties: the properties.
        public convenience init(_ name: String, subentities: Entity..., properties: any SchemaProperty...) {
            self.init(name, own: properties)
            self.subentities = Set(subentities)
            for entity in subentities { entity.inherit(from: self) }
        }

        init(_ name: String, own properties: [any SchemaProperty]) {
            self.name = name
            storedProperties = properties
        }

        /// Adds a constraint. `@Attribute(.unique)` and `#Unique` may both state it.
        func constrain(_ names: [String]) {
            if !uniquenessConstraints.contains(names) { uniquenessConstraints.append(names) }
        }

        func inherit(from entity: Entity) {
            superentity = entity
            superentityName = entity.name
        }

        public static func == (left: Entity, right: Entity) -> Bool {
            left === right
                || left.name == right.name && left.superentityName == right.superentityName
                    && left.uniquenessConstraints == right.uniquenessConstraints
                    && left.indices == right.indices
                    && left.attributesByName == right.attributesByName
                    && left.relationshipsByName == right.relationshipsByName
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}

extension Schema.Entity {
    /// The entity's own properties by name.
    public var storedPropertiesByName: [String: any SchemaProperty] { byName(storedProperties) }
    /// The properties of superentities.
    public var inheritedProperties: [any SchemaProperty] { superentity.map(\.properties) ?? [] }
    /// The properties of superentities by name.
    public var inheritedPropertiesByName: [String: any SchemaProperty] { byName(inheritedProperties) }
    /// All properties, inherited ones first.
    public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }
    /// All attributes.
    public var attributes: Set<Schema.Attribute> { Set(properties.compactMap { $0 as? Schema.Attribute }) }
    /// All attributes by name.
    public var attributesByName: [String: Schema.Attribute] { byName(attributes) }
    /// All relationships.
    public var relationships: Set<Schema.Relationship> {
        Set(properties.compactMap { $0 as? Schema.Relationship })
    }
    /// All relationships by name.
    public var relationshipsByName: [String: Schema.Relationship] { byName(relationships) }

    private func byName(_ properties: [any SchemaProperty]) -> [String: any SchemaProperty] {
        Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }

    private func byName<Property: SchemaProperty>(_ properties: Set<Property>) -> [String: Property] {
        Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }
}
