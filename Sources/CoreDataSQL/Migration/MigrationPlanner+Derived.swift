// The derived attributes that a migration computes anew.

import CoreDataSchema

extension MigrationPlanner {
    /// Returns whether the rows lack the value of a derived attribute, or have one that
    /// was derived in another way.
    func isNewDerivation(of attribute: String, in entity: String) -> Bool {
        guard let pair = difference.pair(destination: entity) else { return false }
        guard let property = pair.property(destination: attribute) else { return true }
        return property.changes.contains(.derivation) || property.changes.contains(.isTransient(false))
    }

    /// Indicates whether rows lose or change values or related rows, from which others may be derived.
    var changesDerivedValues: Bool {
        !difference.removed.isEmpty
            || difference.pairs.contains { pair in
                pair.changes.contains(where: \.movesRows) || !pair.emptied.isEmpty || losesRelationships(pair)
                    || pair.properties.contains { $0.changes.contains(where: \.changesValues) }
            }
    }

    /// A relationship whose inverse goes may be stored otherwise.
    private func losesRelationships(_ pair: EntityPair) -> Bool {
        pair.removed.contains { old.index.entity(pair.source)?.propertiesByName[$0]?.relationship != nil }
    }
}

extension EntityChange {
    fileprivate var movesRows: Bool {
        if case .superentity = self { true } else { false }
    }
}

extension PropertyChange {
    fileprivate var changesValues: Bool {
        switch self {
        case .moved, .isOptional, .isTransient, .attributeType, .valueTransformer, .elements, .isToMany,
            .isOrdered, .destination, .inverse:
            true
        case .renamed, .versionHashModifier, .derivation, .defaultValue, .validation, .externalStorage,
            .preservesValueInHistory, .counts, .deleteRule, .request:
            false
        }
    }
}
