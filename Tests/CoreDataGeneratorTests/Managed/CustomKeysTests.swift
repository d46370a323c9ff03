// The keys that a class's members are reached by.

import CoreDataGenerator
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CustomKeysTests {
    @Test func keysOfTheEntityAreStatedForTypesOfObjectiveC() throws {
        var hero = EntitySchema(name: "Hero", properties: [])
        hero.className = ".Hero"
        let names = ["count", "flags", "kind", "maybe", "mode", "pair", "place", "places", "text", "link"]
        hero.properties = names.map {
            PropertySchema(name: $0, kind: .attribute(AttributeTraits(.binaryData)))
        }
        let places = ClassPlaces([ModelSchema(entities: [hero])], moduleName: "App")
        let text = ManagedSources(
            try ScratchSources(
                """
                import CoreData
                struct Place { var x = 0 }
                enum Mode: String { case plain }
                class Hero: NSManagedObject {
                    enum Kind: Int16 { case plain }
                    var count: Int { 0 }
                    var flags: [Int] { [] }
                    var kind: Kind { .plain }
                    var maybe: Int? { nil }
                    var mode: Mode { .plain }
                    var pair: (Int, Int) { (0, 0) }
                    var place: Place? { get { nil } set {} }
                    var places: [Place] { get { [] } set {} }
                    var text: String? { nil }
                    var link: URL? { nil }
                    var another: Place? { nil }
                }
                """
            ).scan(), places: places
        ).text
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        expect(
            lines.filter { $0.hasPrefix("keys.getter") || $0.hasPrefix("keys.setter") },
            equals: ["another", "count", "flags", "kind", "link", "text"].map {
                "keys.getter(\"\($0)\", \\Hero.\($0))"
            })
    }

    @Test func namesInObjectiveCAreStated() throws {
        let text = ManagedSources(
            try ScratchSources(
                """
                import CoreData
                #if canImport(ObjectiveC)
                @objc(CDHero)
                #endif
                class Hero: NSManagedObject { @NSManaged var name: String? }
                @objc(Villain) class Villain: NSManagedObject { @NSManaged var name: String? }
                enum Steps { @objc(FirstPolicy) @MainActor final class First: NSEntityMigrationPolicy {} }
                @objc(Shouter) public class Shout: ValueTransformer {}
                @objc(Hidden) private class Secret: ValueTransformer {}
                """
            ).scan(), places: ClassPlaces([], moduleName: "App")
        ).text
        for (name, type) in [("CDHero", "Hero"), ("FirstPolicy", "Steps.First"), ("Shouter", "Shout")] {
            #expect(
                text.contains(
                    """
                    nonisolated final class \(name)__Class: NamedClass {
                        override class var named: AnyClass { \(type).self }
                    }
                    """))
        }
        expect(text.components(separatedBy: "__Class: NamedClass").count, equals: 4)
    }
}
