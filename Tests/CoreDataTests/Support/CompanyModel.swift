// The one model that tests of objects and contexts share: companies, people, projects and notes.

import CoreData
import CoreDataTestSupport

/// Builds the model anew for each stack, so that tests don't share runtimes.
enum CompanyModel {
    static func make() -> NSManagedObjectModel {
        let company = NSEntityDescription(
            "Company",
            [
                NSAttributeDescription("name", .stringAttributeType, optional: false),
                NSAttributeDescription("founded", .dateAttributeType),
                NSAttributeDescription("budget", .decimalAttributeType),
            ])
        let person = NSEntityDescription(
            "Person",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("age", .integer16AttributeType),
                NSAttributeDescription("height", .doubleAttributeType),
                NSAttributeDescription("isActive", .booleanAttributeType),
                NSAttributeDescription("badge", .UUIDAttributeType),
                NSAttributeDescription("home", .URIAttributeType),
                NSAttributeDescription("photo", .binaryDataAttributeType),
                NSAttributeDescription("rating", .floatAttributeType),
                NSAttributeDescription("visits", .integer64AttributeType),
                NSAttributeDescription("level", .integer32AttributeType),
                NSAttributeDescription("tags", .transformableAttributeType),
                NSAttributeDescription("scratch", .stringAttributeType),
            ])
        // Required and transient: missing in every object that was fetched, and no reason to refuse its changes.
        person.attributesByName["scratch"]?.isTransient = true
        person.attributesByName["scratch"]?.isOptional = false
        person.attributesByName["scratch"]?.defaultValue = "new"
        person.attributesByName["visits"]?.defaultValue = 7
        let employee = NSEntityDescription(
            "Employee", [NSAttributeDescription("salary", .integer32AttributeType)])
        let project = NSEntityDescription("Project", [NSAttributeDescription("title", .stringAttributeType)])
        let note = NSEntityDescription("Note", [NSAttributeDescription("text", .stringAttributeType)])
        person.subentities = [employee]
        person.managedObjectClassName = "CoreDataTests.Person"
        NSRelationshipDescription.connect(company, "people", .many, person, "company", .one)
        NSRelationshipDescription.connect(employee, "reports", .many, employee, "manager", .one)
        NSRelationshipDescription.connect(person, "projects", .many, project, "members", .many)
        NSRelationshipDescription.connect(
            person, "notes", .ordered, note, "author", .one, rule: .cascadeDeleteRule)
        NSRelationshipDescription.connect(person, "spouse", .one, person, "spouseOf", .one)
        let model = NSManagedObjectModel()
        model.entities = [company, person, employee, project, note]
        return model
    }
}

/// A class of the model's, with everything that a class may state.
final class Person: NSManagedObject {
    var awakenings: [String] = []

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.getter("shout") { (person: Person) in
            (person.primitiveValue(forKey: "name") as? String)?.uppercased()
        }
        keys.validator("age") { (_: Person, value) in
            if let age = value as? Int, age < 0 { throw CocoaError(.managedObjectValidation) }
        }
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        awakenings.append("insert")
        setPrimitiveValue("new", forKey: "scratch")
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        awakenings.append("fetch")
    }
}

/// A store file with a coordinator, and contexts on it.
final class TestStack {
    let folder: TemporaryFolder
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(type: String = NSSQLiteStoreType, model: NSManagedObjectModel = CompanyModel.make()) throws {
        folder = try TemporaryFolder()
        url = try StoreKind.place(type, folder, "Company.sqlite") ?? folder.file("Company.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url, options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        // A test may hold the context alone; saves to a file that was removed fail.
        context.userInfo["folder"] = folder
    }

    /// Another context on the same stores, which knows nothing of the first one's objects.
    func another() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}

extension NSManagedObjectContext {
    /// A new object with these values.
    func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        object.setValuesForKeys(values)
        return object
    }

    /// Objects of an entity that a format finds, by name or title.
    func all(_ entity: String, _ format: String? = nil, sort: String? = nil) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try fetch(request)
    }
}

extension NSManagedObjectContext {
    /// `performAndWait` for closures that throw only inside of test macros, which type inference doesn't see.
    func run<T>(_ body: () throws -> T) throws -> T { try performAndWait(body) }
}
