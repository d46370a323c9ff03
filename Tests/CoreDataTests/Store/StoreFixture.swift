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
        let url = try kind.description(folder).url
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
        let person = NSEntityDescription(
            "Person",
            NSAttributeDescription.all(
                ("name", .stringAttributeType), ("age", .integer16AttributeType),
                ("height", .doubleAttributeType),
                ("salary", .decimalAttributeType), ("born", .dateAttributeType),
                ("active", .booleanAttributeType), ("uuid", .UUIDAttributeType), ("site", .URIAttributeType),
                ("photo", .binaryDataAttributeType), ("tags", .transformableAttributeType),
                ("score", .integer64AttributeType)))
        let employee = NSEntityDescription(
            "Employee", NSAttributeDescription.all(("title", .stringAttributeType)))
        person.subentities = [employee]
        let department = NSEntityDescription(
            "Department",
            NSAttributeDescription.all(("name", .stringAttributeType), ("budget", .integer64AttributeType)))
        department.uniquenessConstraints = [["name"]]
        let project = NSEntityDescription(
            "Project", NSAttributeDescription.all(("name", .stringAttributeType)))
        let note = NSEntityDescription("Note", NSAttributeDescription.all(("text", .stringAttributeType)))
        NSRelationshipDescription.connect(person, "department", .one, department, "members", .many)
        NSRelationshipDescription.connect(person, "boss", .one, person, "reports", .many)
        NSRelationshipDescription.connect(person, "projects", .many, project, "people", .many)
        NSRelationshipDescription.connect(project, "department", .one, department, "projects", .ordered)
        let friends = NSRelationshipDescription("friends", to: person, .many)
        friends.inverseRelationship = friends
        person.properties.append(friends)
        person.properties.append(NSRelationshipDescription("notes", to: note, .many))
        let model = NSManagedObjectModel()
        model.entities = [person, employee, department, project, note]
        return model
    }
}
