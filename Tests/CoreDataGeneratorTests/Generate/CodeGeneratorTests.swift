// The files that are made for each entity, and the whole text of one.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CodeGeneratorTests {
    @Test func filesAsTheModelSays() throws {
        let files = try ModelText(ModelText.hero).generation().files
        expect(
            files.map(\.name),
            equals: [
                "Hero+CoreDataClass.swift", "Hero+CoreDataProperties.swift", "Power+CoreDataProperties.swift",
            ])
        expect(files.map(\.isForEditing), equals: [true, false, false])
    }

    @Test func classFile() throws {
        let text = try ModelText(ModelText.hero).generate()["Hero+CoreDataClass.swift"]
        #expect(
            text == """
                // Hero+CoreDataClass.swift
                // Made from the model Heroes. Yours to edit.

                public import CoreData

                #if canImport(ObjectiveC)
                @objc(Hero)
                #endif
                public class Hero: NSManagedObject {
                }

                """)
    }

    @Test func propertiesFile() throws {
        let text = try ModelText(ModelText.hero).generate()["Hero+CoreDataProperties.swift"]
        expect(text, equals: Self.properties)
    }

    private static let properties = """
        // Hero+CoreDataProperties.swift
        // Generated from the model Heroes. Changes are lost.

        public import CoreData

        nonisolated extension Hero {
            @nonobjc public class func fetchRequest() -> NSFetchRequest<Hero> {
                return NSFetchRequest<Hero>(entityName: "Hero")
            }
        }

        #if canImport(ObjectiveC)
        nonisolated extension Hero {
            @NSManaged public var age: Int16
            /// What the papers call them.
            @NSManaged public var name: String?
            @NSManaged public var powers: NSSet?
        }
        #else
        nonisolated extension Hero {
            public var age: Int16 {
                get { self[ManagedAttribute("age", word: 1, index: 0)] }
                set { self[ManagedAttribute("age", word: 1, index: 0)] = newValue }
            }

            /// What the papers call them.
            public var name: String? {
                get { self[ManagedAttribute("name", word: 2, index: 1)] }
                set { self[ManagedAttribute("name", word: 2, index: 1)] = newValue }
            }

            public var powers: NSSet? {
                get { self[ManagedRelationship("powers", number: 2)] }
                set { self[ManagedRelationship("powers", number: 2)] = newValue }
            }
        }
        #endif

        // MARK: Generated accessors for powers

        #if canImport(ObjectiveC)
        nonisolated extension Hero {
            @objc(addPowersObject:)
            @NSManaged public func addToPowers(_ value: Power)

            @objc(removePowersObject:)
            @NSManaged public func removeFromPowers(_ value: Power)

            @objc(addPowers:)
            @NSManaged public func addToPowers(_ values: NSSet)

            @objc(removePowers:)
            @NSManaged public func removeFromPowers(_ values: NSSet)
        }
        #else
        nonisolated extension Hero {
            public func addToPowers(_ value: Power) { add(value, to: ManagedRelationship("powers", number: 2)) }
            public func removeFromPowers(_ value: Power) { remove(value, from: ManagedRelationship("powers", number: 2)) }
            public func addToPowers(_ values: NSSet) { add(values, to: ManagedRelationship("powers", number: 2)) }
            public func removeFromPowers(_ values: NSSet) { remove(values, from: ManagedRelationship("powers", number: 2)) }
        }
        #endif

        #if !canImport(ObjectiveC)
        public final class Hero__Keys: ManagedKeys {
            public override class func register(in keys: inout KeyRegistry) {
                keys.attribute("age", word: 1, index: 0, of: Int16.self)
                keys.attribute("name", word: 2, index: 1, of: String?.self)
                keys.relationship("powers", number: 2)
            }
            public override class func registerKeyPaths(in keys: inout KeyRegistry) {
                keys.register(keyPaths)
            }
        }

        extension Hero__Keys {
            private static func keyPaths(in keys: inout KeyRegistry) {
                keys.keyPath("age", \\Hero.age)
                keys.keyPath("name", \\Hero.name)
                keys.keyPath("powers", \\Hero.powers)
            }
        }
        #endif

        nonisolated extension Hero: Identifiable {
        }

        """

    @Test func modesCanBeForced() throws {
        let model = try ModelText(ModelText.hero)
        try expect(
            model.generate { $0.mode = .category }.keys.sorted(),
            equals: [
                "Hero+CoreDataProperties.swift", "Power+CoreDataProperties.swift",
            ])
        try expect(model.generate { $0.mode = .class }.count, equals: 4)
        try expect(
            model.generate {
                $0.mode = .class
                $0.entities = ["Power"]
            }.keys.sorted(), equals: ["Power+CoreDataClass.swift", "Power+CoreDataProperties.swift"])
        let failure = #expect(throws: GenerationFailure.self) {
            try model.generate { $0.entities = ["Villain"] }
        }
        expect(failure?.problems.map(\.entity), equals: ["Villain"])
    }

    @Test func oneFileForTheModel() throws {
        let text = try ModelText(ModelText.hero).text { $0.access = .internal }
        expect(text.components(separatedBy: "import CoreData").count, equals: 2)
        #expect(text.contains("\ninternal class Hero: NSManagedObject {"))
        #expect(!text.contains("class Power:"))
        #expect(text.contains("extension Power {"))
        #expect(!text.contains("public"))
    }

    @Test func openClassesHavePublicMembers() throws {
        let text = try ModelText(ModelText.hero).text { $0.access = .open }
        #expect(text.contains("open class Hero: NSManagedObject"))
        #expect(text.contains("public var age: Int16"))
        #expect(!text.contains("open var"))
    }

    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func realModelsGiveTheSameSourcesEachTime() throws {
        var classes = 0
        for path in SharedFiles.paths(under: "models", suffix: ".xcdatamodeld") {
            guard SharedFiles.paths(under: path, suffix: ".xcdatamodel").count > 0 else { continue }
            let model = try SourceModel(contentsOf: SharedFiles.url(path))
            var options = GenerationOptions()
            options.mode = .class
            let first = try CodeGenerator(model, options: options)
            let second = try CodeGenerator(model, options: options)
            expect(first.files, equals: second.files)
            expect(Set(first.files.map(\.name)).count, equals: first.files.count)
            classes += first.files.filter(\.isForEditing).count
        }
        #expect(classes > 150)
    }
}
