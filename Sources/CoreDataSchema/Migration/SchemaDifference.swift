// The changes of each entity and property from one version of a model to another.

/// Two versions of a model side by side. Names of the older one are called source, of the newer one destination.
package struct SchemaDifference: Sendable, Hashable {
    /// The entities of both versions, in the order of the newer one's names.
    package var pairs: [EntityPair]
    /// Names in the newer version without a counterpart, sorted.
    package var added: [String]
    /// Names in the older version without a counterpart, sorted.
    package var removed: [String]
    /// Attributes that must have a value although rows of the older version may lack one and there is no default.
    package var neededValues: [NeededValue]

    package init(
        pairs: [EntityPair] = [], added: [String] = [], removed: [String] = [],
        neededValues: [NeededValue] = []
    ) {
        self.pairs = pairs
        self.added = added
        self.removed = removed
        self.neededValues = neededValues
    }

    package func pair(source name: String) -> EntityPair? { pairs.first { $0.source == name } }

    package func pair(destination name: String) -> EntityPair? { pairs.first { $0.destination == name } }

    /// Indicates whether the versions say the same.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && pairs.allSatisfy(\.isEmpty) }
}

/// An entity of both versions.
package struct EntityPair: Sendable, Hashable {
    package var source: String
    package var destination: String
    package var changes: [EntityChange]
    /// Own and inherited properties of both, sorted by the newer name.
    package var properties: [PropertyPair]
    /// Own and inherited properties of the newer one only, sorted.
    package var added: [String]
    /// Own and inherited properties of the older one only, sorted.
    package var removed: [String]
    /// Relationships of both whose former destination is gone, so that they start empty: they count as removed and added.
    package var emptied: [EmptiedRelationship] = []

    package init(
        source: String, destination: String, changes: [EntityChange] = [], properties: [PropertyPair] = [],
        added: [String] = [], removed: [String] = []
    ) {
        self.source = source
        self.destination = destination
        self.changes = changes
        self.properties = properties
        self.added = added
        self.removed = removed
    }

    package func property(source name: String) -> PropertyPair? { properties.first { $0.source == name } }

    package func property(destination name: String) -> PropertyPair? {
        properties.first { $0.destination == name }
    }

    package var isEmpty: Bool {
        changes.isEmpty && added.isEmpty && removed.isEmpty && properties.allSatisfy(\.changes.isEmpty)
    }
}

/// A relationship that leads to another entity than before, because the former one is gone.
package struct EmptiedRelationship: Sendable, Hashable {
    package var source: String
    package var destination: String
    /// The name of the entity that is gone.
    package var formerEntity: String
}

/// A change of an entity itself.
package enum EntityChange: Sendable, Hashable {
    case renamed
    /// The new value.
    case isAbstract(Bool)
    /// Names of the older and the newer superentity; only where they aren't counterparts.
    case superentity(from: String?, to: String?)
    case uniquenessConstraints
    case indexes
    case className
    case versionHashModifier
}

/// A property of both versions.
package struct PropertyPair: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case attribute, relationship, fetched
    }

    package var source: String
    package var destination: String
    package var kind: Kind
    package var changes: [PropertyChange]

    package init(source: String, destination: String, kind: Kind, changes: [PropertyChange] = []) {
        self.source = source
        self.destination = destination
        self.kind = kind
        self.changes = changes
    }
}

/// A change of a property; associated values are the new ones unless stated otherwise.
package enum PropertyChange: Sendable, Hashable {
    case renamed
    /// The entities that declare it; only where they aren't counterparts.
    case moved(from: String, to: String)
    case isOptional(Bool)
    case isTransient(Bool)
    case defaultValue
    case validation
    case versionHashModifier
    // Attributes
    /// Stored numbers are converted (`NumericConversion`); what is transient in one version may be of any type.
    case attributeType(from: AttributeType, to: AttributeType)
    case externalStorage(Bool)
    case preservesValueInHistory(Bool)
    case valueTransformer
    case derivation
    /// Elements of a composite attribute came or went.
    case elements
    // Relationships
    case isToMany(Bool)
    case isOrdered(Bool)
    case counts
    case deleteRule
    /// Names of the older and the newer destination; only where they aren't counterparts.
    case destination(from: String, to: String)
    /// Names of the older and the newer inverse; only where they aren't counterparts.
    case inverse(from: String?, to: String?)
    // Fetched properties
    case request
}

/// An attribute of the newer version that must not be nil.
package struct NeededValue: Sendable, Hashable {
    package var entity: String
    package var attribute: String

    package init(entity: String, attribute: String) {
        self.entity = entity
        self.attribute = attribute
    }
}
