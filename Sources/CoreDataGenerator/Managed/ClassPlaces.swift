// The places that the accessors of each class carry: those of the entities that have the class.

package import CoreDataSchema

/// The places of properties by class, from the models of a target.
package struct ClassPlaces: Sendable {
    private var places: [String: [String: PropertyPlace]] = [:]
    private var disputed: [String: Set<String>] = [:]
    private var modelled: [String: [String: [ModelledProperty]]] = [:]
    private var superclasses: [String: String] = [:]

    /// A model's statements about a property of a class.
    struct ModelledProperty {
        let entity: String
        let kind: PropertySchema.Kind
        /// The class that a relationship or a fetched property leads to: its module, then names.
        let destination: [String]
    }

    /// Classes of other modules are left out. If two entities with one class have a property at
    /// different places, it has none.
    package init(_ models: [ModelSchema] = [], moduleName: String) {
        for model in models {
            let index = ModelIndex(model)
            for name in index.entityNames {
                guard let entity = index.entity(name),
                    let className = Self.className(entity.schema, moduleName: moduleName)
                else { continue }
                add(PropertyPlace.all(of: entity, in: index), entity: entity, to: className)
                let classes = entity.ancestry.compactMap { index.entity($0)?.schema }
                    .compactMap { Self.className($0, moduleName: moduleName) }
                superclasses[className] = superclasses[className] ?? classes.first { $0 != className }
                for property in entity.properties {
                    let leadsTo =
                        property.relationship?.destinationEntityName ?? Self.fetchedEntity(property.kind)
                    let destination = leadsTo.flatMap { index.entity($0)?.schema }
                    modelled[className, default: [:]][property.name, default: []].append(
                        ModelledProperty(
                            entity: name, kind: property.kind,
                            destination: Self.path(destination, moduleName: moduleName)))
                }
            }
        }
    }

    private mutating func add(
        _ found: [String: PropertyPlace], entity: ModelIndex.Entity, to className: String
    ) {
        for property in entity.properties {
            let known = places[className]?[property.name]
            if let known, known != found[property.name] {
                disputed[className, default: []].insert(property.name)
            }
            places[className, default: [:]][property.name] = found[property.name]
            keys[className, default: []].insert(property.name)
        }
    }

    /// The names of the properties that objects of the class have, as far as models tell.
    package private(set) var keys: [String: Set<String>] = [:]

    /// Returns whether a model has an entity with the class.
    package func knows(_ className: String) -> Bool { keys[className] != nil }

    package func place(of key: String, in className: String) -> PropertyPlace? {
        disputed[className]?.contains(key) == true ? nil : places[className]?[key]
    }

    private static func fetchedEntity(_ kind: PropertySchema.Kind) -> String? {
        if case .fetched(let request) = kind { return request.entityName }
        return nil
    }

    /// The module and names of an entity's class.
    private static func path(_ entity: EntitySchema?, moduleName: String) -> [String] {
        guard let entity, let name = entity.className, !name.isEmpty, name != "NSManagedObject" else {
            return ["CoreData", "NSManagedObject"]
        }
        if let own = className(entity, moduleName: moduleName) {
            return [moduleName] + own.split(separator: ".").map(String.init)
        }
        return (entity.classModule.map { [$0] } ?? []) + name.split(separator: ".").map(String.init)
    }

    /// Returns the models' statements about a property, entity by entity.
    func modelled(_ key: String, in className: String) -> [ModelledProperty] {
        modelled[className]?[key] ?? []
    }

    /// The class of the nearest superentity that has another, if it is one of the module.
    func superclass(of className: String) -> String? { superclasses[className] }

    /// The class's name from the module on, without it. Nil for a class of another module or none.
    package static func className(_ entity: EntitySchema, moduleName: String) -> String? {
        guard let name = entity.className, !name.isEmpty, name != "NSManagedObject" else { return nil }
        if name.hasPrefix(".") { return String(name.dropFirst()) }
        if name.hasPrefix(moduleName + ".") { return String(name.dropFirst(moduleName.count + 1)) }
        if let module = entity.classModule, !module.isEmpty, module != ".", module != moduleName {
            return nil
        }
        return name.contains(".") ? nil : name
    }
}
