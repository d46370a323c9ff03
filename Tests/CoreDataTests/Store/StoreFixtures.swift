// Models, stacks and real stores for the tests of stores, coordinators and containers.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

enum StoreFixtures {
    /// Real stores that keep their model.
    static let cached = SharedFiles.paths(under: "stores", suffix: ".sqlite").filter {
        !$0.contains("RestKit") && !$0.contains("MagicalRecord")
    }

    /// Stores that must be made again without a difference.
    static let rebuilt = [
        "CoreDataPlus/SampleModel_V1", "CoreDataPlus/SampleModel_V2", "CoreDataPlus/SampleModel3_V1",
        "LoopKit/Model_V1", "DuckDuckGo/Bookmarks_V1", "DuckDuckGo/Bookmarks_V2", "DuckDuckGo/Bookmarks_V3",
    ].map { "stores/\($0).sqlite" }

    /// A person has a name, which is unique, an age, a portrait, ordered pets without end, and friends.
    static func model(age: NSAttributeDescription.AttributeType = .integer32) -> NSManagedObjectModel {
        let person = entity("Person")
        let pet = entity("Pet")
        let portrait = attribute("portrait", .binaryData)
        portrait.allowsExternalBinaryDataStorage = true
        person.properties = [attribute("name", .string), attribute("age", age), portrait]
        pet.properties = [attribute("name", .string)]
        person.uniquenessConstraints = [["name"]]
        let pets = relationship("pets", to: pet, count: 0)
        let owner = relationship("owner", to: person, count: 1)
        pets.isOrdered = true
        (pets.inverseRelationship, owner.inverseRelationship) = (owner, pets)
        let group = entity("Group")
        let groups = relationship("groups", to: group, count: 0)
        group.properties = [attribute("title", .string)]
        let members = relationship("members", to: person, count: 0)
        (groups.inverseRelationship, members.inverseRelationship) = (members, groups)
        person.properties += [pets, groups]
        pet.properties += [owner]
        group.properties += [members]
        let model = NSManagedObjectModel()
        model.entities = [person, pet, group]
        model.setEntities([person, pet, group], forConfigurationName: "All")
        return model
    }

    static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        return attribute
    }

    static func relationship(
        _ name: String, to destination: NSEntityDescription, count: Int
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = count
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    /// Opens a store of a model and returns both.
    static func open(
        _ url: URL, _ model: NSManagedObjectModel = model(), options: [AnyHashable: Any]? = nil
    ) throws -> (coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        return (coordinator, store)
    }

    static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Inserts people of these names and saves.
    static func save(_ names: [String], to coordinator: NSPersistentStoreCoordinator) throws {
        let context = context(coordinator)
        var failure: (any Error)?
        context.performAndWait {
            for name in names {
                NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
                    .setValue(name, forKey: "name")
            }
            do { try context.save() } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// The bytes of a store's files.
    static func bytes(_ url: URL) -> [Data?] {
        ["", "-wal", "-shm", "-journal"].map { try? Data(contentsOf: URL(fileURLWithPath: url.path + $0)) }
    }

    /// The error that a closure throws.
    static func error(_ body: () throws -> Void) -> NSError? {
        do {
            try body()
            return nil
        } catch {
            return error as NSError
        }
    }
}
