// A mapping model of a real application: a store of its older model, migrated, compared value by value with what the
// mappings say.

import CoreData
import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

/// A mapping model with the two models that it embeds.
struct SampleMapping {
    let old: NSManagedObjectModel
    let new: NSManagedObjectModel
    let mapping: NSMappingModel

    init(_ path: String) throws {
        let url = try SharedFiles.url("mappingmodels/\(path).xcmappingmodel")
        let file = url.appendingPathComponent("xcmapping.xml")
        let content = try MappingSourceReader.read(Data(contentsOf: file), from: path)
        old = NSManagedObjectModel(schema: Self.plain(content.source))
        new = NSManagedObjectModel(schema: Self.plain(content.destination))
        mapping = try NSMappingModel.read(from: url)
    }

    /// The application's classes are none of ours.
    private static func plain(_ schema: ModelSchema) -> ModelSchema {
        var schema = schema
        for index in schema.entities.indices {
            schema.entities[index].className = nil
            // Lists that the application saves empty, though it calls them required.
            for place in schema.entities[index].properties.indices {
                guard case .relationship(let traits) = schema.entities[index].properties[place].kind,
                    traits.isToMany, traits.minCount == 0
                else { continue }
                schema.entities[index].properties[place].isOptional = true
            }
        }
        return schema
    }

    /// Objects of the older store and what became of them, by URI.
    struct Outcome {
        let source: NSManagedObjectContext
        let destination: NSManagedObjectContext
        /// By mapping and source.
        let made: [String: [URL: [URL]]]

        func object(_ url: URL, _ context: NSManagedObjectContext) throws -> NSManagedObject {
            let id = try #require(
                context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url))
            return context.object(with: id)
        }
    }

    /// Fills a store of the older model, migrates it, and opens both.
    func run(_ folder: TemporaryFolder, count: Int, without entities: Set<String> = []) throws -> Outcome {
        let (from, to) = (folder.file("Old.sqlite"), folder.file("New.sqlite"))
        let container = try open(old, from)
        try ModelFiller(count: count, without: entities).fill(container, old)
        let manager = RecordingManager(sourceModel: old, destinationModel: new)
        let observation = manager.observe(\.migrationProgress) { manager, _ in
            if manager.migrationProgress == 1 { (manager as? RecordingManager)?.note() }
        }
        try manager.migrateStore(
            from: from, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: to,
            destinationType: NSSQLiteStoreType)
        observation.invalidate()
        return try Outcome(source: container, destination: open(new, to), made: manager.made)
    }

    private func open(_ model: NSManagedObjectModel, _ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    // MARK: Comparing

    /// Compares every value that a mapping says something of. Returns how many.
    func compare(_ outcome: Outcome, ignoring properties: Set<String> = []) throws -> Int {
        var compared = 0
        for mapping in mapping.entityMappings {
            for (from, to) in outcome.made[mapping.name] ?? [:] {
                expect(to.count, equals: 1)
                let old = try outcome.object(from, outcome.source)
                let new = try outcome.object(to[0], outcome.destination)
                expect(new.entity.name, equals: mapping.destinationEntityName)
                for property in (mapping.attributeMappings ?? [])
                where !properties.contains(property.name ?? "") {
                    compareAttribute(property, old, new)
                    compared += 1
                }
                for property in (mapping.relationshipMappings ?? [])
                where property.valueExpression != nil && !properties.contains(property.name ?? "") {
                    try compareRelationship(property, old, new, outcome)
                    compared += 1
                }
            }
        }
        return compared
    }

    private func compareAttribute(
        _ property: NSPropertyMapping, _ old: NSManagedObject, _ new: NSManagedObject
    ) {
        let name = property.name ?? ""
        let value = Value(new.value(forKey: name))
        switch property.valueExpression?.tree {
        case .keyPath(.variable("source"), let path)?:
            expect(value, equals: Value(old.value(forKeyPath: path)), "\(new.entity.name ?? "").\(name)")
        case .constant(let constant)?: expect(value, equals: constant)
        default: expect(value, equals: Value(new.entity.attributesByName[name]?.defaultValue))
        }
    }

    private func compareRelationship(
        _ property: NSPropertyMapping, _ old: NSManagedObject, _ new: NSManagedObject, _ outcome: Outcome
    ) throws {
        guard case .function(_, let selector, let arguments)? = property.valueExpression?.tree,
            case .constant(.string(let name)) = arguments[0],
            case .keyPath(_, let path) = arguments[1]
        else {
            Issue.record("\(property.valueExpression?.description ?? "") is no call")
            return
        }
        let sources = objects(old.value(forKeyPath: path))
        let expected = sources.flatMap { source -> [URL] in
            let url = source.objectID.uriRepresentation()
            let mappings = selector == MappingFunction.destinations ? [name] : Array(outcome.made.keys)
            return mappings.flatMap { outcome.made[$0]?[url] ?? [] }
        }
        let found = objects(new.value(forKey: property.name ?? "")).map { $0.objectID.uriRepresentation() }
        expect(Set(found), equals: Set(expected), "\(new.entity.name ?? "").\(property.name ?? "")")
    }

    private func objects(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let array as [Any]:
            array.flatMap { objects($0) }
        default: []
        }
    }
}

