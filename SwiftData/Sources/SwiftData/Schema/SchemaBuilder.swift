// From model classes to entities.

import Foundation

/// Makes entities of classes.
enum SchemaBuilder {
    /// Returns the classes with all that relationships of theirs lead to, and their superclasses, in the order in which they
    /// were found.
    static func reachable(from types: [any PersistentModel.Type]) -> [any PersistentModel.Type] {
        var found: [any PersistentModel.Type] = []
        var known: Set<ObjectIdentifier> = []
        var work = types
        while !work.isEmpty {
            let type = work.removeFirst()
            guard known.insert(ObjectIdentifier(type)).inserted else { continue }
            found.append(type)
            if let superclass = modelSuperclass(of: type) { work.append(superclass) }
            for property in type.schemaMetadata {
                if let destination = destination(of: Swift.type(of: property.keypath).valueType) {
                    work.append(destination)
                }
            }
        }
        return found
    }

    /// Returns the class of the models that a type of a property stands for, if it is a relationship's.
    static func destination(of valueType: any Any.Type) -> (any PersistentModel.Type)? {
        let type = unwrapped(valueType)
        if let model = type as? any PersistentModel.Type { return model }
        func element<Collection: RelationshipCollection>(_ type: Collection.Type) -> any PersistentModel.Type
        {
            Collection.PersistentElement.self
        }
        return (type as? any RelationshipCollection.Type).map { element($0) }
    }

    static func modelSuperclass(of type: any PersistentModel.Type) -> (any PersistentModel.Type)? {
        (_getSuperclass(type) as? any PersistentModel.Type)
    }

    static func entities(of types: [any PersistentModel.Type]) -> [Schema.Entity] {
        var entities: [ObjectIdentifier: Schema.Entity] = [:]
        for type in types { entities[ObjectIdentifier(type)] = entity(of: type) }
        for type in types {
            guard let superclass = modelSuperclass(of: type),
                let parent = entities[ObjectIdentifier(superclass)],
                let entity = entities[ObjectIdentifier(type)]
            else { continue }
            entity.inherit(from: parent)
            parent.subentities.insert(entity)
        }
        let all = types.compactMap { entities[ObjectIdentifier($0)] }
        InverseFinder(all).run()
        return all
    }

    private static func entity(of type: any PersistentModel.Type) -> Schema.Entity {
        let entity = Schema.Entity(entityName(of: type), own: [])
        for metadata in type.schemaMetadata {
            if let statement = metadata.statement {
                statement.apply(to: entity)
                continue
            }
            let property = property(metadata)
            if property.isUnique { entity.constrain([property.name]) }
            entity.storedProperties.append(property)
        }
        return entity
    }

    static func entityName(of type: any PersistentModel.Type) -> String { Schema.entityName(for: type) }

    private static func property(_ metadata: Schema.PropertyMetadata) -> any SchemaProperty {
        let valueType = Swift.type(of: metadata.keypath).valueType
        if let destination = destination(of: valueType) {
            let relationship = metadata.metadata as? Schema.Relationship ?? Schema.Relationship()
            relationship.name = metadata.name
            if relationship.originalName.isEmpty { relationship.originalName = metadata.name }
            relationship.valueType = valueType
            relationship.keypath = metadata.keypath
            relationship.isToOneRelationship = !(unwrapped(valueType) is any RelationshipCollection.Type)
            relationship.destination = entityName(of: destination)
            if let inverse = relationship.inverseKeyPath { relationship.inverseName = keyName(of: inverse) }
            return relationship
        }
        let attribute = attribute(metadata)
        attribute.name = metadata.name
        if attribute.originalName.isEmpty { attribute.originalName = metadata.name }
        attribute.valueType = valueType
        attribute.defaultValue = metadata.defaultValue.flatMap(unwrappedValue)
        return attribute
    }

    private static func attribute(_ metadata: Schema.PropertyMetadata) -> Schema.Attribute {
        let stated = metadata.metadata as? Schema.Attribute ?? Schema.Attribute()
        guard let form = CompositeForm.of(metadata) else { return stated }
        let composite = Schema.CompositeAttribute(
            name: "", originalName: stated.originalName, options: stated.options, valueType: Any.self,
            hashModifier: stated.hashModifier)
        composite.properties = form.attributes(
            metadata.defaultValue.flatMap(unwrappedValue) as? any Encodable)
        return composite
    }

    private static func keyName(of keyPath: AnyKeyPath) -> String? {
        (Swift.type(of: keyPath).rootType as? any PersistentModel.Type).flatMap { $0.propertyNames[keyPath] }
    }
}

/// Finds the relationships back where none is stated: the only one of the other side that leads here and isn't another's.
private struct InverseFinder {
    private let entities: [Schema.Entity]
    private let byName: [String: Schema.Entity]

    init(_ entities: [Schema.Entity]) {
        self.entities = entities
        byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func run() {
        for entity in entities {
            for relationship in own(entity) {
                guard let name = relationship.inverseName, let back = find(name, in: relationship.destination)
                else { continue }
                if back.inverseName == nil { back.inverseName = relationship.name }
            }
        }
        for entity in entities {
            for relationship in own(entity) where relationship.inverseName == nil {
                guard let destination = byName[relationship.destination] else { continue }
                let back = own(destination).filter {
                    $0 !== relationship && $0.inverseName == nil && $0.destination == entity.name
                }
                let here = own(entity).filter {
                    $0.inverseName == nil && $0.destination == destination.name
                }
                guard back.count == 1, here.count == 1 || entity === destination else { continue }
                relationship.inverseName = back[0].name
                back[0].inverseName = relationship.name
            }
        }
    }

    private func own(_ entity: Schema.Entity) -> [Schema.Relationship] {
        entity.storedProperties.compactMap { $0 as? Schema.Relationship }
    }

    private func find(_ name: String, in entity: String) -> Schema.Relationship? {
        var next = byName[entity]
        while let current = next {
            if let found = own(current).first(where: { $0.name == name }) { return found }
            next = current.superentity
        }
        return nil
    }
}
