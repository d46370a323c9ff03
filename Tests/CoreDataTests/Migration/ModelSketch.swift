// A model as plain values, so that what a migration must keep can be computed without the framework.

import CoreData
import CoreDataTestSupport
import Foundation

/// Entities and properties with numbers that they keep from version to version, whatever they are called.
struct ModelSketch {
    struct Attribute {
        let id: Int
        var name: String
        var formerName: String?
        var type: NSAttributeType
        var isOptional = true
        /// The default value as a small number, from which each type makes its own.
        var standard: Int?
        var isExternal = false
        var isTransient = false
        /// Those of a composite attribute.
        var elements: [Attribute] = []
        /// The relationship whose members it counts, for a derived attribute.
        var counted: Int?

        init(id: Int, name: String, type: NSAttributeType) {
            (self.id, self.name, self.type) = (id, name, type)
        }

        /// Indicates whether it is an ordinary one: neither the mark nor composite nor derived.
        var isPlain: Bool { id != ModelSketch.mark && elements.isEmpty && counted == nil }
    }

    struct Relation {
        let id: Int
        var name: String
        var formerName: String?
        var destination: Int
        var count: NSRelationshipDescription.Count
        var inverse: Int?
    }

    struct Entity {
        let id: Int
        var name: String
        var formerName: String?
        var parent: Int?
        var isAbstract = false
        var attributes: [Attribute] = []
        var relations: [Relation] = []
        /// Indicates whether objects' marks must differ, which only roots ask for.
        var isUnique = false
        /// The attribute that an index is over.
        var indexed: Int?
    }

    /// The number of the attribute `mark`, by which tests know objects.
    static let mark = 0

    var entities: [Entity] = []
    var lastNumber = 0

    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    subscript(id: Int) -> Entity {
        get { entities[place(id)] }
        set { entities[place(id)] = newValue }
    }

    func place(_ id: Int) -> Int {
        guard let place = entities.firstIndex(where: { $0.id == id }) else {
            preconditionFailure("no entity \(id)")
        }
        return place
    }

    func has(_ id: Int) -> Bool { entities.contains { $0.id == id } }

    // MARK: Hierarchy

    /// The entity and its ancestors, the root last.
    func line(_ id: Int) -> [Entity] {
        var (line, next) = ([Entity](), Optional(id))
        while let current = next {
            line.append(self[current])
            next = line.last?.parent
        }
        return line
    }

    func root(_ id: Int) -> Int { line(id).last?.id ?? id }

    func isKind(_ id: Int, of other: Int) -> Bool { line(id).contains { $0.id == other } }

    func children(_ id: Int) -> [Int] { entities.filter { $0.parent == id }.map(\.id) }

    /// Own and inherited attributes by number.
    func attributes(_ id: Int) -> [Int: Attribute] {
        Dictionary(line(id).flatMap(\.attributes).map { ($0.id, $0) }) { first, _ in first }
    }

    /// Own and inherited relationships by number.
    func relations(_ id: Int) -> [Int: Relation] {
        Dictionary(line(id).flatMap(\.relations).map { ($0.id, $0) }) { first, _ in first }
    }

    func relation(_ id: Int) -> Relation? {
        entities.lazy.flatMap(\.relations).first { $0.id == id }
    }

    /// The entity that has a relationship of its own.
    func owner(ofRelation id: Int) -> Int? {
        entities.first { $0.relations.contains { $0.id == id } }?.id
    }

    mutating func change(relation id: Int, _ body: (inout Relation) -> Void) {
        for entity in entities.indices {
            for place in entities[entity].relations.indices where entities[entity].relations[place].id == id {
                body(&entities[entity].relations[place])
            }
        }
    }

    // MARK: Model

