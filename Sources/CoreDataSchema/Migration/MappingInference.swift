// Infers what becomes of each entity and property when a store goes from one version of a model to another, by
// the documented rules of lightweight migration.

import CoreDataSupport

/// Compares two versions of a model. Pure: knows nothing of stores.
package struct MappingInference {
    let source: ModelIndex
    let destination: ModelIndex
    /// Older names by newer ones, and back.
    let sources: [String: String]
    let destinations: [String: String]

    private init(_ source: ModelIndex, destination: ModelIndex) {
        self.source = source
        self.destination = destination
        sources = RenamingMatch.sources(
            of: destination.entityNames.compactMap { destination.entity($0)?.schema.renamedName },
            in: source.entityNames.compactMap { source.entity($0)?.schema.renamedName })
        destinations = Dictionary(
            sources.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// All that differs. Throws where no migration can be inferred.
    package static func difference(
        from source: ModelIndex, to destination: ModelIndex
    ) throws(InferenceRefusal) -> SchemaDifference {
        let inference = MappingInference(source, destination: destination)
        try inference.checkRoots()
        var difference = SchemaDifference(
            added: destination.entityNames.filter { inference.sources[$0] == nil },
            removed: source.entityNames.filter { inference.destinations[$0] == nil })
        for name in destination.entityNames {
            guard let older = inference.sources[name].flatMap(source.entity),
                let newer = destination.entity(name)
            else { continue }
            let pair = try inference.pair(older, newer: newer)
            difference.pairs.append(pair)
            difference.neededValues += inference.neededValues(pair, older: older, newer: newer)
        }
        return difference
    }

    /// All that differs. Throws where no migration can be inferred.
    package static func difference(
        from source: ModelSchema, to destination: ModelSchema
    ) throws(InferenceRefusal) -> SchemaDifference {
        try difference(from: ModelIndex(source), to: ModelIndex(destination))
    }

    /// Entities that have no common parent in the older version can't have one in the newer.
    private func checkRoots() throws(InferenceRefusal) {
        var roots: [String: Set<String>] = [:]
        for name in destination.entityNames {
            guard let root = destination.entity(name)?.rootName,
                let former = sources[name].flatMap({ source.entity($0)?.rootName })
            else { continue }
            roots[root, default: []].insert(former)
        }
        for (root, former) in roots.sorted(by: { $0.key < $1.key }) where former.count > 1 {
            throw InferenceRefusal(
                .mergedRoots(sources: former.sorted(), destination: root), entity: root)
        }
    }

    private func pair(
        _ older: ModelIndex.Entity, newer: ModelIndex.Entity
    ) throws(InferenceRefusal) -> EntityPair {
        var pair = EntityPair(
            source: older.name, destination: newer.name, changes: changes(older, newer: newer))
        for kind in [PropertyPair.Kind.attribute, .relationship, .fetched] {
            let olds = older.properties.filter { $0.pairKind == kind }
            let news = newer.properties.filter { $0.pairKind == kind }
            let matches = RenamingMatch.sources(of: news.map(\.renamedName), in: olds.map(\.renamedName))
            for property in news {
                guard let name = matches[property.name], let former = older.propertiesByName[name] else {
                    continue
                }
                guard try mayStay(former, property: property, of: newer) else {
                    pair.emptied +=
                        former.relationship.map {
                            [
                                EmptiedRelationship(
                                    source: name, destination: property.name,
                                    formerEntity: $0.destinationEntityName)
                            ]
                        } ?? []
                    continue
                }
                pair.properties.append(
                    PropertyPair(
                        source: name, destination: property.name, kind: kind,
                        changes: changes(former, of: older, property: property, of: newer)))
            }
        }
        pair.properties.sort { $0.destination < $1.destination }
        let kept = Set(pair.properties.map(\.destination))
        let used = Set(pair.properties.map(\.source))
        pair.added = newer.properties.map(\.name).filter { !kept.contains($0) }.sorted()
        pair.removed = older.properties.map(\.name).filter { !used.contains($0) }.sorted()
        return pair
    }

    private func neededValues(
        _ pair: EntityPair, older: ModelIndex.Entity, newer: ModelIndex.Entity
    ) -> [NeededValue] {
        if newer.schema.isAbstract { return [] }
        return newer.properties.sorted { $0.name < $1.name }.compactMap { property in
            guard let traits = property.attribute, !property.isOptional, !property.isTransient,
                traits.defaultValue == .null, traits.derivation == nil, traits.type != .composite
            else { return nil }
            let former = pair.property(destination: property.name)
                .flatMap { older.propertiesByName[$0.source] }
            if let former, !former.isOptional, !former.isTransient { return nil }
            return NeededValue(entity: newer.name, attribute: property.name)
        }
    }
}

extension EntitySchema {
    fileprivate var renamedName: RenamedName {
        RenamedName(name: name, renamingIdentifier: renamingIdentifier)
    }
}

extension PropertySchema {
    fileprivate var renamedName: RenamedName {
        RenamedName(name: name, renamingIdentifier: renamingIdentifier)
    }

    fileprivate var pairKind: PropertyPair.Kind {
        switch kind {
        case .attribute: .attribute
        case .relationship: .relationship
        case .fetched: .fetched
        }
    }
}
