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
        let person = NSEntityDescription("Person")
        let pet = NSEntityDescription("Pet")
        let portrait = NSAttributeDescription("portrait", .binaryData)
        portrait.allowsExternalBinaryDataStorage = true
        person.properties = [
            NSAttributeDescription("name", .string), NSAttributeDescription("age", age), portrait,
        ]
        pet.properties = [NSAttributeDescription("name", .string)]
        person.uniquenessConstraints = [["name"]]
        let pets = NSRelationshipDescription("pets", to: pet, .ordered)
        let owner = NSRelationshipDescription("owner", to: person, .one)
        (pets.inverseRelationship, owner.inverseRelationship) = (owner, pets)
        let group = NSEntityDescription("Group")
        let groups = NSRelationshipDescription("groups", to: group, .many)
        group.properties = [NSAttributeDescription("title", .string)]
        let members = NSRelationshipDescription("members", to: person, .many)
        (groups.inverseRelationship, members.inverseRelationship) = (members, groups)
        person.properties += [pets, groups]
        pet.properties += [owner]
        group.properties += [members]
        let model = NSManagedObjectModel()
        model.entities = [person, pet, group]
        model.setEntities([person, pet, group], forConfigurationName: "All")
        return model
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
