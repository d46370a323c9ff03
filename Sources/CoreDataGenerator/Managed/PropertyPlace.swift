// The places at which accessors find the properties of an entity's objects: the constants
// that generated code carries.

package import CoreDataSchema

/// The place of a property in objects' rows or among an entity's properties.
package enum PropertyPlace: Hashable, Sendable {
    case attribute(word: Int, index: Int)
    /// Also a fetched property.
    case relationship(number: Int)
}

extension PropertyPlace {
    /// The places of an entity's properties, inherited ones too, by name. Composite attributes have none: they are
    /// found by key.
    package static func all(of entity: ModelIndex.Entity, in index: ModelIndex) -> [String: PropertyPlace] {
        let layout = RowLayout(entity: entity, in: index)
        var places: [String: PropertyPlace] = [:]
        for (number, property) in entity.propertiesInUse.enumerated() {
            switch property.kind {
            case .attribute:
                guard let slot = layout.slot(named: property.name) else { continue }
                places[property.name] = .attribute(word: slot.word, index: slot.index)
            case .relationship, .fetched: places[property.name] = .relationship(number: number)
            }
        }
        return places
    }
}

extension ModelIndex.Entity {
    /// The properties in the order in which a model in use numbers them: superentities' first, each entity's own by
    /// name.
    fileprivate var propertiesInUse: [PropertySchema] {
        ancestry.reversed().flatMap { ancestor in
            properties.filter { declaringEntity[$0.name] == ancestor }.sorted { $0.name < $1.name }
        }
    }
}
