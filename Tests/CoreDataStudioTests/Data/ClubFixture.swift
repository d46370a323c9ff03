// A club and its people in a store, for tests of the studio's objects.

import CoreDataTestSupport
import CSQLite
import CoreData
import CoreDataStudio
import Foundation
import Testing

/// A store with one row of nearly every kind of property, and a studio before it.
final class Club: Sendable {
    let folder: TemporaryFolder
    let container: NSPersistentContainer
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Club.sqlite")
        container = try Self.open(url)
    }

    /// A club in another kind of store.
    init(_ description: NSPersistentStoreDescription) throws {
        folder = try TemporaryFolder()
        url = description.url ?? folder.url
        container = try Self.open(description)
    }

    /// Opens the store once more, as another program would.
    static func open(_ url: URL) throws -> NSPersistentContainer { try open(described(url)) }

    private static func described(_ url: URL) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        description.setOption(
            NSNumber(value: true), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        return description
    }

    static func open(_ description: NSPersistentStoreDescription) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Club", managedObjectModel: makeModel())
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    func browser(_ options: StudioOptions = StudioOptions()) async throws -> Browser {
        try await Browser(Studio(container: container, options: options))
    }

    /// Changes the store behind the studio's back.
    func write(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            try body(context)
            try context.save()
        }
    }

    /// Returns the rows that plain SQLite reads.
    func sql(_ statement: String) throws -> [[String?]] {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        try #require(sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        var handle: OpaquePointer?
        defer { sqlite3_finalize(handle) }
        try #require(sqlite3_prepare_v2(database, statement, -1, &handle, nil) == SQLITE_OK)
        var rows: [[String?]] = []
        while sqlite3_step(handle) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(handle)).map { column in
                    sqlite3_column_text(handle, column).map { String(cString: $0) }
                })
        }
        return rows
    }

    // MARK: The model

    private static func makeModel() -> NSManagedObjectModel {
        let team = entity(
            "Team", [attribute("name", .stringAttributeType, isOptional: false)])
        let person = entity(
            "Person",
            [
                name(), age(), attribute("born", .dateAttributeType),
                attribute("isActive", .booleanAttributeType),
                attribute("salary", .decimalAttributeType), attribute("score", .doubleAttributeType),
                attribute("uid", .UUIDAttributeType), attribute("site", .URIAttributeType),
                attribute("photo", .binaryDataAttributeType), attribute("total", .integer64AttributeType),
                attribute("tags", .transformableAttributeType),
                attribute("color", .stringAttributeType, ["studio.kind": "color"]),
                attribute("rank", .stringAttributeType, ["studio.choices": "a=First, b=Second"]),
                attribute(
                    "bio", .stringAttributeType, ["studio.kind": "longText", "studio.section": "About"]),
            ])
        let coach = entity("Coach", [attribute("licence", .stringAttributeType)])
        person.subentities = [coach]
        let note = entity("Note", [attribute("text", .stringAttributeType)])
        relate(team, "members", person, "team", rule: .nullifyDeleteRule)
        relate(person, "notes", note, "owner", rule: .cascadeDeleteRule, isOrdered: true)
        relate(team, "guards", coach, "guarded", rule: .denyDeleteRule)
        let report = NSFetchedPropertyDescription()
        report.name = "older"
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = person
        request.predicate = NSPredicate(format: "age > $FETCH_SOURCE.age")
        report.fetchRequest = request
        person.properties.append(report)
        team.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [team, person, coach, note]
        return model
    }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        entity.properties = properties
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, isOptional: Bool = true, _ info: [String: String] = [:]
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        attribute.userInfo = info
        return attribute
    }

    private static func name() -> NSAttributeDescription {
        let name = attribute("name", .stringAttributeType, isOptional: false)
        name.setValidationPredicates(
            [NSPredicate(format: "length >= 2")],
            withValidationWarnings: ["A name has two letters at least."])
        return name
    }

    private static func age() -> NSAttributeDescription {
        let age = attribute("age", .integer16AttributeType)
        age.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 150")],
            withValidationWarnings: ["Age is too small.", "Age is too large."])
        return age
    }

    private static func relate(
        _ one: NSEntityDescription, _ many: String, _ other: NSEntityDescription, _ single: String,
        rule: NSDeleteRule, isOrdered: Bool = false
    ) {
        let toMany = NSRelationshipDescription()
        (toMany.name, toMany.destinationEntity, toMany.deleteRule) = (many, other, rule)
        toMany.isOrdered = isOrdered
        let toOne = NSRelationshipDescription()
        (toOne.name, toOne.destinationEntity, toOne.maxCount) = (single, one, 1)
        toMany.inverseRelationship = toOne
        toOne.inverseRelationship = toMany
        one.properties.append(toMany)
        other.properties.append(toOne)
    }
}

