// The entities of a model and its configurations.

import CoreDataSupport
import Foundation

extension NSManagedObjectModel {
    /// All entities of the model. Setting them makes them belong to this model; entities that inherit must be listed
    /// too.
    public var entities: [NSEntityDescription] {
        get { allEntities }
        set {
            assertMutable()
            for entity in newValue { entity.assertMutable() }
            for entity in allEntities where entity.owningModel === self { entity.owningModel = nil }
            allEntities = newValue
            for entity in newValue { entity.owningModel = self }
            let kept = Set(newValue.map { ObjectIdentifier($0) })
            configurationList = configurationList.map { configuration in
                (configuration.name, configuration.entities.filter { kept.contains(ObjectIdentifier($0)) })
            }
        }
    }

    /// All entities, each under its name.
    public var entitiesByName: [String: NSEntityDescription] {
        if let frozen { return frozen.entitiesByName }
        var byName: [String: NSEntityDescription] = [:]
        for entity in allEntities { entity.name.map { byName[$0] = entity } }
        return byName
    }

    /// The names of the configurations.
    public var configurations: [String] { configurationList.map(\.name) }

    /// Returns the entities of a configuration; all entities for `nil`; `nil` for a name that the model
    /// doesn't know.
    public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return allEntities }
        return configurationList.first { $0.name == configuration }?.entities
    }

    /// Makes a configuration, or changes one. The entities must be the model's.
    ///
    /// - Parameters:
    ///   - entities: entities of this model.
    ///   - configuration: the configuration's name.
    public func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        assertMutable()
        for entity in entities where !allEntities.contains(where: { $0 === entity }) {
            raise(
                .invalidArgument,
                "The entity \"\(entity.name ?? "")\" of \"\(configuration)\" isn't in the model."
            )
        }
        if let place = configurationList.firstIndex(where: { $0.name == configuration }) {
            configurationList[place].entities = entities
        } else {
            configurationList.append((configuration, entities))
        }
    }

    /// Apple's name for the configuration of all entities, which nobody sets.
    static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"
}
