// The inspector's knowledge of a model: plain words, so that it depends on nothing that it inspects.

/// An entity with the properties that it declares itself.
package struct InspectedEntity: Sendable {
    package var name: String
    /// The name in an earlier version of the model.
    package var formerName: String?
    package var parent: String?
    package var isAbstract: Bool
    package var attributes: [InspectedAttribute]
    package var relations: [InspectedRelation]

    package init(
        name: String, formerName: String? = nil, parent: String?, isAbstract: Bool,
        attributes: [InspectedAttribute], relations: [InspectedRelation]
    ) {
        self.name = name
        self.formerName = formerName
        self.parent = parent
        self.isAbstract = isAbstract
        self.attributes = attributes
        self.relations = relations
    }
}

/// An attribute that has a column.
package struct InspectedAttribute: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case integer, boolean, double, float, decimal, date, string, uri, uuid, transformable, binary
        case externalBinary
    }

    package var name: String
    package var kind: Kind

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// A relationship.
package struct InspectedRelation: Sendable {
    package var name: String
    package var destination: String
    package var inverse: String?
    package var isToMany: Bool
    package var isOrdered: Bool

    package init(name: String, destination: String, inverse: String?, isToMany: Bool, isOrdered: Bool) {
        self.name = name
        self.destination = destination
        self.inverse = inverse
        self.isToMany = isToMany
        self.isOrdered = isOrdered
    }
}

/// One row of an entity.
package struct InspectedObject: Sendable {
    package var entity: String
    package var key: Int64
    /// Z_OPT.
    package var version: Int64?
    /// As the column holds it.
    package var attributes: [String: PlainValue]
    /// Entity and key of the target.
    package var toOne: [String: InspectedKey]
    /// The targets in order where the relationship is ordered, else by key.
    package var toMany: [String: [InspectedKey]]
}

/// The identity of an object: the entity of the row, and the row.
package struct InspectedKey: Hashable, Sendable, CustomStringConvertible {
    package var entity: String
    package var key: Int64

    package init(entity: String, key: Int64) {
        self.entity = entity
        self.key = key
    }

    package var description: String { "\(entity)/p\(key)" }
}
