// Part of `Scripts/generated-models`: works on a store with the generated classes of a model.

import CoreData

/// Only one thread is here.
nonisolated(unsafe) private var counts = (models: 0, classes: 0, objects: 0, accessors: 0)

/// What is wrong with a model's code.
struct Wrong: Error, CustomStringConvertible {
    let description: String
}

/// One object of each entity is inserted, saved and fetched back.
func work(
    _ module: String, _ urls: [URL?],
    _ use: @escaping (NSManagedObject, (NSManagedObject, String, Any?) -> Void) -> Void
) throws {
    for url in urls {
        guard let url, let model = NSManagedObjectModel(contentsOf: url) else {
            throw Wrong(description: "\(module): a compiled model isn't in the bundle")
        }
        let container = NSPersistentContainer(name: "Models", managedObjectModel: model)
        let file = URL(fileURLWithPath: CommandLine.arguments[1])
            .appendingPathComponent("\(UUID().uuidString).sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        try Work(context: container.viewContext, module: module, use: use).run(model)
        counts.models += 1
    }
}

/// Says what was done.
func finish() {
    print(
        "the generated code of \(counts.models) models works: \(counts.classes) classes, \(counts.objects) objects, "
            + "\(counts.accessors) accessors")
}

private struct Work {
    let context: NSManagedObjectContext
    let module: String
    let use: (NSManagedObject, (NSManagedObject, String, Any?) -> Void) -> Void

    func run(_ model: NSManagedObjectModel) throws {
        let entities = model.entities.filter { !$0.isAbstract }.sorted { $0.name ?? "" < $1.name ?? "" }
        var objects = try entities.map(insert)
        var number = 0
        while number < objects.count {
            fill(objects[number], number, &objects)
            number += 1
        }
        do {
            try context.save()
        } catch {
            throw Wrong(description: "\(module): \(model.entities.compactMap(\.name).sorted()): \(error)")
        }
        objects = []
        context.reset()
        for entity in entities { try fetch(entity) }
        if context.hasChanges { try context.save() }
    }

    private func insert(_ entity: NSEntityDescription) throws -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
        try check(object, entity)
        counts.objects += 1
        return object
    }

    private func check(_ object: NSManagedObject, _ entity: NSEntityDescription) throws {
        guard let name = entity.managedObjectClassName, name != "NSManagedObject" else { return }
        if String(reflecting: type(of: object)) != name || !name.hasPrefix(module + ".") {
            throw Wrong(description: "an object of \(name) is a \(String(reflecting: type(of: object)))")
        }
        counts.classes += 1
    }

    private func fetch(_ entity: NSEntityDescription) throws {
        let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
        guard let object = found.first(where: { $0.entity.name == entity.name }) else {
            throw Wrong(description: "\(module).\(entity.name ?? "") isn't found again")
        }
        try check(object, entity)
        var wrong: [String] = []
        use(object) { object, key, value in
            counts.accessors += 1
            if !Self.same(object.value(forKey: key), value) {
                wrong.append(
                    "\(key): \(String(describing: object.value(forKey: key))), but \(String(describing: value))"
                )
            }
        }
        if !wrong.isEmpty { throw Wrong(description: "\(module).\(entity.name ?? ""): \(wrong)") }
    }

    /// Whether an accessor gives what the key gives; 0, false and the like stand for nil.
    private static func same(_ known: Any?, _ seen: Any?) -> Bool {
        guard let known else { return true }
        guard let seen else { return false }
        switch (known, seen) {
        case (let known as Date, let seen as Double): return known.timeIntervalSinceReferenceDate == seen
        case (let known as NSNumber, let seen as NSNumber): return known == seen
        case (let known as AnyHashable, let seen as AnyHashable) where known == seen: return true
        default: return "\(known)" == "\(seen)" || !isPlain(seen)
        }
    }

    private static func isPlain(_ value: Any) -> Bool {
        value is String || value is Date || value is UUID || value is URL || value is Data || value is Bool
    }

    // MARK: Values that validation accepts

    private func fill(_ object: NSManagedObject, _ number: Int, _ objects: inout [NSManagedObject]) {
        // Two objects with a default value would break a constraint.
        let lineage = sequence(first: object.entity) { $0.superentity }
        let unique = Set(lineage.flatMap { $0.uniquenessConstraints.joined() }.map { "\($0)" })
        for (name, attribute) in object.entity.attributesByName
        where !(attribute is NSDerivedAttributeDescription) {
            let isMissing = !attribute.isOptional && object.value(forKey: name) == nil
            guard isMissing || unique.contains(name) || number % 2 == 0 else { continue }
            for candidate in Self.candidates(attribute, number) {
                var value: Any? = candidate
                if (try? object.validateValue(&value, forKey: name)) != nil {
                    object.setValue(value, forKey: name)
                    break
                }
            }
        }
        for (name, relationship) in object.entity.relationshipsByName
        where !relationship.isOptional || relationship.minCount > 0 {
            if !relationship.isToMany && object.value(forKey: name) != nil { continue }
            guard let other = other(for: relationship, &objects) else { continue }
            if !relationship.isToMany {
                object.setValue(other, forKey: name)
            } else if relationship.isOrdered {
                object.mutableOrderedSetValue(forKey: name).add(other)
            } else {
                object.mutableSetValue(forKey: name).add(other)
            }
        }
    }

    /// An object that may be on the other side: a new one where taking one would leave somebody without it.
    private func other(
        for relationship: NSRelationshipDescription, _ objects: inout [NSManagedObject]
    ) -> NSManagedObject? {
        guard let target = relationship.destinationEntity else { return nil }
        let known = objects.first { $0.entity.isKindOf(entity: target) }
        guard let known, let inverse = relationship.inverseRelationship, !inverse.isToMany else {
            return known
        }
        let made = NSEntityDescription.insertNewObject(forEntityName: known.entity.name ?? "", into: context)
        objects.append(made)
        return made
    }

    private static func candidates(_ attribute: NSAttributeDescription, _ number: Int) -> [Any] {
        switch attribute.attributeType {
        case .stringAttributeType: ["text \(number)", "t\(number)", "a", "a@b.cd", "12345"]
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType:
            [NSNumber(value: number + 1), 1, 0, 10, 100, 1000]
        case .decimalAttributeType: [NSDecimalNumber(value: number + 1), NSDecimalNumber(value: 0)]
        case .booleanAttributeType: [true, false]
        case .dateAttributeType: [Date(timeIntervalSinceReferenceDate: Double(number) * 1000), Date()]
        case .binaryDataAttributeType: [Data([1, 2, UInt8(truncatingIfNeeded: number)])]
        case .UUIDAttributeType: [UUID()]
        case .URIAttributeType: URL(string: "https://example.org/\(number)").map { [$0] } ?? []
        case .transformableAttributeType:
            attribute.isOptional ? [] : [NSString(string: "kept"), NSArray(array: ["kept"])]
        default: []
        }
    }
}