extension Club {
    /// Teams and people.
    func fill() async throws {
        try await write { context in
            func make(_ name: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            let red = make("Team", ["name": "Red"])
            _ = make("Team", ["name": "Blue"])
            let ages: KeyValuePairs = ["Ada": 36, "Bob": 20, "Cleo": 50]
            for (name, age) in ages {
                let person = make("Person", ["name": name, "age": age, "team": red, "isActive": age > 30])
                let notes = ["one", "two", "three"].map { make("Note", ["text": "\(name) \($0)"]) }
                person.setValue(NSOrderedSet(array: notes), forKey: "notes")
            }
            try context.save()
            let coach = make("Coach", ["name": "Dan", "age": 61, "licence": "A"])
            coach.setValue(red, forKey: "guarded")
        }
    }
}

extension Browser {
    /// The JSON that a request gives, which must succeed.
    func json(_ path: String) async throws -> [String: Any] {
        let response = await get(path)
        expect(response.status, equals: 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try object(response)
    }

    func json(_ path: String, _ body: [String: Any]) async throws -> [String: Any] {
        let response = try await send(path, body)
        expect(response.status, equals: 200, "\(path): \(String(decoding: response.body, as: UTF8.self))")
        return try object(response)
    }

    func send(_ path: String, _ body: [String: Any]) async throws -> StudioResponse {
        let data = try JSONSerialization.data(withJSONObject: body)
        return await post(path, String(decoding: data, as: UTF8.self))
    }

    /// The names of the people, or of another entity's objects, that a query finds.
    func names(_ query: [String: Any], offset: Int = 0, limit: Int = 100) async throws -> [String] {
        let query = query.merging(["entity": "Person", "columns": ["name"]]) { own, _ in own }
        return try await rows(query, offset: offset, limit: limit).map {
            ($0["cells"] as? [Any])?.first as? String ?? "?"
        }
    }

    /// A query's rows: name of the object, then cells.
    func rows(_ query: [String: Any], offset: Int = 0, limit: Int = 100) async throws -> [[String: Any]] {
        let page = try await json("data/rows", ["query": query, "offset": offset, "limit": limit])
        return try #require(page["rows"] as? [[String: Any]])
    }

    /// The object of a name in a column.
    func id(_ entity: String, _ name: String) async throws -> String {
        let rows = try await rows(["entity": entity, "columns": ["name"], "predicate": "name == \"\(name)\""])
        return try #require(rows.first?["id"] as? String)
    }

    /// The field of an object's page.
    func field(_ page: [String: Any], _ key: String) throws -> [String: Any] {
        let fields =
            (page["fields"] as? [[String: Any]] ?? []) + (page["relationships"] as? [[String: Any]] ?? [])
        return try #require(fields.first { $0["key"] as? String == key })
    }

    func set(_ id: String, _ key: String, _ value: Any) async throws -> [String: Any] {
        try await json("data/objects/\(id)", ["key": key, "value": value])
    }
}
