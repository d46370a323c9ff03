// Properties of entities, as values.

package import CoreDataPredicate
package import CoreDataSupport

/// A property: what all kinds share, and its kind.
package struct PropertySchema: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case attribute(AttributeTraits)
        case relationship(RelationshipTraits)
        case fetched(FetchRequestSchema)
    }

    package var name: String
    package var isOptional = true
    package var isTransient = false
    /// The deprecated flag that asks for an index over this one property.
    package var isIndexed = false
    package var isIndexedBySpotlight = false
    /// The deprecated flag for record files beside the store.
    package var isStoredInExternalRecord = false
    package var validation: [ValidationRule] = []
    package var userInfo: [Value: Value] = [:]
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var kind: Kind

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    package var attribute: AttributeTraits? {
        if case .attribute(let traits) = kind { return traits }
        return nil
    }

    /// Indicates whether nil is a value: of an optional property, and of a composite attribute whose elements all may be nil, for
    /// which a store has nil if they are.
    package var mayBeEmpty: Bool {
        if isOptional { return true }
        guard let attribute, attribute.type == .composite else { return false }
        return attribute.elements.allSatisfy(\.mayBeEmpty)
    }

    package var relationship: RelationshipTraits? {
        if case .relationship(let traits) = kind { return traits }
        return nil
    }
}

/// A predicate that a value must satisfy, with the warning for when it doesn't.
package struct ValidationRule: Sendable, Hashable {
    package var predicate: PredicateTree
    /// A validation error code (`.integer`) or a text (`.string`), as models store it.
    package var warning: Value

    package init(predicate: PredicateTree, warning: Value) {
        self.predicate = predicate
        self.warning = warning
    }
}

/// The traits that only attributes have.
package struct AttributeTraits: Sendable, Hashable {
    package var type: AttributeType
    package var defaultValue: Value = .null
    package var valueTransformerName: String?
    /// `attributeValueClassName`, where it differs from the one that goes with the type.
    package var valueClassName: String?
    package var allowsExternalBinaryDataStorage = false
    package var preservesValueInHistoryOnDeletion = false
    package var allowsCloudEncryption = false
    /// Indicates whether generated code uses a scalar. Source models only.
    package var usesScalarValueType = false
    package var derivation: DerivationSchema?
    /// The elements of a composite attribute; empty for every other type.
    package var elements: [PropertySchema] = []
    /// The name of the composite type that a source model declares apart.
    package var compositeName: String?

    package init(_ type: AttributeType) {
        self.type = type
    }
}

/// The computation of a derived attribute's value.
package struct DerivationSchema: Sendable, Hashable {
    package var expression: ExpressionTree
    package var filter: PredicateTree?

    package init(expression: ExpressionTree, filter: PredicateTree? = nil) {
        self.expression = expression
        self.filter = filter
    }
}

/// Attribute types, with the raw values of Apple's `NSAttributeType`.
package enum AttributeType: UInt, Sendable, Hashable, CaseIterable {
    case undefined = 0
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binaryData = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case objectID = 2000
    case composite = 2100

    /// `attributeValueClassName` of attributes of this type that say nothing else.
    package var valueClassName: String? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binaryData: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .objectID: "NSManagedObjectID"
        case .composite: "NSDictionary"
        case .undefined, .transformable: nil
        }
    }
}

/// The traits that only relationships have.
package struct RelationshipTraits: Sendable, Hashable {
    package var destinationEntityName: String
    package var inverseName: String?
    package var minCount = 0
    /// 1 is a to-one relationship; 0 is to-many without bound.
    package var maxCount = 0
    package var isOrdered = false
    package var deleteRule = DeleteRule.nullify

    package init(destinationEntityName: String, inverseName: String? = nil, maxCount: Int = 0) {
        self.destinationEntityName = destinationEntityName
        self.inverseName = inverseName
        self.maxCount = maxCount
    }

    package var isToMany: Bool { maxCount != 1 }
}

/// Delete rules, with Apple's raw values.
package enum DeleteRule: UInt, Sendable, Hashable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3
}
