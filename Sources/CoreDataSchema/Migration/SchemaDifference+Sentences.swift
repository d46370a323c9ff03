// The difference of two versions of a model for people to read.

extension SchemaDifference {
    /// A line for each thing that changed, entity by entity. Inherited properties are told of where they are declared.
    package func sentences(_ older: ModelIndex, newer: ModelIndex) -> [String] {
        var lines = removed.map { "- entity \($0)" } + added.map { "+ entity \($0)" }
        for pair in pairs {
            let before = older.entity(pair.source)
            let after = newer.entity(pair.destination)
            lines += pair.changes.map { "~ \(pair.destination): \($0.sentence(pair))" }
            let gone = pair.removed.filter { name in !pair.emptied.contains { $0.source == name } }
            let new = pair.added.filter { name in !pair.emptied.contains { $0.destination == name } }
            lines += gone.filter { before?.declaringEntity[$0] == pair.source }.map {
                "- \(pair.source).\($0)"
            }
            lines += new.filter { after?.declaringEntity[$0] == pair.destination }.map {
                "+ \(pair.destination).\($0)"
            }
            lines += pair.emptied.filter { after?.declaringEntity[$0.destination] == pair.destination }.map {
                "~ \(pair.destination).\($0.destination): starts empty, as its former destination \($0.formerEntity) is gone"
            }
            for property in pair.properties
            where after?.declaringEntity[property.destination] == pair.destination {
                lines += property.changes.map {
                    "~ \(pair.destination).\(property.destination): \($0.sentence(property))"
                }
            }
        }
        return lines
    }
}

extension EntityChange {
    fileprivate func sentence(_ pair: EntityPair) -> String {
        switch self {
        case .renamed: "was \(pair.source)"
        case .isAbstract(let flag): flag ? "is abstract now" : "is no longer abstract"
        case .superentity(let from, let to):
            "inherits from \(to ?? "nothing"), not from \(from ?? "nothing")"
        case .uniquenessConstraints: "other uniqueness constraints"
        case .indexes: "other indexes"
        case .className: "another class"
        case .versionHashModifier: "another version hash modifier"
        }
    }
}

extension PropertyChange {
    fileprivate func sentence(_ pair: PropertyPair) -> String {
        switch self {
        case .renamed: "was \(pair.source)"
        case .moved(let from, let to): "moved from \(from) to \(to)"
        case .isOptional(let flag): flag ? "is optional now" : "is required now"
        case .isTransient(let flag): flag ? "is transient now" : "is stored now"
        case .attributeType(let from, let to): "is \(to) now, was \(from)"
        case .defaultValue: "another default value"
        case .validation: "other validation rules"
        case .versionHashModifier: "another version hash modifier"
        case .externalStorage(let flag): flag ? "may be stored in files now" : "is stored in the database now"
        case .preservesValueInHistory(let flag):
            flag ? "is kept in tombstones now" : "is no longer kept in tombstones"
        case .valueTransformer: "another value transformer"
        case .derivation: "another derivation"
        case .elements: "other elements"
        case .isToMany(let flag):
            flag ? "is to-many now" : "is to-one now: of several members the first stays"
        case .isOrdered(let flag): flag ? "is ordered now" : "is no longer ordered"
        case .counts: "other counts"
        case .deleteRule: "another delete rule"
        case .destination(let from, let to): "leads to \(to), not to \(from)"
        case .inverse(let from, let to): "inverse \(to ?? "none"), was \(from ?? "none")"
        case .request: "another request"
        }
    }
}
