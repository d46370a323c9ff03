// Companies with their people: the model, the classes and the values of workloads W3 to W7.

import CoreData
import Foundation

final class Company: NSManagedObject {
    var name: String? {
        get { self[ManagedAttribute("name", word: 1, index: 0)] }
        set { self[ManagedAttribute("name", word: 1, index: 0)] = newValue }
    }
    var people: Set<Person> {
        get { self[ManagedRelationship("people", number: 1)] }
        set { self[ManagedRelationship("people", number: 1)] = newValue }
    }
}

final class Company__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        keys.attribute("name", word: 1, index: 0, of: String?.self)
        keys.relationship("people", number: 1)
    }
}

final class Person: NSManagedObject {
    var active: Bool {
        get { self[ManagedAttribute("active", word: 1, index: 0)] }
        set { self[ManagedAttribute("active", word: 1, index: 0)] = newValue }
    }
    var age: Int32 {
        get { self[ManagedAttribute("age", word: 2, index: 1)] }
        set { self[ManagedAttribute("age", word: 2, index: 1)] = newValue }
    }
    var born: Date? {
        get { self[ManagedAttribute("born", word: 3, index: 2)] }
        set { self[ManagedAttribute("born", word: 3, index: 2)] = newValue }
    }
    var company: Company? {
        get { self[ManagedRelationship("company", number: 3)] }
        set { self[ManagedRelationship("company", number: 3)] = newValue }
    }
    var email: String? {
        get { self[ManagedAttribute("email", word: 5, index: 4)] }
        set { self[ManagedAttribute("email", word: 5, index: 4)] = newValue }
    }
    var name: String? {
        get { self[ManagedAttribute("name", word: 6, index: 5)] }
        set { self[ManagedAttribute("name", word: 6, index: 5)] = newValue }
    }
    var salary: Double {
        get { self[ManagedAttribute("salary", word: 7, index: 6)] }
        set { self[ManagedAttribute("salary", word: 7, index: 6)] = newValue }
    }
}

final class Person__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        keys.attribute("active", word: 1, index: 0, of: Bool.self)
        keys.attribute("age", word: 2, index: 1, of: Int32.self)
        keys.attribute("born", word: 3, index: 2, of: Date?.self)
        keys.relationship("company", number: 3)
        keys.attribute("email", word: 5, index: 4, of: String?.self)
        keys.attribute("name", word: 6, index: 5, of: String?.self)
        keys.attribute("salary", word: 7, index: 6, of: Double.self)
    }
}

/// The values that every contestant stores.
struct Staff {
    static let companyCount = Scale.rows(1_000)
    static let peopleCount = Scale.rows(20_000)

    let name: String
    let email: String
    let age: Int32
    let salary: Double
    let born: Date
    let active: Bool
    /// Number of the company, from 0.
    let company: Int

    /// The same people in every run, in no order by any property.
    static let people: [Staff] = (0..<peopleCount).map { row in
        let mixed = UInt32(truncatingIfNeeded: row &* 2_654_435_761)
        return Staff(
            name: "n\(10_000_000 + Int(mixed % 90_000_000))", email: "user\(10_000 + row)@mail.test",
            age: Int32(18 + mixed % 63), salary: 1_000 + Double(mixed % 5_000),
            born: Date(timeIntervalSinceReferenceDate: Double(mixed % 1_000_000)), active: mixed % 2 == 0,
            company: Int(mixed >> 8) % companyCount)
    }

    static func companyName(_ number: Int) -> String { "Company no. \(1_000 + number)" }

    // MARK: The framework's side

    static func model() -> NSManagedObjectModel {
        let company = entity("Company", [("name", .stringAttributeType)])
        let person = entity(
            "Person",
            [
                ("active", .booleanAttributeType), ("age", .integer32AttributeType),
                ("born", .dateAttributeType), ("email", .stringAttributeType),
                ("name", .stringAttributeType), ("salary", .doubleAttributeType),
            ])
        let (employer, people) = (NSRelationshipDescription(), NSRelationshipDescription())
        (employer.name, employer.destinationEntity, employer.maxCount) = ("company", company, 1)
        (people.name, people.destinationEntity) = ("people", person)
        (employer.inverseRelationship, people.inverseRelationship) = (people, employer)
        company.properties.append(people)
        person.properties.append(employer)
        let age = NSFetchIndexElementDescription(
            property: person.properties[1], collationType: .binary)
        person.indexes = [NSFetchIndexDescription(name: "byAge", elements: [age])]
        let model = NSManagedObjectModel()
        model.entities = [company, person]
        return model
    }

    private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)])
        -> NSEntityDescription
    {
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = (name, "Benchmarks." + name)
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        return entity
    }

    /// Makes and saves everybody.
    static func insert(into context: NSManagedObjectContext) throws {
        var companies: [Company] = []
        for number in 0..<companyCount {
            let company = Company(context: context)
            company.name = companyName(number)
            companies.append(company)
        }
        for values in people {
            let person = Person(context: context)
            person.name = values.name
            person.email = values.email
            person.age = values.age
            person.salary = values.salary
            person.born = values.born
            person.active = values.active
            person.company = companies[values.company]
        }
        try context.save()
    }

    static func allPeople(_ context: NSManagedObjectContext) throws -> [Person] {
        try context.fetch(NSFetchRequest<Person>(entityName: "Person"))
    }

    // MARK: Files

    /// A store with everybody, in one file.
    static func store(in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent("Staff.sqlite")
        if FileManager.default.fileExists(atPath: url.path) { return url }
        try insert(into: try Stack.context(model(), url))
        let database = try RawSQLite(path: url.path)
        database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return url
    }

    /// Does something with a copy of the store, which it may change.
    static func withCopy<Result>(of store: URL, _ work: (URL) throws -> Result) throws -> Result {
        let copy = Files.fresh(store.deletingLastPathComponent())
        try FileManager.default.copyItem(at: store, to: copy)
        defer { Files.remove(copy) }
        return try work(copy)
    }
}
