// The part of a model that source models have a place for.

package import CoreDataSchema
import CoreDataSupport

/// A model without what a source can't state, for those who would rather have the rest than an error.
package struct SourceSubset {
    package private(set) var model: ModelSchema
    /// The omissions, one sentence each, with entity and property.
    package private(set) var remarks: [String] = []

    package init(_ model: ModelSchema) {
        self.model = model
        if Self.obstacle(model) == nil { return }
        if model.versionIdentifiers.count > 1 {
            self.model.versionIdentifiers = [model.versionIdentifiers.joined(separator: ", ")]
            remarks.append("a source model can't state several version identifiers; they are one text now")
        }
        for number in model.entities.indices {
            let entity = model.entities[number]
            self.model.entities[number].properties = entity.properties.map { stated($0, entity: entity.name) }
            self.model.entities[number].userInfo = texts(entity.userInfo, place: entity.name)
        }
        for number in model.fetchTemplates.indices {
            let template = model.fetchTemplates[number]
            guard let reason = Self.obstacle(ModelSchema(fetchTemplates: [template])) else { continue }
            self.model.fetchTemplates[number].request.leaveOutUnstated()
            leftOut(template.name, reason: reason)
        }
    }

    private mutating func stated(_ property: PropertySchema, entity: String) -> PropertySchema {
        let place = "\(entity).\(property.name)"
        var property = property
        property.userInfo = texts(property.userInfo, place: place)
        guard let reason = Self.obstacle(property) else { return property }
        leftOut(place, reason: reason)
        switch property.kind {
        case .attribute(var traits):
            traits.defaultValue = .null
            traits.elements = traits.elements.map { stated($0, entity: place) }
            property.kind = .attribute(traits)
        case .fetched(var request):
            request.leaveOutUnstated()
            property.kind = .fetched(request)
        case .relationship: break
        }
        // Rules last: they are a part of the version hash.
        if Self.obstacle(property) != nil { property.validation = [] }
        return property
    }

    private mutating func texts(_ pairs: [Value: Value], place: String) -> [Value: Value] {
        let texts = pairs.filter { key, value in
            if case .string = key, case .string = value { true } else { false }
        }
        if texts.count < pairs.count {
            leftOut(place, reason: "a source model's user info can hold text only")
        }
        return texts
    }

    private mutating func leftOut(_ place: String, reason: String) {
        remarks.append("\(place): \(reason); it is left out")
    }

    private static func obstacle(_ property: PropertySchema) -> String? {
        obstacle(ModelSchema(entities: [EntitySchema(name: "E", properties: [property])]))
    }

    /// The reason why a model can't be stated.
    private static func obstacle(_ model: ModelSchema) -> String? {
        do {
            _ = try ModelSourceWriter.tree(of: model)
            return nil
        } catch {
            return (error as? ModelFileError)?.reason ?? "\(error)"
        }
    }
}

extension FetchRequestSchema {
    fileprivate mutating func leaveOutUnstated() {
        (sortKeys, propertiesToFetch, propertiesToGroupBy) = ([], [], [])
        (havingPredicate, relationshipKeyPathsForPrefetching, fetchOffset) = (nil, [], 0)
    }
}
