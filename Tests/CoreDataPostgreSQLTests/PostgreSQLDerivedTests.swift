// Derived attributes on a server: SQL by hand, saves at the same time, models whose derivations become others.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLDerivedTests {
    let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private func run(_ text: String) throws { try shelf.connection().run(text) }

    private static func derived(_ name: String, _ type: NSAttributeType, _ expression: String)
        -> NSDerivedAttributeDescription
    {
        let attribute = NSDerivedAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        attribute.derivationExpression = NSExpression(format: expression)
        return attribute
    }

    /// Owners have pets; both have names.
    private static func model(_ expression: String = "uppercase:(name)") -> NSManagedObjectModel {
        let (owner, pet) = (NSEntityDescription(), NSEntityDescription())
        (owner.name, pet.name) = ("Owner", "Pet")
        let (pets, keeper) = (NSRelationshipDescription(), NSRelationshipDescription())
        (pets.name, pets.destinationEntity, pets.isOptional) = ("pets", pet, true)
        (keeper.name, keeper.destinationEntity, keeper.maxCount, keeper.isOptional) = (
            "owner", owner, 1, true
        )
        (pets.inverseRelationship, keeper.inverseRelationship) = (keeper, pets)
        owner.properties = [
            NSAttributeDescription("name", .stringAttributeType), pets,
            derived("shout", .stringAttributeType, expression),
            derived("petCount", .integer64AttributeType, "pets.@count"),
            derived("weight", .decimalAttributeType, "pets.@sum.weight"),
            derived("changed", .dateAttributeType, "now()"),
        ]
        pet.properties = [
            NSAttributeDescription("name", .stringAttributeType),
            NSAttributeDescription("weight", .decimalAttributeType), keeper,
            derived("ownerName", .stringAttributeType, "lowercase:(owner.name)"),
        ]
        let model = NSManagedObjectModel()
        model.entities = [owner, pet]
        return model
    }

    private var owners: [String] {
        get throws {
            try shelf.rows("SELECT name, shout, pet_count, weight FROM owner ORDER BY name")
        }
    }

    @Test func sqlByHandKeepsThem() throws {
        _ = try shelf.context(nil, Self.model())
        try run("INSERT INTO owner (object_id, name) VALUES (1, 'Ada'), (2, 'Bob')")
        try run(
            """
            INSERT INTO pet (name, weight, owner_id) VALUES ('a', 1.5, 1), ('b', 2.25, 1), ('c', 4, 2), \
            ('d', 8, NULL)
            """)
        try expect(owners, equals: ["Ada|ADA|2|3.75", "Bob|BOB|1|4"])
        try expect(
            shelf.rows("SELECT owner_name FROM pet ORDER BY name"), equals: ["ada", "ada", "bob", "-"])
        try run("UPDATE pet SET owner_id = 2 WHERE name <> 'c'")
        try run("UPDATE owner SET name = 'Zoë' WHERE object_id = 2")
        try expect(owners, equals: ["Ada|ADA|0|0", "Zoë|ZOË|4|15.75"])
        try expect(shelf.rows("SELECT DISTINCT owner_name FROM pet"), equals: ["zoë"])
        try run("DELETE FROM pet WHERE weight > 2")
        // Nobody else writes what is derived.
        try run("UPDATE owner SET pet_count = 77, shout = 'x', changed = NULL, weight = 5")
        try expect(owners, equals: ["Ada|ADA|0|0", "Zoë|ZOË|1|1.5"])
        try expect(shelf.rows("SELECT count(changed) FROM owner"), equals: ["2"])
    }

    /// Joined otherwise, the rows before and after an update are compared each with each once a connection has changed few.
    @Test func rowsBeforeAndAfterAnUpdateAreJoinedByAHash() throws {
        let context = try shelf.context(nil, Self.model())
        try expect(
            shelf.rows(
                """
                SELECT count(*) FILTER (WHERE prosrc LIKE '%coredata_new AS n FULL JOIN coredata_old AS o%') >= 4, \
                count(*) FILTER (WHERE prosrc LIKE '%coredata_new AS n JOIN%') FROM pg_proc \
                WHERE pronamespace = '"coredata_\(shelf.schema)"'::regnamespace
                """), equals: ["1|0"])
        try context.performAndWait {
            let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
            let pets = (0..<300).map { _ in
                NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
            }
            for pet in pets { pet.setValuesForKeys(["owner": owner, "weight": 1 as Decimal]) }
            try context.save()
            for weight in 2...9 {
                pets[0].setValue(Decimal(weight), forKey: "weight")
                try context.save()
            }
            for pet in pets { pet.setValue(2 as Decimal, forKey: "weight") }
            try context.save()
            context.refresh(owner, mergeChanges: false)
            expect(owner.value(forKey: "weight") as? Decimal, equals: 600)
        }
    }

    /// Whoever is behind another one counts what that one has added meanwhile.
    @Test func savesAtTheSameTimeCountEachOther() throws {
        let context = try shelf.context(nil, Self.model())
        try run("INSERT INTO owner (object_id, name) VALUES (1, 'Ada')")
        let connections = try (0..<2).map { _ in try shelf.connection() }
        try connections[0].run("BEGIN")
        try connections[0].run("INSERT INTO pet (name, weight, owner_id) VALUES ('a', 1, 1)")
        try connections[1].send("BEGIN")
        try connections[1].send("INSERT INTO pet (name, weight, owner_id) VALUES ('b', 2, 1)")
        try connections[1].send("COMMIT")
        let other = Thread { try? connections[1].finish() }
        other.start()
        // The second one has come to the row that the first one has.
        for _ in 0..<600 where try shelf.rows("SELECT 1 FROM pg_locks WHERE NOT granted").isEmpty {
            usleep(10_000)
        }
        try connections[0].run("COMMIT")
        while !other.isFinished { usleep(1000) }
        try expect(owners, equals: ["Ada|ADA|2|3"])
        withExtendedLifetime(context) {}
    }

    @Test func otherDerivationsAreTakenOver() throws {
        var context: NSManagedObjectContext? = try shelf.context(nil, Self.model())
        try run("INSERT INTO owner (name) VALUES ('Ada')")
        context = nil
        context = try shelf.context(nil, Self.model("lowercase:(name)"))
        try expect(owners, equals: ["Ada|ada|0|0"])
        try run("UPDATE owner SET name = 'Zoë'")
        try expect(owners, equals: ["Zoë|zoë|0|0"])
        withExtendedLifetime(context) {}
    }

    @Test func theSavingContextHasThemAtOnce() throws {
        let context = try shelf.context(nil, Self.model())
        try context.performAndWait {
            func make(_ entity: String, _ name: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue(name, forKey: "name")
                return object
            }
            let (ada, cat) = (make("Owner", "Ada"), make("Pet", "Cat"))
            cat.setValue(Decimal(string: "4.25"), forKey: "weight")
            cat.setValue(ada, forKey: "owner")
            try context.save()
            expect(ada.value(forKey: "petCount") as? Int, equals: 1)
            expect(ada.value(forKey: "weight") as? Decimal, equals: Decimal(string: "4.25"))
            expect(cat.value(forKey: "ownerName") as? String, equals: "ada")
            ada.setValue("Eva", forKey: "name")
            try context.save()
            #expect(cat.value(forKey: "ownerName") as? String == "eva" && !context.hasChanges)
        }
    }
}
