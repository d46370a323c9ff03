// The entities of a model and its configurations.

import CoreDataSupport
import Foundation

extension NSManagedObjectModel {
    final func setAllEntities(_ newValue: [NSEntityDescription]) {
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

    final func configure(_ entities: [NSEntityDescription], as configuration: String) {
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
