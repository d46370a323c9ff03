// The one model that tests of objects and contexts share: companies, people, projects and notes.

import CoreData
import CoreDataTestSupport

/// Builds the model anew for each stack, so that tests don't share runtimes.
enum CompanyModel {
    static func make() -> NSManagedObjectModel {
        let company = entity(
            "Company",
            [
                attribute("name", .stringAttributeType, optional: false),
                attribute("founded", .dateAttributeType),
                attribute("budget", .decimalAttributeType),
            ])
        let person = entity(
            "Person",
            [
                attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType),
                attribute("height", .doubleAttributeType), attribute("isActive", .booleanAttributeType),
                attribute("badge", .UUIDAttributeType), attribute("home", .URIAttributeType),
                attribute("photo", .binaryDataAttributeType), attribute("rating", .floatAttributeType),
                attribute("visits", .integer64AttributeType), attribute("level", .integer32AttributeType),
                attribute("tags", .transformableAttributeType), attribute("scratch", .stringAttributeType),
            ])
        // Required and transient: missing in every object that was fetched, and no reason to refuse its changes.
        person.attributesByName["scratch"]?.isTransient = true
        person.attributesByName["scratch"]?.isOptional = false
        person.attributesByName["scratch"]?.defaultValue = "new"
        person.attributesByName["visits"]?.defaultValue = 7
        let employee = entity("Employee", [attribute("salary", .integer32AttributeType)])
        let project = entity("Project", [attribute("title", .stringAttributeType)])
        let note = entity("Note", [attribute("text", .stringAttributeType)])
        person.subentities = [employee]
        person.managedObjectClassName = "CoreDataTests.Person"
        relate(company, "people", many: true, person, "company", many: false, rule: .nullifyDeleteRule)
        relate(employee, "reports", many: true, employee, "manager", many: false, rule: .nullifyDeleteRule)
        relate(person, "projects", many: true, project, "members", many: true, rule: .nullifyDeleteRule)
        relate(
            person, "notes", many: true, note, "author", many: false, rule: .cascadeDeleteRule, ordered: true)
        relate(person, "spouse", many: false, person, "spouseOf", many: false, rule: .nullifyDeleteRule)
        let model = NSManagedObjectModel()
        model.entities = [company, person, employee, project, note]
        return model
    }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        return attribute
    }

    private static func relate(
        _ source: NSEntityDescription, _ name: String, many: Bool, _ target: NSEntityDescription,
        _ inverseName: String, many inverseMany: Bool, rule: NSDeleteRule, ordered: Bool = false
    ) {
        let forward = NSRelationshipDescription()
        let backward = NSRelationshipDescription()
        forward.name = name
        backward.name = inverseName
        forward.destinationEntity = target
        backward.destinationEntity = source
        forward.inverseRelationship = backward
        backward.inverseRelationship = forward
        forward.maxCount = many ? 0 : 1
        backward.maxCount = inverseMany ? 0 : 1
        forward.deleteRule = rule
        forward.isOrdered = ordered
        backward.deleteRule = .nullifyDeleteRule
        for relationship in [forward, backward] { relationship.isOptional = true }
        source.properties += [forward]
        target.properties += [backward]
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
        url = folder.file("Company.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url, options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
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