/// Keeps what was associated.
private final class RecordingManager: NSMigrationManager, @unchecked Sendable {
    private var pairs: [(String, URL, NSManagedObject)] = []
    private(set) var made: [String: [URL: [URL]]] = [:]

    override func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        super.associate(
            sourceInstance: sourceInstance, withDestinationInstance: destinationInstance, for: entityMapping)
        pairs.append((entityMapping.name, sourceInstance.objectID.uriRepresentation(), destinationInstance))
    }

    /// The objects have the IDs now that they keep.
    func note() {
        for (mapping, source, object) in pairs {
            made[mapping, default: [:]][source, default: []].append(object.objectID.uriRepresentation())
        }
        pairs = []
    }
}

/// Fills every attribute and relationship of a model's objects.
struct ModelFiller {
    let count: Int
    let without: Set<String>

    func fill(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) throws {
        try context.performAndWait {
            var objects: [String: [NSManagedObject]] = [:]
            let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
            for (place, entity) in entities.enumerated()
            where !entity.isAbstract && !without.contains(entity.name ?? "") {
                for number in 0..<count {
                    let object = NSManagedObject(entity: entity, insertInto: context)
                    for (name, attribute) in entity.attributesByName where !attribute.isTransient {
                        let value = value(attribute, "\(entity.name ?? "").\(name)", number, place)
                        object.setValue(value, forKey: name)
                    }
                    objects[entity.name ?? "", default: []].append(object)
                }
            }
            for (name, sources) in objects.sorted(by: { $0.key < $1.key }) {
                let relationships = model.entitiesByName[name]?.relationshipsByName ?? [:]
                for (key, relationship) in relationships.sorted(by: { $0.key < $1.key }) {
                    let targets = members(of: relationship.destinationEntity, objects)
                    connect(key, relationship, sources, targets)
                }
            }
            try context.save()
        }
    }

    private func members(
        of entity: NSEntityDescription?, _ objects: [String: [NSManagedObject]]
    ) -> [NSManagedObject] {
        objects.sorted { $0.key < $1.key }.flatMap { _, members in
            members.filter { object in entity.map { object.entity.isKindOf(entity: $0) } ?? false }
        }
    }

    /// Each object with the one of the same number, so that no side takes another's away; with the next one, where
    /// both are of one entity.
    private func connect(
        _ key: String, _ relationship: NSRelationshipDescription, _ sources: [NSManagedObject],
        _ targets: [NSManagedObject]
    ) {
        guard !targets.isEmpty else { return }
        let isOwn = relationship.destinationEntity == relationship.entity
        for (number, source) in sources.enumerated() {
            let target = targets[(isOwn ? number + 1 : number) % targets.count]
            if relationship.isToMany {
                let set = source.mutableSetValue(forKey: key)
                if set.count == 0 { set.add(target) }
            } else if source.value(forKey: key) == nil {
                let inverse = relationship.inverseRelationship
                let isTaken =
                    inverse?.isToMany == false && inverse.flatMap { target.value(forKey: $0.name) } != nil
                if !isTaken { source.setValue(target, forKey: key) }
            }
        }
    }

    private func value(
        _ attribute: NSAttributeDescription, _ name: String, _ number: Int, _ place: Int
    ) -> Any? {
        switch attribute.type {
        case .integer16, .integer32, .integer64: number + 1 + 20 * place
        case .double, .float: Double(number) + 0.5
        case .decimal: Decimal(number) / 8
        case .string: "\(name) \(number)"
        case .boolean: number % 2 == 1
        case .date: Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
        case .binaryData: Data("\(name) \(number)".utf8)
        case .uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number)))
        case .uri: URL(string: "https://example.org/\(number)")
        case .transformable: NSArray(array: ["tag \(number % 2)", "tag \(number)"])
        default: nil
        }
    }
}
