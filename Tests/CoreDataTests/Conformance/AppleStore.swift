// The stores that Apple's framework made, copied and opened with the model that each was made with.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

/// A copy of a store from `shared/data/stores`.
struct AppleStore {
    static let cached = [
        "CoreDataPlus/SampleModel_V1", "CoreDataPlus/SampleModel_V2", "CoreDataPlus/SampleModel2_V1",
        "CoreDataPlus/SampleModel2_V2", "CoreDataPlus/SampleModel3_V1", "DuckDuckGo/Bookmarks_V1",
        "DuckDuckGo/Bookmarks_V2", "DuckDuckGo/Bookmarks_V3", "LoopKit/Model_V1",
    ]
    /// Of frameworks that kept no model in the store, with the source model that goes with it.
    static let uncached = [
        "MagicalRecord/Recipes": "MagicalRecord/Recipes.xcdatamodeld",
        "RestKit/RKSeedDatabase": "RestKit/RKTwitterCoreData.xcdatamodel",
    ]
    static let all = cached + uncached.keys.sorted()
    /// Those whose rows nobody keeps a history of.
    static let writable = all.filter { !keepsHistory($0) }

    static func keepsHistory(_ name: String) -> Bool { name.contains("SampleModel2") }

    let name: String
    let folder: TemporaryFolder
    let url: URL
    let model: NSManagedObjectModel
    let entities: [InspectedEntity]

    /// Transformable values are bytes in both, as the classes of Apple's frameworks in them don't exist here.
    init(_ name: String) throws {
        self.name = name
        folder = try TemporaryFolder()
        url = try folder.copy(ofStore: SharedFiles.url("stores/\(name).sqlite"))
        model = try Self.model(name, url)
        RawBytesTransformer.register()
        for entity in model.entities {
            for attribute in entity.attributesByName.values
            where attribute.attributeType == .transformableAttributeType {
                attribute.valueTransformerName = RawBytesTransformer.name
            }
        }
        entities = model.entities.map(InspectedEntity.init)
    }

    private static func model(_ name: String, _ url: URL) throws -> NSManagedObjectModel {
        guard let path = uncached[name] else {
            return try #require(try NSPersistentStoreCoordinator.model(inStoreAt: url))
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        let source = try SharedFiles.url("models/\(path)")
        let versions =
            path.hasSuffix("d")
            ? try FileManager.default.contentsOfDirectory(at: source, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "xcdatamodel" } : [source]
        let models = versions.compactMap(NSManagedObjectModel.init(contentsOf:))
        return try #require(
            models.first { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) })
    }

    func inspector() throws -> StoreInspector { try StoreInspector(url, entities) }

    /// A coordinator with the store, and a context on it.
    func open(readOnly: Bool = false) throws -> OpenStore {
        try OpenStore(url, model, options: readOnly ? [NSReadOnlyPersistentStoreOption: true] : nil)
    }

    /// The bytes of the file and its companions, by suffix.
    func bytes() throws -> [String: Data] {
        var bytes: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(
            at: folder.url, includingPropertiesForKeys: nil)
        {
            bytes[file.lastPathComponent] = try Data(contentsOf: file)
        }
        return bytes
    }
}

/// A coordinator with one store and a context; `close` before others look at the file.
final class OpenStore {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(_ url: URL, _ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: url.isFileURL ? NSSQLiteStoreType : PostgreSQLStore.type, configurationName: nil, at: url,
            options: options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Saves; on failure says for each object and property why.
    func save() -> [String] {
        do {
            try context.save()
            return []
        } catch let error as NSError {
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            return details.map { detail in
                let entity =
                    (detail.userInfo[NSValidationObjectErrorKey] as? NSManagedObject)?.entity.name ?? ""
                let key = detail.userInfo[NSValidationKeyErrorKey] as? String ?? ""
                return "\(entity).\(key): \(detail.code) \(detail.localizedDescription) "
                    + "\(detail.localizedFailureReason ?? "")"
            }
        }
    }

    func close() throws { try coordinator.remove(store) }

    /// All objects of the entities without parent, by entity and key.
    func objects() throws -> [InspectedKey: NSManagedObject] {
        var objects: [InspectedKey: NSManagedObject] = [:]
        for entity in coordinator.managedObjectModel.entities where entity.superentity == nil {
            for object in try context.all(entity.name ?? "") {
                objects[InspectedKey(object.objectID)] = object
            }
        }
        return objects
    }
}

extension InspectedKey {
    init(_ id: NSManagedObjectID) {
        let row = id.uriRepresentation().lastPathComponent.dropFirst()
        self.init(entity: id.entity.name ?? "", key: Int64(row) ?? -1)
    }
}

/// Passes the bytes of transformable attributes through.
final class RawBytesTransformer: ValueTransformer {
    static let name = "ConformanceRawBytes"

    static func register() {
        ValueTransformer.setValueTransformer(RawBytesTransformer(), forName: NSValueTransformerName(name))
    }

    override func transformedValue(_ value: Any?) -> Any? { value }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value }
}

// MARK: The model in the inspector's words

extension InspectedEntity {
    init(_ entity: NSEntityDescription) {
        let inherited = Set(entity.superentity?.propertiesByName.keys.map(\.self) ?? [])
        let own = entity.properties.filter { !inherited.contains($0.name) }
        self.init(
            name: entity.name ?? "", formerName: entity.renamingIdentifier, parent: entity.superentity?.name,
            isAbstract: entity.isAbstract,
            attributes: own.compactMap { $0 as? NSAttributeDescription }.filter { !$0.isTransient }
                .flatMap(InspectedAttribute.columns),
            relations: own.compactMap { $0 as? NSRelationshipDescription }.filter(\.isStored)
                .map(InspectedRelation.init))
    }
}

extension NSRelationshipDescription {
    /// A relationship is not stored if one of its sides is transient.
    var isStored: Bool { !isTransient && inverseRelationship?.isTransient != true }
}

extension InspectedRelation {
    fileprivate init(_ relation: NSRelationshipDescription) {
        self.init(
            name: relation.name, destination: relation.destinationEntity?.name ?? "",
            inverse: relation.inverseRelationship?.name, isToMany: relation.isToMany,
            isOrdered: relation.isOrdered)
    }
}

extension InspectedAttribute {
    /// The column of an attribute, or the columns of a composite one's elements.
    fileprivate static func columns(of attribute: NSAttributeDescription) -> [InspectedAttribute] {
        if let composite = attribute as? NSCompositeAttributeDescription {
            return composite.elements.flatMap(columns).map {
                InspectedAttribute(name: composite.name + "_" + $0.name, kind: $0.kind)
            }
        }
        return kind(attribute).map { [InspectedAttribute(name: attribute.name, kind: $0)] } ?? []
    }

    static func kind(_ attribute: NSAttributeDescription) -> Kind? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: .integer
        case .booleanAttributeType: .boolean
        case .doubleAttributeType: .double
        case .floatAttributeType: .float
        case .decimalAttributeType: .decimal
        case .dateAttributeType: .date
        case .stringAttributeType: .string
        case .UUIDAttributeType: .uuid
        case .URIAttributeType: .uri
        case .transformableAttributeType: .transformable
        case .binaryDataAttributeType: attribute.allowsExternalBinaryDataStorage ? .externalBinary : .binary
        default: nil
        }
    }
}
