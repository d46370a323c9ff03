// Which places the accessors of each class carry: those of the entities that have the class.

package import CoreDataSchema

/// The places of properties by class, from the models of a target.
package struct ClassPlaces: Sendable {
    private var places: [String: [String: PropertyPlace]] = [:]
    private var disputed: [String: Set<String>] = [:]

    /// Classes of other modules are left out. Where two entities with one class have a property at different places,
    /// it has none.
    package init(_ models: [ModelSchema] = [], moduleName: String) {
        for model in models {
            let index = ModelIndex(model)
            for name in index.entityNames {
                guard let entity = index.entity(name),
                    let className = Self.className(entity.schema, moduleName: moduleName)
                else { continue }
                add(PropertyPlace.all(of: entity, in: index), entity, to: className)
            }
        }
    }

    private mutating func add(
        _ found: [String: PropertyPlace], _ entity: ModelIndex.Entity, to className: String
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

    /// Whether a model has an entity with the class.
    package func knows(_ className: String) -> Bool { keys[className] != nil }

    package func place(of key: String, in className: String) -> PropertyPlace? {
        disputed[className]?.contains(key) == true ? nil : places[className]?[key]
    }

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
