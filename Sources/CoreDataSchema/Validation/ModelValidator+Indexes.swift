// Uniqueness constraints and indexes.

extension ModelValidator {
    mutating func checkConstraints(of entity: EntitySchema) {
        let known = index.entity(entity.name)
        for constraint in entity.uniquenessConstraints {
            if constraint.isEmpty { add(.error, message: "a uniqueness constraint is empty", entity: entity) }
            if Set(constraint).count != constraint.count {
                add(.error, message: "a uniqueness constraint names an attribute twice", entity: entity)
            }
            for name in constraint {
                guard let property = known?.property(at: name) else {
                    add(
                        .error,
                        message:
                            "a uniqueness constraint names the attribute \"\(name)\", which does not exist",
                        entity: entity)
                    continue
                }
                let base = known?.propertiesByName[String(name.prefix { $0 != "." })] ?? property
                if property.relationship?.isToMany == true || base.isTransient
                    || property.attribute?.type == .composite
                {
                    add(
                        .error, message: "\"\(name)\" can't be part of a uniqueness constraint",
                        entity: entity, property: name)
                }
            }
        }
    }

    mutating func checkIndexes(of entity: EntitySchema) {
        let known = index.entity(entity.name)
        var seen: Set<String> = []
        for fetchIndex in entity.indexes {
            if !seen.insert(fetchIndex.name).inserted {
                add(.error, message: "two fetch indexes are named \"\(fetchIndex.name)\"", entity: entity)
            }
            if let obstacle = known.flatMap({ fetchIndex.obstacle(in: $0) }) {
                add(
                    .warning,
                    message: "fetch index \"\(fetchIndex.name)\" is left out of stores: \(obstacle)",
                    entity: entity)
            }
            for element in fetchIndex.elements {
                guard case .property(let name) = element.subject else { continue }
                if known?.property(at: name) == nil && !["self", "entity"].contains(name) {
                    add(
                        .error,
                        message: "fetch index \"\(fetchIndex.name)\" names \"\(name)\", which does not exist",
                        entity: entity)
                }
            }
        }
        for compound in entity.compoundIndexes {
            for name in compound where known?.property(at: name) == nil {
                add(
                    .error, message: "a compound index names \"\(name)\", which does not exist",
                    entity: entity)
            }
        }
    }
}
