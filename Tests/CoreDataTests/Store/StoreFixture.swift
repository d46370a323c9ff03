// A model and its objects in stores of every kind.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A coordinator with one store, and a context.
final class StoreFixture {
    let folder: TemporaryFolder
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(_ kind: StoreKind, model: NSManagedObjectModel = StoreFixture.model()) throws {
        StoreKind.register()
        folder = try TemporaryFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = kind == .inMemory ? nil : folder.url.appendingPathComponent("store")
        store = try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Another context over the same store: what it sees has been saved.
    func otherContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any]) throws -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    // MARK: Model

    static func model() -> NSManagedObjectModel {
        let person = entity(
            "Person",
            [
                ("name", .stringAttributeType), ("age", .integer16AttributeType),
                ("height", .doubleAttributeType),
                ("salary", .decimalAttributeType), ("born", .dateAttributeType),
                ("active", .booleanAttributeType), ("uuid", .UUIDAttributeType), ("site", .URIAttributeType),
                ("photo", .binaryDataAttributeType), ("tags", .transformableAttributeType),
                ("score", .integer64AttributeType),
            ])
        let employee = entity("Employee", [("title", .stringAttributeType)])
        person.subentities = [employee]
        let department = entity(
            "Department", [("name", .stringAttributeType), ("budget", .integer64AttributeType)])
        department.uniquenessConstraints = [["name"]]
        let project = entity("Project", [("name", .stringAttributeType)])
        let note = entity("Note", [("text", .stringAttributeType)])
        connect(person, "department", department, "members", (1, 0))
        connect(person, "boss", person, "reports", (1, 0))
        connect(person, "projects", project, "people", (0, 0))
        connect(project, "department", department, "projects", (1, 0), orderedInverse: true)
        let friends = relationship("friends", to: person, 0)
        friends.inverseRelationship = friends
        person.properties.append(friends)
        person.properties.append(relationship("notes", to: note, 0))
        let model = NSManagedObjectModel()
        model.entities = [person, employee, department, project, note]
        return model
    }

    private static func entity(
        _ name: String, _ attributes: [(String, NSAttributeType)]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        return entity
    }

    private static func relationship(
        _ name: String, to entity: NSEntityDescription, _ maxCount: Int
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.maxCount = maxCount
        relationship.isOptional = true
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    private static func connect(
        _ first: NSEntityDescription, _ name: String, _ second: NSEntityDescription, _ inverseName: String,
        _ maxCounts: (Int, Int), orderedInverse: Bool = false
    ) {
        let there = relationship(name, to: second, maxCounts.0)
        let back = relationship(inverseName, to: first, maxCounts.1)
        back.isOrdered = orderedInverse
        there.inverseRelationship = back
        back.inverseRelationship = there
        first.properties.append(there)
        second.properties.append(back)
    }
}