    /// The model that the framework is to have.
    func model() -> NSManagedObjectModel {
        var made: [Int: NSEntityDescription] = [:]
        for entity in entities {
            let description = NSEntityDescription(entity.name, entity.attributes.map(description))
            description.renamingIdentifier = entity.formerName
            description.isAbstract = entity.isAbstract
            // Indexes aren't part of an entity's hash.
            description.versionHashModifier = entity.indexed.map { "by\($0)" }
            if entity.isUnique { description.uniquenessConstraints = [["mark"]] }
            made[entity.id] = description
        }
        for entity in entities {
            guard let parent = entity.parent.flatMap({ made[$0] }), let child = made[entity.id] else {
                continue
            }
            parent.subentities.append(child)
        }
        connect(made)
        for entity in entities {
            guard let indexed = entity.indexed, let description = made[entity.id],
                let attribute = description.properties.first(where: {
                    $0.name == attributes(entity.id)[indexed]?.name
                })
            else { continue }
            description.indexes = [
                NSFetchIndexDescription(
                    name: "by\(indexed)",
                    elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)])
            ]
        }
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { made[$0.id] }
        return model
    }

    private func description(_ attribute: Attribute) -> NSAttributeDescription {
        if let relation = attribute.counted.flatMap(relation) {
            let derived = NSDerivedAttributeDescription()
            (derived.name, derived.type) = (attribute.name, .integer64)
            derived.derivationExpression = NSExpression(format: "\(relation.name).@count")
            return derived
        }
        if attribute.elements.isEmpty { return attribute.description }
        let composite = NSCompositeAttributeDescription(
            attribute.name, elements: attribute.elements.map(description))
        composite.renamingIdentifier = attribute.formerName
        return composite
    }

    private func connect(_ made: [Int: NSEntityDescription]) {
        var relationships: [Int: NSRelationshipDescription] = [:]
        for entity in entities {
            for relation in entity.relations {
                guard let destination = made[relation.destination] else { continue }
                let relationship = NSRelationshipDescription(relation.name, to: destination, relation.count)
                relationship.renamingIdentifier = relation.formerName
                relationships[relation.id] = relationship
                made[entity.id]?.properties.append(relationship)
            }
        }
        for relation in entities.flatMap(\.relations) {
            relationships[relation.id]?.inverseRelationship = relation.inverse.flatMap { relationships[$0] }
        }
    }
}

extension ModelSketch.Attribute {
    static let numbers: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
        .floatAttributeType, .decimalAttributeType,
    ]
    static let types: [NSAttributeType] =
        numbers + [
            .booleanAttributeType, .stringAttributeType, .dateAttributeType, .binaryDataAttributeType,
            .UUIDAttributeType, .URIAttributeType,
        ]

    fileprivate var description: NSAttributeDescription {
        let description = NSAttributeDescription(name, type, optional: isOptional)
        description.renamingIdentifier = formerName
        // Exchanged names give the same hash.
        description.versionHashModifier = formerName
        description.defaultValue = standard.map(value)
        description.allowsExternalBinaryDataStorage = isExternal
        description.isTransient = isTransient
        return description
    }

    /// The value of the attribute's type for a number.
    func value(_ number: Int) -> Any {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: number
        case .doubleAttributeType: Double(number)
        case .floatAttributeType: Float(number)
        case .decimalAttributeType: NSDecimalNumber(value: number)
        case .booleanAttributeType: number % 2 == 1
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(number))
        case .binaryDataAttributeType:
            Data(repeating: UInt8(truncatingIfNeeded: number), count: 1 + number * 40)
        case .UUIDAttributeType:
            UUID(uuidString: "00000000-0000-4000-8000-" + String(1_000_000_000_00 + number)) ?? UUID()
        case .URIAttributeType: URL(string: "https://example.com/\(number)") ?? URL(fileURLWithPath: "/")
        default: "t\(number)"
        }
    }

    /// The text by which values are compared, numbers of all types alike.
    static func text(_ value: Any?) -> String {
        switch value {
        case let number as NSNumber: "\(number.doubleValue)"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: "\(data.count) of \(data.first ?? 0)"
        case let value?: "\(value)"
        case nil: "-"
        }
    }
}

extension ModelSketch: CustomStringConvertible {
    /// The model in lines, for a run of one seed.
    var description: String {
        entities.map { entity in
            let parent = entity.parent.map { ": \(self[$0].name)" } ?? ""
            let attributes = entity.attributes.map { attribute in
                attribute.counted.flatMap(relation).map { "\(attribute.name) = \($0.name).@count" }
                    ?? attribute.name
            }
            let relations = entity.relations.map { relation in
                let inverse = relation.inverse.flatMap(self.relation)?.name ?? "no inverse"
                return "\(relation.name): \(relation.count) \(self[relation.destination].name) (\(inverse))"
            }
            return
                "  \(entity.name)\(parent) \(attributes.joined(separator: " ")); \(relations.joined(separator: ", "))"
        }.joined(separator: "\n")
    }
}
