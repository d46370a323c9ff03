// Short ways to build models in code, which the models of all suites share.

import CoreData

extension NSEntityDescription {
    convenience init(_ name: String, _ properties: [NSPropertyDescription] = []) {
        self.init()
        self.name = name
        self.properties = properties
    }
}

extension NSAttributeDescription {
    convenience init(_ name: String, _ type: AttributeType, optional: Bool = true) {
        self.init()
        self.name = name
        self.type = type
        isOptional = optional
    }

    convenience init(_ name: String, _ type: NSAttributeType, optional: Bool = true) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = optional
    }

    /// Optional attributes.
    static func all(_ parts: (String, NSAttributeType)...) -> [NSAttributeDescription] {
        parts.map { NSAttributeDescription($0, $1) }
    }
}

extension NSCompositeAttributeDescription {
    convenience init(_ name: String, elements: [NSAttributeDescription]) {
        self.init()
        self.name = name
        self.elements = elements
    }
}

extension NSRelationshipDescription {
    enum Count {
        case one, many, ordered
    }

    /// An optional relationship that nullifies.
    convenience init(
        _ name: String, to entity: NSEntityDescription, _ count: Count,
        rule: NSDeleteRule = .nullifyDeleteRule
    ) {
        self.init()
        self.name = name
        destinationEntity = entity
        maxCount = count == .one ? 1 : 0
        isOrdered = count == .ordered
        isOptional = true
        deleteRule = rule
    }

    /// Adds a relationship and its inverse to their entities. The rule is that of the first.
    static func connect(
        _ from: NSEntityDescription, _ name: String, _ count: Count, _ to: NSEntityDescription,
        _ inverse: String, _ inverseCount: Count, rule: NSDeleteRule = .nullifyDeleteRule
    ) {
        let there = NSRelationshipDescription(name, to: to, count, rule: rule)
        let back = NSRelationshipDescription(inverse, to: from, inverseCount)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        from.properties.append(there)
        to.properties.append(back)
    }
}
