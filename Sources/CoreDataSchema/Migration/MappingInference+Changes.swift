// The changes of an entity or a property that both versions have, and the check that they are allowed.

extension MappingInference {
    func changes(_ older: ModelIndex.Entity, newer: ModelIndex.Entity) -> [EntityChange] {
        var changes: [EntityChange] = []
        if older.name != newer.name { changes.append(.renamed) }
        if older.schema.isAbstract != newer.schema.isAbstract {
            changes.append(.isAbstract(newer.schema.isAbstract))
        }
        let parents = (older.schema.superentityName, newer.schema.superentityName)
        if parents.0.flatMap({ destinations[$0] }) != parents.1 || (parents.0 == nil) != (parents.1 == nil) {
            changes.append(.superentity(from: parents.0, to: parents.1))
        }
        if older.schema.uniquenessConstraints != newer.schema.uniquenessConstraints {
            changes.append(.uniquenessConstraints)
        }
        if older.schema.indexes != newer.schema.indexes
            || older.schema.compoundIndexes != newer.schema.compoundIndexes
            || Set(older.properties.filter(\.isIndexed).map(\.name))
                != Set(newer.properties.filter(\.isIndexed).map(\.name))
        {
            changes.append(.indexes)
        }
        if older.schema.className != newer.schema.className { changes.append(.className) }
        if older.schema.versionHashModifier != newer.schema.versionHashModifier {
            changes.append(.versionHashModifier)
        }
        return changes
    }

    /// Returns whether a property's values stay with it. False where there is nothing that could; throws
    /// where the rules forbid the change.
    func mayStay(
        _ former: PropertySchema, property: PropertySchema, of newer: ModelIndex.Entity
    ) throws(InferenceRefusal) -> Bool {
        switch (former.kind, property.kind) {
        case (.attribute(let old), .attribute(let new)):
            if former.isTransient || property.isTransient { return true }
            try requireFittingType(old, new: new, property: property.name, of: newer)
            return true
        case (.relationship(let old), .relationship(let new)):
            if former.isTransient || property.isTransient { return true }
            // The rows that it led to go, and with them what it held.
            guard let target = destinations[old.destinationEntityName] else { return false }
            let isRelated =
                destination.entity(target, isKindOf: new.destinationEntityName)
                || destination.entity(new.destinationEntityName, isKindOf: target)
            if isRelated { return true }
            throw InferenceRefusal(
                .relationshipDestination(from: old.destinationEntityName, to: new.destinationEntityName),
                entity: newer.name, property: property.name)
        default: return true
        }
    }

    /// The same type, or one to which its numbers can be converted.
    private func requireFittingType(
        _ old: AttributeTraits, new: AttributeTraits, property: String, of newer: ModelIndex.Entity
    ) throws(InferenceRefusal) {
        var pending = [(old, new, property)]
        while let (old, new, path) = pending.popLast() {
            if old.type != new.type, NumericConversion(from: old.type, to: new.type) == nil {
                throw InferenceRefusal(
                    .attributeType(from: old.type, to: new.type), entity: newer.name, property: path)
            }
            let sources = new.elementSources(in: old)
            for element in new.elements {
                let former = old.elements.first { $0.name == sources[element.name] }
                guard let former = former?.attribute, let traits = element.attribute else { continue }
                pending.append((former, traits, path + "." + element.name))
            }
        }
    }

