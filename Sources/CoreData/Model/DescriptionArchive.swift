// Archives of single descriptions: a compiled model that holds nothing but what is archived.

import CoreDataFiles
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Reads and writes the one value under which a description lies in an archive.
enum DescriptionArchive {
    private static let key = "CoreData.model"
    private static let nameKey = "CoreData.name"
    private static let textsKey = "CoreData.texts"

    static func encode(_ model: ModelSchema, with coder: NSCoder) {
        do {
            coder.encode(try CompiledModelWriter.data(for: model) as NSData, forKey: key)
        } catch {
            coder.failWithError(error)
        }
    }

    /// Writes one entity. The entities that it refers to are there in name, because a compiled model refers
    /// to entities and inverses by their places.
    static func encode(_ entity: EntitySchema, with coder: NSCoder) {
        var named = [entity.name: entity]
        for property in entity.properties {
            switch property.kind {
            case .attribute: break
            case .fetched(let request):
                let name = request.entityName
                named[name] = named[name] ?? EntitySchema(name: name)
            case .relationship(let traits):
                let name = traits.destinationEntityName
                var destination = named[name] ?? EntitySchema(name: name)
                if let inverse = traits.inverseName,
                    !destination.properties.contains(where: { $0.name == inverse })
                {
                    let back = RelationshipTraits(destinationEntityName: entity.name)
                    destination.properties.append(PropertySchema(name: inverse, kind: .relationship(back)))
                }
                named[name] = destination
            }
        }
        encode(ModelSchema(entities: Array(named.values)), with: coder)
        coder.encode(entity.name as NSString, forKey: nameKey)
    }

    /// `nil`, and the coder knows why, when the archive holds no model.
    static func decode(_ coder: NSCoder) -> ModelSchema? {
        guard let data = coder.decodeObject(of: NSData.self, forKey: key) else {
            coder.failWithError(
                CoreDataError.make(
                    CocoaError.coderValueNotFound.rawValue, description: "The archive holds no model."))
            return nil
        }
        do {
            return try CompiledModelReader.read(Data(referencing: data), from: "archive")
        } catch {
            coder.failWithError(error)
            return nil
        }
    }

    /// A model of the archive's entity alone, without what it refers to.
    static func decodeSingleEntity(_ coder: NSCoder) -> ModelSchema? {
        guard let schema = decode(coder), let name = coder.decodeObject(of: NSString.self, forKey: nameKey)
        else { return nil }
        return ModelSchema(entities: schema.entities.filter { $0.name == String(name) })
    }

    /// The only property of the archive, or the expression that an index carries.
    static func decodeProperty(_ coder: NSCoder) -> NSPropertyDescription? {
        guard let entity = decodeEntity(coder) else { return nil }
        return entity.properties.first ?? entity.indexes.first?.elements.first?.property
    }

    static func encode(texts: [String: String]?, with coder: NSCoder) {
        guard let texts else { return }
        coder.encode(NSDictionary(dictionary: texts), forKey: textsKey)
    }

    static func decodeTexts(_ coder: NSCoder) -> [String: String]? {
        // To ask for what isn't there is an error, by which some coders end the process.
        guard coder.containsValue(forKey: textsKey) else { return nil }
        return coder.decodeObject(of: [NSDictionary.self, NSString.self], forKey: textsKey)
            as? [String: String]
    }

    /// The only entity of the archive.
    static func decodeEntity(_ coder: NSCoder) -> NSEntityDescription? {
        guard let schema = decodeSingleEntity(coder) else { return nil }
        return NSManagedObjectModel(schema: schema).entities.first
    }
}

extension EntitySchema {
    /// A carrier of properties and indexes that are archived without their entity. An expression is carried
    /// as an element of an index.
    init(archiving properties: [NSPropertyDescription], indexes: [FetchIndexSchema]? = nil) {
        self.init(
            name: "Archive",
            properties: properties.filter(\.isKindOfEntityProperty).map { PropertySchema($0) })
        self.indexes =
            indexes
            ?? properties.filter { $0 is NSExpressionDescription }.map { expression in
                let element = NSFetchIndexElementDescription(property: expression, collationType: .binary)
                return FetchIndexSchema(name: "Archive", elements: [FetchIndexElementSchema(element)])
            }
    }
}
