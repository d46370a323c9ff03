// The names of join tables in a store that was migrated in place, so that Apple's framework finds them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct JoinTableMigrationTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    /// Clients that trust each other; `step` is the version.
    private func trust(
        _ names: (String, String) = ("trustedBy", "trusts"), former: (String, String)? = nil,
        first: String? = nil, moved: Bool = false, step: Int16
    ) -> NSManagedObjectModel {
        let name = NSAttributeDescription("name", .string)
        let version = NSAttributeDescription("step\(step)", .integer16)
        let client = NSEntityDescription("Client", [name, version])
        let holder = moved ? NSEntityDescription("Account") : client
        if moved { holder.subentities = [client] }
        NSRelationshipDescription.connect(holder, names.0, .many, holder, names.1, .ordered)
        if let former {
            holder.relationshipsByName[names.0]?.renamingIdentifier = former.0
            holder.relationshipsByName[names.1]?.renamingIdentifier = former.1
        }
        let others = first.map { [NSEntityDescription($0)] } ?? []
        return model((moved ? [holder, client] : [client]) + others)
    }

    /// Makes a store with clients that trust each other. `turned` has the table as Apple's framework makes it where it
    /// chooses the other relationship.
    private func fill(_ model: NSManagedObjectModel, turned: Bool = false) throws {
        let opened = try OpenStore(url, model)
        let clients = ["a", "b", "c"].map { name in
            let client = NSEntityDescription.insertNewObject(forEntityName: "Client", into: opened.context)
            client.setValue(name, forKey: "name")
            return client
        }
        clients[0].setValue(NSOrderedSet(array: [clients[2], clients[1]]), forKey: "trusts")
        clients[1].setValue(NSOrderedSet(array: [clients[1]]), forKey: "trusts")
        try #require(opened.save() == [])
        try opened.close()
        guard turned else { return }
        try RawDatabase(url).run(
            """
            CREATE TABLE Z_1TRUSTEDBY ( Z_1TRUSTS INTEGER, Z_1TRUSTEDBY INTEGER, Z_FOK_1TRUSTS INTEGER,
              PRIMARY KEY (Z_1TRUSTS, Z_1TRUSTEDBY) );
            INSERT INTO Z_1TRUSTEDBY SELECT Z_1TRUSTS, Z_1TRUSTEDBY, Z_FOK_1TRUSTS FROM Z_1TRUSTS;
            DROP TABLE Z_1TRUSTS;
            CREATE INDEX Z_1TRUSTEDBY_Z_1TRUSTEDBY_INDEX ON Z_1TRUSTEDBY (Z_1TRUSTEDBY, Z_1TRUSTS);
            """)
    }

    private func joins() throws -> [String] {
        try rows(
            url,
            """
            SELECT m.name || ': ' || group_concat(c.name) FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
            WHERE m.type = 'table' AND m.name GLOB 'Z_[0-9]*' GROUP BY m.name ORDER BY m.name
            """
        ).map { $0[0] }
    }

    /// Opens the store with a newer model, which migrates it, and looks at who trusts whom.
    private func migrate(_ model: NSManagedObjectModel, trusts: String = "trusts") throws {
        let opened = try OpenStore(url, model, options: .migrating)
        try expect(opened.coordinator.verify(opened.store), equals: [])
        let found = try opened.context.all("Client").map { client in
            let others = client.value(forKey: trusts) as? NSOrderedSet
            let names = others?.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
            return "\(client.value(forKey: "name") ?? "")\(names ?? [])"
        }
        expect(found.sorted(), equals: [#"a["c", "b"]"#, #"b["b"]"#, "c[]"])
        try opened.close()
    }

    // MARK: Inside an entity

    @Test func aNewStoreNamesTheTableAfterTheLast() throws {
        try fill(trust(step: 1))
        try expect(joins(), equals: ["Z_1TRUSTS: Z_1TRUSTEDBY,Z_1TRUSTS,Z_FOK_1TRUSTS"])
        try migrate(trust(step: 2))
        try expect(joins(), equals: ["Z_1TRUSTS: Z_1TRUSTEDBY,Z_1TRUSTS,Z_FOK_1TRUSTS"])
    }

    @Test func theOtherOrientationStays() throws {
        try fill(trust(step: 1), turned: true)
        try migrate(trust(step: 2))
        try expect(joins(), equals: ["Z_1TRUSTEDBY: Z_1TRUSTS,Z_1TRUSTEDBY,Z_FOK_1TRUSTS"])
    }

    @Test func itStaysUnderAnotherNumber() throws {
        try fill(trust(step: 1), turned: true)
        try migrate(trust(first: "Account", step: 2))
        try expect(joins(), equals: ["Z_2TRUSTEDBY: Z_2TRUSTS,Z_2TRUSTEDBY,Z_FOK_2TRUSTS"])
    }

    @Test func itStaysUnderNewNames() throws {
        try fill(trust(step: 1), turned: true)
        try migrate(trust(("backers", "wards"), former: ("trustedBy", "trusts"), step: 2), trusts: "wards")
        try expect(joins(), equals: ["Z_1BACKERS: Z_1WARDS,Z_1BACKERS,Z_FOK_1WARDS"])
    }

    /// By name alone the other one would name the table now.
    @Test func theDefaultStaysUnderNewNames() throws {
        try fill(trust(step: 1))
        try migrate(trust(("zBackers", "wards"), former: ("trustedBy", "trusts"), step: 2), trusts: "wards")
        try expect(joins(), equals: ["Z_1WARDS: Z_1ZBACKERS,Z_1WARDS,Z_FOK_1WARDS"])
    }

    @Test func itStaysInASuperentity() throws {
        try fill(trust(step: 1), turned: true)
        try migrate(trust(moved: true, step: 2))
        try expect(joins(), equals: ["Z_1TRUSTEDBY: Z_1TRUSTS,Z_1TRUSTEDBY,Z_FOK_1TRUSTS"])
    }

    // MARK: A relationship that is its own inverse

    private func friends(_ count: NSRelationshipDescription.Count, step: Int16) -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Client",
            [NSAttributeDescription("name", .string), NSAttributeDescription("step\(step)", .integer16)])
        let friends = NSRelationshipDescription("trusts", to: person, count)
        friends.inverseRelationship = friends
        person.properties.append(friends)
        return model([person])
    }

    @Test func itGetsAnOrder() throws {
        let opened = try OpenStore(url, friends(.many, step: 1))
        let people = ["a", "b", "c"].map { name in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Client", into: opened.context)
            person.setValue(name, forKey: "name")
            return person
        }
        people[0].setValue(Set([people[1], people[2]]), forKey: "trusts")
        try #require(opened.save() == [])
        try opened.close()
        let newer = try OpenStore(url, friends(.ordered, step: 2), options: .migrating)
        try expect(newer.coordinator.verify(newer.store), equals: [])
        let found = try newer.context.all("Client").map {
            "\($0.value(forKey: "name") ?? "")\(($0.value(forKey: "trusts") as? NSOrderedSet)?.count ?? 0)"
        }
        expect(found.sorted(), equals: ["a2", "b1", "c1"])
        try newer.close()
    }

    // MARK: Between entities

    /// `Message` with `SystemMessage` below it, and `Reaction`, both leading to `User`.
    private func messages(step: Int16) -> NSManagedObjectModel {
        let user = NSEntityDescription("User", [NSAttributeDescription("step\(step)", .integer16)])
        let message = NSEntityDescription("Message", [NSAttributeDescription("name", .string)])
        let system = NSEntityDescription("SystemMessage")
        message.subentities = [system]
        let reaction = NSEntityDescription("Reaction", [NSAttributeDescription("name", .string)])
        NSRelationshipDescription.connect(system, "users", .many, user, "messages", .many)
        NSRelationshipDescription.connect(reaction, "users", .many, user, "reactions", .many)
        return model([user, message, system, reaction])
    }

    private func fillMessages() throws {
        let opened = try OpenStore(url, messages(step: 1))
        let user = NSEntityDescription.insertNewObject(forEntityName: "User", into: opened.context)
        for entity in ["SystemMessage", "Reaction"] {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: opened.context)
            object.setValue(Set([user]), forKey: "users")
        }
        try #require(opened.save() == [])
        try opened.close()
    }

    private func expectLinks() throws {
        let opened = try OpenStore(url, messages(step: 2), options: .migrating)
        let user = try #require(try opened.context.all("User").first)
        expect((user.value(forKey: "messages") as? Set<NSManagedObject>)?.count, equals: 1)
        expect((user.value(forKey: "reactions") as? Set<NSManagedObject>)?.count, equals: 1)
        try opened.close()
        try expect(
            joins(),
            equals: [
                "Z_2USERS: Z_2MESSAGES,Z_4USERS1", "Z_3USERS: Z_3REACTIONS,Z_4USERS",
            ])
    }

    @Test func applesNamesStay() throws {
        try fillMessages()
        try expectLinks()
    }

    /// A store of an earlier version of ours numbered columns in the order of entity numbers.
    @Test func earlierNamesOfOursBecomeApples() throws {
        try fillMessages()
        try RawDatabase(url).run(
            """
            ALTER TABLE Z_2USERS RENAME COLUMN Z_4USERS1 TO Z_4USERS;
            ALTER TABLE Z_3USERS RENAME COLUMN Z_4USERS TO Z_4USERS1;
            """)
        try expectLinks()
    }

    /// A mapping model makes a new file. It has the choice of the old one, of the relationships that still have their names.
    @Test(arguments: [true, false], [true, false])
    func aMappingModelKeepsTheChoiceOfTheFile(turned: Bool, renamed: Bool) throws {
        let older = trust(step: 1)
        try fill(older, turned: turned)
        let names = renamed ? ("admirers", "admires") : ("trustedBy", "trusts")
        let newer = trust(names, former: renamed ? ("trustedBy", "trusts") : nil, step: 2)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: older, destinationModel: newer)
        let target = folder.file("New.sqlite")
        try NSMigrationManager(sourceModel: older, destinationModel: newer).migrateStore(
            from: url, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: target,
            destinationType: NSSQLiteStoreType)
        let tables = try rows(
            target, "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
        ).map { $0[0] }
        expect(tables, equals: [renamed ? "Z_1ADMIRES" : turned ? "Z_1TRUSTEDBY" : "Z_1TRUSTS"])
        let opened = try OpenStore(target, newer)
        try expect(opened.coordinator.verify(opened.store), equals: [])
        let found = try opened.context.all("Client").map { client in
            let others = client.value(forKey: names.1) as? NSOrderedSet
            return (others?.array as? [NSManagedObject])?.compactMap { $0.value(forKey: "name") as? String }
                ?? []
        }
        expect(Set(found), equals: [["c", "b"], ["b"], []])
        try opened.close()
    }
}
