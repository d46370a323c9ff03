// Look-ups of an entity whose model is in use, so that inheritance isn't walked again and again.

/// The answers that an entity keeps when its model is in use.
struct EntityCaches {
    let properties: [NSPropertyDescription]
    let propertiesByName: [String: NSPropertyDescription]
    let attributesByName: [String: NSAttributeDescription]
    let relationshipsByName: [String: NSRelationshipDescription]
    /// The entity itself and all that it inherits from.
    let lineage: Set<ObjectIdentifier>

    init(_ entity: NSEntityDescription) {
        properties = entity.joinedProperties()
        var byName: [String: NSPropertyDescription] = [:]
        for property in properties { byName[property.name] = property }
        propertiesByName = byName
        attributesByName = byName.compactMapValues { $0 as? NSAttributeDescription }
        relationshipsByName = byName.compactMapValues { $0 as? NSRelationshipDescription }
        lineage = Set(entity.ancestry.map { ObjectIdentifier($0) })
    }
}
