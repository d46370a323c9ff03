// The file that supplies accessors and companions, and what can't be supplied.

import CoreDataGenerator
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ManagedSourcesTests {
    private func sources(
        _ text: String, _ models: [ModelSchema] = [], generated: Set<String> = []
    ) throws -> ManagedSources {
        ManagedSources(
            try ScratchSources(text).scan(), places: ClassPlaces(models, moduleName: "App"),
            generated: generated)
    }

    /// A hero with a name, an age and friends.
    private var model: ModelSchema {
        let friends = RelationshipTraits(destinationEntityName: "Hero")
        var hero = EntitySchema(
            name: "Hero",
            properties: [
                PropertySchema(name: "name", kind: .attribute(AttributeTraits(.string))),
                PropertySchema(name: "age", kind: .attribute(AttributeTraits(.integer64))),
                PropertySchema(name: "friends", kind: .relationship(friends)),
            ])
        hero.className = ".Hero"
        return ModelSchema(entities: [hero])
    }

    @Test func accessorsCarryThePlacesOfTheModel() throws {
        let managed = try sources(
            """
            import CoreData
            public class Hero: NSManagedObject {
                @NSManaged public var name: String!
                @NSManaged private(set) var age: Int64
                @NSManaged var friends: Set<Hero>
                @NSManaged var title: String?
                @NSManaged var primitiveName: String?
            }
            extension Hero { @NSManaged func addToFriends(_ value: Hero) }
            """, [model])
        expect(managed.problems, equals: [])
        let text = managed.text
        #expect(
            text.contains(
                """
                    @_silgen_name("$s3App4HeroC4nameSSSgvg")
                    nonisolated public final func _Hero_get_name() -> String? {
                        self[ManagedAttribute("name", word: 2, index: 1)]
                    }
                    @_silgen_name("$s3App4HeroC4nameSSSgvs")
                    nonisolated public final func _Hero_set_name(_ value: consuming String?) {
                        self[ManagedAttribute("name", word: 2, index: 1)] = value
                    }
                """))
        #expect(text.contains("nonisolated internal final func _Hero_set_age(_ value: consuming Int64)"))
        #expect(text.contains("self[ManagedRelationship(\"friends\", number: 1)]"))
        #expect(text.contains("self[ManagedAttribute(\"title\")]"))
        #expect(text.contains("self[primitive: \"name\"] = value"))
        #expect(text.contains("add(value0, to: ManagedRelationship(\"friends\", number: 1))"))
        #expect(text.contains("public final class Hero__Keys: ManagedKeys {"))
        #expect(text.contains("keys.relationship(\"friends\", number: 1)"))
        #expect(text.contains("of: String?.self)"))
        #expect(!text.contains("keys.attribute(\"title\""))
    }

    private func place(_ key: String) throws -> PropertyPlace? {
        ClassPlaces([model], moduleName: "App").place(of: key, in: "Hero")
    }

    @Test func placesAreThoseOfTheRowLayout() throws {
        let index = ModelIndex(model)
        let layout = RowLayout(entity: try #require(index.entity("Hero")), in: index)
        for key in ["age", "name"] {
            let slot = try #require(layout.slot(named: key))
            try expect(place(key), equals: .attribute(word: slot.word, index: slot.index))
        }
        try expect(place("friends"), equals: .relationship(number: 1))
        #expect(try place("other") == nil)
    }

    @Test func placesThatTwoEntitiesOfAClassDisputeAreLeftOut() throws {
        var other = model.entities[0]
        other.name = "Villain"
        other.properties.append(
            PropertySchema(name: "evil", kind: .attribute(AttributeTraits(.boolean))))
        let places = ClassPlaces(
            [ModelSchema(entities: [model.entities[0], other])], moduleName: "App")
        expect(places.place(of: "age", in: "Hero"), equals: (try place("age")))
        #expect(places.place(of: "name", in: "Hero") == nil)
        #expect(places.place(of: "friends", in: "Hero") == nil)
        expect(places.keys["Hero"]?.contains("evil"), equals: true)
    }

    @Test func classNamesOfModelsMayHaveTheirModule() {
        func name(_ className: String?, _ module: String?) -> String? {
            var entity = EntitySchema(name: "Hero")
            entity.className = className
            entity.classModule = module
            return ClassPlaces.className(entity, moduleName: "App")
        }
        #expect(name("Hero", nil) == "Hero" && name("Hero", ".") == "Hero" && name("Hero", "App") == "Hero")
        #expect(name(".Hero", nil) == "Hero" && name("App.Hero", nil) == "Hero")
        #expect(name("Other.Hero", nil) == nil && name("Hero", "Other") == nil)
        #expect(name(nil, nil) == nil && name("NSManagedObject", nil) == nil)
    }

    @Test func relationshipsAndAttributesAreToldApartByTypeWithoutAModel() throws {
        let text = try sources(
            """
            import CoreData
            class Base: NSManagedObject {}
            class Hero: Base {
                @NSManaged var friends: Set<Hero>?, boss: Hero?, list: [Hero], members: NSSet?, tags: [String]
                @NSManaged var plain: Set<String>
                @NSManaged func insertIntoList(_ value: Hero, at idx: Int)
                @NSManaged func replaceList(at indexes: NSIndexSet, with values: [Hero])
                @NSManaged func removeFromFriends(_ values: NSSet)
            }
            """
        ).text
        for key in ["friends", "boss", "list"] {
            #expect(text.contains("self[ManagedRelationship(\"\(key)\")]"))
        }
        for key in ["members", "tags", "plain"] {
            #expect(text.contains("self[ManagedAttribute(\"\(key)\")]"))
        }
        #expect(text.contains("insert(value0, into: ManagedRelationship(\"list\"), at: value1)"))
        #expect(
            text.contains(
                "replaceObjects(at: IndexSet(value0), in: ManagedRelationship(\"list\"), with: Array(value1))"
            ))
        #expect(text.contains("remove(value0, from: ManagedRelationship(\"friends\"))"))
        #expect(!text.contains("keys.attribute") && !text.contains("keys.relationship"))
    }

    @Test func companionsOfferCalculatedPropertiesAndValidators() throws {
        let text = try sources(
            """
            import CoreData
            class Hero: NSManagedObject {
                var age: Int { 3 }
                var rank: Int! { get { 1 } set {} }
                private(set) var half: Int { get { 1 } set {} }
                private var hidden: Int { 1 }
                static var shared: Int { 1 }
                var stored = 3
                var `in`: Int { 1 }
                var failing: Int { get throws { 1 } }
                @MainActor var shown: Int { 1 }
                override var description: String { "" }
                func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
                func validateForSomething() throws {}
                func validateURL(_ value: inout Any?) throws {}
                class func keyPathsForValuesAffectingHalf() -> Set<String> { ["rank"] }
                private static func keyPathsForValuesAffectingAge() -> Set<String> { ["rank"] }
                func keyPathsForValuesAffectingRank() -> Set<String> { ["age"] }
                override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
            }
            extension Hero {
                static func keyPathsForValuesAffectingLate() -> Set<String> { ["age"] }
                static func keyPathsForValuesAffectingNothing() -> [String] { ["age"] }
                class var keyPathsForValuesAffectingRank: Set<String> { ["age"] }
                static let keyPathsForValuesAffectingIn: Set<String> = ["age"]
                var keyPathsForValuesAffectingURL: Set<String>? { ["age"] }
                private static var keyPathsForValuesAffectingHidden: Set<String> { ["age"] }
            }
            extension Hero { var late: [String] { [] }; func validateAge(_ value: inout Any?) throws {} }
            struct Plain { var age: Int { 3 } }
            enum Outer { class Inner: NSManagedObject { var age: Int { 3 } } }
            """
        ).text
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        expect(
            lines.filter { $0.hasPrefix("keys.") },
            equals: [
                "keys.register(members)",
                "keys.getter(\"age\", \\Hero.age)",
                "keys.getter(\"half\", \\Hero.half)",
                "keys.getter(\"in\", \\Hero.`in`)",
                "keys.getter(\"keyPathsForValuesAffectingURL\", \\Hero.keyPathsForValuesAffectingURL)",
                "keys.getter(\"late\", \\Hero.late)",
                "keys.getter(\"rank\", \\Hero.rank)",
                "keys.setter(\"rank\", \\Hero.rank)",
                "keys.validator(\"age\") { (object: Hero, value: inout Any?) in try object.validateAge(&value) }",
                "keys.validator(\"name\") { (object: Hero, value: AutoreleasingUnsafeMutablePointer<AnyObject?>) in "
                    + "try object.validateName(value) }",
                "keys.validator(\"uRL\") { (object: Hero, value: inout Any?) in try object.validateURL(&value) }",
                "keys.dependency(\"half\", on: Hero.keyPathsForValuesAffectingHalf())",
                "keys.dependency(\"in\", on: Hero.keyPathsForValuesAffectingIn)",
                "keys.dependency(\"late\", on: Hero.keyPathsForValuesAffectingLate())",
                "keys.dependency(\"rank\", on: Hero.keyPathsForValuesAffectingRank)",
                "keys.register(members)",
                "keys.getter(\"age\", \\Outer.Inner.age)",
            ])
        #expect(
            text.contains(
                "\nextension Hero__Keys {\n    private static func members(in keys: inout KeyRegistry) {"))
        #expect(text.contains("\nfinal class Outer_Inner__Keys: ManagedKeys {"))
    }

    @Test func propertiesOfEveryTypeAreStated() throws {
        let text = try sources(
            """
            import CoreData
            class Hero: NSManagedObject {
                enum Kind: Int16 { case plain }
                var kind: Kind { get { .plain } set {} }
                var handler: ((Kind) -> Void)? { get { nil } set {} }
                @available(*, unavailable) var gone: Int { 0 }
                @available(iOS, unavailable) var here: Int { 0 }
            }
            class Power: NSManagedObject {
                @available(*, deprecated, message: "use new") var old: Int { get { 0 } set {} }
            }
            """
        ).text
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        expect(
            lines.filter { $0.hasPrefix("keys.") || $0.hasPrefix("@available") },
            equals: [
                "keys.register(members)",
                "keys.getter(\"handler\", \\Hero.handler)", "keys.getter(\"here\", \\Hero.here)",
                "keys.getter(\"kind\", \\Hero.kind)", "keys.setter(\"handler\", \\Hero.handler)",
                "keys.setter(\"kind\", \\Hero.kind)", "@available(*, deprecated)", "keys.register(members)",
                "@available(*, deprecated)",
                "keys.getter(\"old\", \\Power.old)", "keys.setter(\"old\", \\Power.old)",
            ])
    }

    @Test func aValidatorsKeyIsSpelledAsInTheModel() throws {
        var schema = model
        schema.entities[0].properties.append(
            PropertySchema(name: "URL", kind: .attribute(AttributeTraits(.uri))))
        let text = try sources(
            """
            import CoreData
            class Hero: NSManagedObject { func validateURL(_ value: inout Any?) throws {} }
            """, [schema]
        ).text
        #expect(text.contains("keys.validator(\"URL\")"))
    }

    @Test func othersCompanionsAreLeftToThem() throws {
        let source = "import CoreData\nclass Hero: NSManagedObject { var age: Int { 3 } }"
        #expect(try sources(source).text.contains("Hero__Keys"))
        #expect(try !sources(source, generated: ["Hero"]).text.contains("Hero__Keys"))
        #expect(try sources(source, generated: ["Hero"]).isEmpty)
    }

    @Test func companionsThatSourcesHaveAreLeftAlone() throws {
        let source = """
            import CoreData
            class Hero: NSManagedObject { var age: Int { 3 } }
            #if !canImport(ObjectiveC)
            final class Hero__Keys: ManagedKeys {}
            #endif
            """
        #expect(try sources(source).isEmpty)
    }

    @Test func generatedClassesAreKnownAsTypes() throws {
        let scan = try ScratchSources(
            """
            import CoreData
            class Hero: NSManagedObject { @NSManaged var power: Power?, powers: Set<Power> }
            extension Power { @NSManaged var extra: String?; var length: Int { 1 } }
            """
        ).scan()
        let managed = ManagedSources(
            scan, places: ClassPlaces(moduleName: "App"), generated: ["Power"])
        expect(managed.problems, equals: [])
        #expect(managed.text.contains("$s3App4HeroC5powerAA5PowerCSgvg"))
        #expect(managed.text.contains("self[ManagedRelationship(\"powers\")]"))
        #expect(managed.text.contains("$s3App5PowerC5extraSSSgvg"))
        #expect(!managed.text.contains("Power__Keys"))
    }

    @Test func importsAreAsWideAsInTheSources() throws {
        let text = try sources(
            """
            public import CoreData
            internal import Foundation
            public class Hero: NSManagedObject { @NSManaged public var date: Date? }
            """
        ).text
        #expect(text.contains("\npublic import CoreData\n"))
        #expect(!text.contains("import Foundation"))
    }

    @Test(arguments: [
        ("class Hero<T>: NSManagedObject { @NSManaged var a: Int }", "generic class Hero"),
        (
            "class Hero: NSManagedObject { @NSManaged var a: Missing? }",
            "the type Missing is declared neither"
        ),
        (
            "class Hero: NSManagedObject { @NSManaged var a: (Int) -> Void }",
            "(Int) -> Void can't be the type"
        ),
        (
            "private struct A {}\nclass Hero: NSManagedObject { @NSManaged fileprivate var a: A? }",
            "A is private"
        ),
        (
            "class Hero: NSManagedObject { @NSManaged func doIt(_ a: Int) }",
            "doIt(_:) isn't one of the methods"
        ),
        ("class Hero: NSManagedObject { @NSManaged func addToA(_ a: Int) }", "addToA(_:) isn't one of"),
        (
            "class Hero: NSManagedObject { @NSManaged var a: Pair<Int> }\nstruct Pair {}",
            "Pair has no generic"
        ),
        (
            "class Hero: NSManagedObject { @NSManaged var a: A }\ntypealias A = B\ntypealias B = A",
            "refers to itself"
        ),
        ("struct Hero { @NSManaged var a: Int }", "Hero is no class"),
        ("extension Missing { @NSManaged var a: Int }", "the type Missing is declared neither"),
        ("class Hero: NSManagedObject { @NSManaged var a }", "needs a type"),
    ])
    func whatCantBeSuppliedIsAnErrorWithFileAndLine(text: String, reason: String) throws {
        let problems = try sources("import CoreData\n" + text).problems
        let problem = try #require(problems.first)
        #expect(problem.description.contains(reason), "\(problem)")
        #expect(problem.description.contains("Source.swift:"))
        #expect(problem.line ?? 0 >= 2)
    }

    @Test func accessorsOfAPrivateClassAreMethodsOfEveryObject() throws {
        let managed = try sources(
            """
            import CoreData
            private class Hero: NSManagedObject { @NSManaged var age: Int64; var double: Int64 { age * 2 } }
            """, [model])
        expect(managed.problems, equals: [])
        #expect(managed.text.contains("extension NSManagedObject {"))
        #expect(managed.text.contains("LL"))
        // Nobody could find a companion, so there are no places.
        #expect(managed.text.contains("self[ManagedAttribute(\"age\")]"))
        #expect(!managed.text.contains("__Keys"))
    }

    @Test func companionsStateKeyPathsOfInheritedPropertiesToo() throws {
        let text = try sources(
            """
            import CoreData
            class Hero: NSManagedObject {
                @NSManaged var name: String?
                @NSManaged private var secret: String?
                @NSManaged var primitiveName: String?
                @NSManaged var `default`: Int
                @NSManaged var `Type`: String?
            }
            class Sidekick: Hero {}
            extension Sidekick { @NSManaged var rank: Int }
            @MainActor class Shown: NSManagedObject { @NSManaged var text: String? }
            """
        ).text
        #expect(text.contains("override class func registerKeyPaths(in keys: inout KeyRegistry) {"))
        #expect(text.contains("keys.keyPath(\"name\", \\Hero.name)"))
        #expect(text.contains("keys.keyPath(\"default\", \\Hero.`default`)"))
        #expect(text.contains("keys.keyPath(\"name\", \\Sidekick.name)"))
        #expect(text.contains("keys.keyPath(\"rank\", \\Sidekick.rank)"))
        #expect(!text.contains("keys.keyPath(\"secret\"") && !text.contains("keys.keyPath(\"primitiveName\""))
        #expect(!text.contains("Shown__Keys"))
        // `\Hero.`Type`` doesn't compile.
        #expect(!text.contains("keys.keyPath(\"Type\""))
    }

    @Test func typesOfOtherModulesAreKnownFromTheirSources() throws {
        let other = try ScratchSources(
            "import CoreData\nopen class Villain: NSManagedObject {}\npublic enum Mood: Int { case a }"
        ).scan("Kit")
        let scan = try ScratchSources(
            """
            import CoreData
            import Kit
            class Hero: Villain {
                @NSManaged var enemy: Villain?, mood: Mood, named: Kit.Mood?
                var age: Int { 3 }
            }
            extension Villain { @NSManaged var enemies: Set<Hero> }
            """
        ).scan()
        let managed = ManagedSources(
            scan, dependencies: [other], places: ClassPlaces(moduleName: "App"))
        expect(managed.problems, equals: [])
        #expect(managed.text.contains("$s3App4HeroC5enemy3Kit7VillainCSgvg"))
        #expect(managed.text.contains("$s3App4HeroC4mood3Kit4MoodOvs"))
        #expect(managed.text.contains("$s3Kit7VillainC3AppE7enemiesShyAD4HeroCGvg"))
        #expect(managed.text.contains("import Kit\n"))
        #expect(managed.text.contains("self[ManagedRelationship(\"enemy\")]"))
        #expect(managed.text.contains("Hero__Keys"))
    }
}
