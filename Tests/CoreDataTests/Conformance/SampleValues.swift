// Values for the attributes of any model: of the attribute's type, and such as its validation lets through.

import CoreData
import CoreDataTestSupport
import Foundation

enum SampleValues {
    /// A value that the attribute may have; different for each seed wherever the validation leaves room.
    static func value(for attribute: NSAttributeDescription, of object: NSManagedObject, seed: Int) -> Any? {
        candidates(attribute, seed).first { candidate in
            var value: Any? = candidate
            return (try? object.validateValue(&value, forKey: attribute.name)) != nil
        }
    }

    private static func candidates(_ attribute: NSAttributeDescription, _ seed: Int) -> [Any] {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return [1000 + seed, seed % 100, 1, 0, 5, 10]
        case .booleanAttributeType: return [seed.isMultiple(of: 2)]
        case .doubleAttributeType: return [Double(seed) + 0.125, 0.5, 1.0]
        case .floatAttributeType: return [Float(seed) + 0.25, Float(0.5), Float(1)]
        case .decimalAttributeType:
            return [Decimal(seed) + Decimal(sign: .plus, exponent: -2, significand: 11), Decimal(1)]
        case .dateAttributeType: return [Date(timeIntervalSinceReferenceDate: Double(seed) * 1000.5)]
        case .stringAttributeType:
            return [
                "Zürich \(seed)", "S\(seed)", "\(seed)", "ab", "a@b.example",
                String(repeating: "x", count: 40),
            ]
        case .UUIDAttributeType: return [UUID()]
        case .URIAttributeType:
            return [URL(string: "https://example.org/\(seed)?q=1#f") ?? URL(fileURLWithPath: "/")]
        case .binaryDataAttributeType, .transformableAttributeType: return [Data("bytes \(seed)".utf8)]
        default: return []
        }
    }

    /// Returns the names of properties that must differ between objects, default values or not.
    private static func uniqueNames(_ entity: NSEntityDescription) -> Set<String> {
        let own = entity.uniquenessConstraints.joined().compactMap {
            $0 as? String ?? ($0 as? NSPropertyDescription)?.name
        }
        return (entity.superentity.map(uniqueNames) ?? []).union(own)
    }

    /// Fills every attribute of an object; of optional ones of types that tests can make values of.
    static func fill(
        _ object: NSManagedObject, seed: Int, onlyMandatory: Bool = false, onlyTransient: Bool = false
    ) {
        let unique = uniqueNames(object.entity)
        for attribute in object.entity.attributesByName.values {
            if attribute.isTransient ? attribute.isOptional : onlyTransient { continue }
            if onlyMandatory && !unique.contains(attribute.name)
                && (attribute.isOptional || object.value(forKey: attribute.name) != nil)
            {
                continue
            }
            if attribute is NSDerivedAttributeDescription { continue }
            if let composite = attribute as? NSCompositeAttributeDescription {
                var elements: [String: Any] = [:]
                for element in composite.elements { elements[element.name] = candidates(element, seed).first }
                object.setValue(elements, forKey: composite.name)
            } else if let value = value(for: attribute, of: object, seed: seed) {
                object.setValue(value, forKey: attribute.name)
            }
        }
    }
}

/// Objects of every concrete entity of a model, linked with each other through every relationship.
struct SampleObjects {
    private(set) var all: [NSManagedObject] = []
    private let context: NSManagedObjectContext
    /// The seed of the first object's values.
    private let seed: Int

    init(
        _ context: NSManagedObjectContext, _ model: NSManagedObjectModel, onlyMandatory: Bool = false,
        seed: Int = 10
    ) {
        self.context = context
        self.seed = seed
        let concrete = model.entities.filter { !$0.isAbstract }.sorted { $0.name ?? "" < $1.name ?? "" }
        for entity in concrete {
            let object = NSManagedObject(entity: entity, insertInto: context)
            SampleValues.fill(object, seed: seed + all.count, onlyMandatory: onlyMandatory)
            all.append(object)
        }
        for object in all { link(object, onlyMandatory) }
    }

    /// Gives every relationship of the object that is empty a target.
    private mutating func link(_ object: NSManagedObject, _ onlyMandatory: Bool, depth: Int = 0) {
        for (name, relation) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
            if relation.isOptional && (relation.isTransient || onlyMandatory) { continue }
            guard let destination = relation.destinationEntity else { continue }
            if relation.isToMany {
                let members = object.value(forKey: name)
                if (members as? NSOrderedSet)?.count ?? (members as? Set<NSManagedObject>)?.count ?? 0 > 0 {
                    continue
                }
                let needed = max(1, relation.minCount)
                let targets = (0..<needed).compactMap { _ in
                    target(destination, relation.inverseRelationship, onlyMandatory, depth)
                }
                let value: Any = relation.isOrdered ? NSOrderedSet(array: targets) : Set(targets)
                object.setValue(value, forKey: name)
            } else if object.value(forKey: name) == nil {
                object.setValue(
                    target(destination, relation.inverseRelationship, onlyMandatory, depth), forKey: name)
            }
        }
    }

    /// An object that can take the inverse without losing another one, made if there is none.
    private mutating func target(
        _ entity: NSEntityDescription, _ inverse: NSRelationshipDescription?, _ onlyMandatory: Bool,
        _ depth: Int
    ) -> NSManagedObject? {
        let free = all.first { candidate in
            guard candidate.entity.isKindOf(entity: entity) else { return false }
            guard let inverse, !inverse.isToMany else { return true }
            return candidate.value(forKey: inverse.name) == nil
        }
        if let free { return free }
        guard depth < 4, let concrete = Self.concrete(entity) else { return nil }
        let object = NSManagedObject(entity: concrete, insertInto: context)
        SampleValues.fill(object, seed: seed + all.count, onlyMandatory: onlyMandatory)
        all.append(object)
        link(object, true, depth: depth + 1)
        return object
    }

    private static func concrete(_ entity: NSEntityDescription) -> NSEntityDescription? {
        entity.isAbstract ? entity.subentities.lazy.compactMap(concrete).first : entity
    }
}