    func changes(
        _ former: PropertySchema, of older: ModelIndex.Entity, property: PropertySchema,
        of newer: ModelIndex.Entity
    ) -> [PropertyChange] {
        var changes: [PropertyChange] = []
        if former.name != property.name { changes.append(.renamed) }
        if let from = older.declaringEntity[former.name], let to = newer.declaringEntity[property.name],
            destinations[from] != to
        {
            changes.append(.moved(from: from, to: to))
        }
        if former.isOptional != property.isOptional { changes.append(.isOptional(property.isOptional)) }
        if former.isTransient != property.isTransient { changes.append(.isTransient(property.isTransient)) }
        if former.validation != property.validation { changes.append(.validation) }
        if former.versionHashModifier != property.versionHashModifier { changes.append(.versionHashModifier) }
        switch (former.kind, property.kind) {
        case (.attribute(let old), .attribute(let new)): changes += self.changes(old, new: new)
        case (.relationship(let old), .relationship(let new)): changes += self.changes(old, new: new)
        case (.fetched(let old), .fetched(let new)): if old != new { changes.append(.request) }
        default: break
        }
        return changes
    }

    private func changes(_ old: AttributeTraits, new: AttributeTraits) -> [PropertyChange] {
        var changes: [PropertyChange] = []
        if old.type != new.type { changes.append(.attributeType(from: old.type, to: new.type)) }
        if old.defaultValue != new.defaultValue { changes.append(.defaultValue) }
        if old.allowsExternalBinaryDataStorage != new.allowsExternalBinaryDataStorage {
            changes.append(.externalStorage(new.allowsExternalBinaryDataStorage))
        }
        if old.preservesValueInHistoryOnDeletion != new.preservesValueInHistoryOnDeletion {
            changes.append(.preservesValueInHistory(new.preservesValueInHistoryOnDeletion))
        }
        if old.valueTransformerName != new.valueTransformerName { changes.append(.valueTransformer) }
        if old.derivation != new.derivation { changes.append(.derivation) }
        if !isSame(old.elements, as: new.elements) { changes.append(.elements) }
        return changes
    }

    /// A compiled model, as a store keeps one, has other elements than its source by `==`: scalar types are only in the source.
    private func isSame(_ old: [PropertySchema], as new: [PropertySchema]) -> Bool {
        func ordered(_ elements: [PropertySchema]) -> [PropertySchema] {
            elements.sorted { $0.name < $1.name }
        }
        return old.count == new.count
            && zip(ordered(old), ordered(new)).allSatisfy { old, new in
                guard let former = old.attribute, let traits = new.attribute else { return old == new }
                return old.name == new.name && old.isOptional == new.isOptional
                    && old.validation == new.validation && old.versionHashModifier == new.versionHashModifier
                    && changes(former, new: traits).isEmpty
            }
    }

    private func changes(_ old: RelationshipTraits, new: RelationshipTraits) -> [PropertyChange] {
        var changes: [PropertyChange] = []
        if old.isToMany != new.isToMany { changes.append(.isToMany(new.isToMany)) }
        if old.isOrdered != new.isOrdered { changes.append(.isOrdered(new.isOrdered)) }
        if (old.minCount, old.maxCount) != (new.minCount, new.maxCount) { changes.append(.counts) }
        if old.deleteRule != new.deleteRule { changes.append(.deleteRule) }
        if destinations[old.destinationEntityName] != new.destinationEntityName {
            changes.append(
                .destination(from: old.destinationEntityName, to: new.destinationEntityName))
        }
        if inverse(of: old) != new.inverseName {
            changes.append(.inverse(from: old.inverseName, to: new.inverseName))
        }
        return changes
    }

    /// Returns the present name of an older relationship's inverse.
    private func inverse(of old: RelationshipTraits) -> String? {
        guard let name = old.inverseName, let older = source.entity(old.destinationEntityName),
            let newer = destinations[older.name].flatMap(destination.entity)
        else { return nil }
        return relationshipSources(newer, older: older).first { $0.value == name }?.key
    }

    private func relationshipSources(
        _ newer: ModelIndex.Entity, older: ModelIndex.Entity
    ) -> [String: String] {
        func names(_ entity: ModelIndex.Entity) -> [RenamedName] {
            entity.properties.filter { $0.relationship != nil }
                .map { RenamedName(name: $0.name, renamingIdentifier: $0.renamingIdentifier) }
        }
        return RenamingMatch.sources(of: names(newer), in: names(older))
    }
}
