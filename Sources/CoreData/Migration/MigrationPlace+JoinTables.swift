// The join tables of a store that a migration makes anew.

import CoreDataSQL
import CoreDataSchema
import CoreDataStores

extension MigrationPlace {
    /// The place with the choice of the older file, which nothing but that file tells: which relationship names the join
    /// table of a pair inside one entity. It goes to the relationship of the same name where there still is one.
    func keepingJoinTables(
        of older: NSPersistentStore, manager: NSMigrationManager, mapping: NSMappingModel
    ) throws -> MigrationPlace {
        guard type == NSSQLiteStoreType, let owners = try older.rowStore?.joinOwners() else {
            return self
        }
        let sources = manager.sourceModel.entitiesByName
        let destinations = manager.destinationModel.entitiesByName
        var heirs: Set<PropertyAddress> = []
        for mapping in mapping.entityMappings ?? [] {
            guard let source = mapping.sourceEntityName.flatMap({ sources[$0] }),
                let destination = mapping.destinationEntityName.flatMap({ destinations[$0] })
            else { continue }
            for owner in owners {
                guard let former = sources[owner.entity], source.isKindOf(entity: former),
                    let declaring = destination.entity(declaring: owner.property)
                else { continue }
                heirs.insert(PropertyAddress(declaring, property: owner.property))
            }
        }
        return adding([StoreOption.joinOwners: heirs])
    }
}

extension NSEntityDescription {
    /// The name of the entity from which a relationship is inherited, or of this one.
    fileprivate func entity(declaring relationship: String) -> String? {
        guard relationshipsByName[relationship] != nil else { return nil }
        return superentity?.entity(declaring: relationship) ?? name
    }
}
