// Managed properties that are declared otherwise than the model has them.

import CoreDataGenerator
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DeclarationCheckTests {
    private func sources(_ text: String, _ models: [ModelSchema]) throws -> ManagedSources {
        ManagedSources(
            try ScratchSources(text).scan(), places: ClassPlaces(models, moduleName: "App"))
    }

    /// Two entities, of which one is the other's superentity, and one with a property of each kind.
    private var widened: ModelSchema {
        func entity(_ name: String, _ parent: String?, _ properties: [PropertySchema]) -> EntitySchema {
            var entity = EntitySchema(name: name, properties: properties)
            (entity.className, entity.superentityName) = ("." + name, parent)
            return entity
        }
        var toOne = RelationshipTraits(destinationEntityName: "Base")
        toOne.maxCount = 1
        var toMany = RelationshipTraits(destinationEntityName: "Base")
        toMany.maxCount = 0
        var ordered = toMany
        ordered.isOrdered = true
        return ModelSchema(entities: [
            entity("Base", nil, []), entity("Sub", "Base", []),
            entity(
                "Hero", nil,
                [
                    PropertySchema(name: "name", kind: .attribute(AttributeTraits(.string))),
                    PropertySchema(name: "age", kind: .attribute(AttributeTraits(.integer32))),
                    PropertySchema(name: "born", kind: .attribute(AttributeTraits(.date))),
                    PropertySchema(name: "look", kind: .attribute(AttributeTraits(.transformable))),
                    PropertySchema(name: "owner", kind: .relationship(toOne)),
                    PropertySchema(name: "parts", kind: .relationship(toMany)),
                    PropertySchema(name: "list", kind: .relationship(ordered)),
                ]),
        ])
    }

    @Test(arguments: [
        ("var owner: Sub?", "Base"), ("var owner: Sub", "Base"), ("var parts: Set<Sub>?", "Base"),
        ("var list: [Sub]", "Base"), ("var owner: Hero?", "Base"), ("var owner: Set<Base>", "one object"),
        ("var parts: Base?", "many"), ("var list: NSSet?", "ordered"),
        ("var parts: NSOrderedSet?", "not ordered"),
        ("var owner: String?", "relationship"), ("var name: Int32", "string"),
        ("var age: String?", "integer32"),
        ("var age: Int16", "cut off"), ("var born: Data?", "date"), ("var name: Base?", "string"),
    ])
    func aPropertyDeclaredOtherwiseThanTheModelIsWarnedOf(property: String, reason: String) throws {
        let managed = try sources(
            """
            import CoreData
            class Base: NSManagedObject {}
            class Sub: Base {}
            class Hero: NSManagedObject {
                @NSManaged \(property)
            }
            """, [widened])
        expect(managed.problems, equals: [])
        let warning = try #require(managed.warnings.first)
        #expect(managed.warnings.count == 1 && warning.line == 5)
        #expect(warning.path.hasSuffix("Source.swift") && warning.reason.contains(reason), "\(warning)")
    }

    @Test func whatFitsTheModelIsNotWarnedOf() throws {
        let managed = try sources(
            """
            import CoreData
            class Base: NSManagedObject {}
            class Sub: Base {}
            enum Rank: Int32 { case first }
            struct Look {}
            protocol Named {}
            class Hero: NSManagedObject {
                @NSManaged var owner: Base?
                @NSManaged var parts: Set<NSManagedObject>
                @NSManaged var list: NSOrderedSet?
                @NSManaged var name: String!
                @NSManaged var age: Int64
                @NSManaged var born: TimeInterval
                @NSManaged var look: Look?
            }
            extension Hero { @NSManaged var unknown: [String]?, primitiveAge: NSNumber? }
            class Other: NSManagedObject { @NSManaged var age: String? }
            """, [widened])
        #expect(managed.problems == [] && managed.warnings == [])
        let ranks = try sources(
            """
            import CoreData
            enum Rank: Int32 { case first }
            class Hero: NSManagedObject {
                @NSManaged var owner: NSManagedObject?, parts: NSSet?, list: NSMutableOrderedSet, name: NSString?
                @NSManaged var age: NSNumber?, born: NSDate?, look: [String: Any]?
            }
            extension Hero { @NSManaged var rank: Rank }
            """, [widened])
        expect(ranks.warnings, equals: [])
    }

    /// The superclass of a generated class is known from the model alone.
    @Test func aGeneratedClassThatIsNarrowerIsWarnedOf() throws {
        let scan = try ScratchSources(
            "import CoreData\nclass Hero: NSManagedObject { @NSManaged var owner: Sub? }"
        ).scan()
        let managed = ManagedSources(
            scan, places: ClassPlaces([widened], moduleName: "App"), declared: ["Base", "Sub"],
            generated: ["Base", "Sub"])
        expect(managed.warnings.map(\.line), equals: [2])
    }
}
