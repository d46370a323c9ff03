// Inheritance, shared classes, modules, and names that get in the way.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ClassPlannerTests {
    private static func entity(
        _ name: String, class className: String? = nil, parent: String? = nil, abstract: Bool = false,
        _ elements: String = ""
    ) -> String {
        let parent = parent.map { " parentEntity=\"\($0)\"" } ?? ""
        let abstract = abstract ? " isAbstract=\"YES\"" : ""
        return """
            <entity name="\(name)" representedClassName="\(className ?? name)"\(parent)\(abstract) \
            codeGenerationType="class">\(elements)</entity>
            """
    }

    private static func string(_ name: String) -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
    }

    @Test func subclassesHaveTheirOwnPropertiesOnly() throws {
        let text = try ModelText(
            Self.entity("Person", abstract: true, Self.string("name"))
                + Self.entity("Hero", parent: "Person", Self.string("alias"))
        ).text()
        #expect(text.contains("public class Hero: Person {"))
        #expect(text.contains("public class Person: NSManagedObject {"))
        expect(text.components(separatedBy: "@NSManaged public var name").count, equals: 2)
        expect(text.components(separatedBy: ": Identifiable").count, equals: 2)
        #expect(text.contains("ManagedAttribute(\"alias\", word: 2, index: 1)"))
        #expect(text.contains("NSFetchRequest<Hero>(entityName: \"Hero\")"))
    }

    @Test func aClassOfSeveralEntitiesHasThePropertiesOfAll() throws {
        let text = try ModelText(
            Self.entity("Cat", class: "Animal", Self.string("name") + Self.string("breed"))
                + Self.entity("Dog", class: "Animal", Self.string("name"))
        ).text()
        expect(text.components(separatedBy: "class Animal:").count, equals: 2)
        #expect(text.contains("ManagedAttribute(\"breed\", word: 1, index: 0)"))
        // At different places in the two: found by key.
        #expect(text.contains("self[ManagedAttribute(\"name\")]"))
        #expect(!text.contains("keys.attribute(\"name\""))
    }

    @Test func entitiesWithOneClassMustAgree() throws {
        let number = "<attribute name=\"name\" attributeType=\"Integer 32\" usesScalarValueType=\"YES\"/>"
        let types = try ModelText(
            Self.entity("Cat", class: "Animal", Self.string("name"))
                + Self.entity("Dog", class: "Animal", number))
        let failure = #expect(throws: GenerationFailure.self) { try types.text() }
        expect(failure?.problems.map(\.entity), equals: ["Dog"])
        expect(failure?.problems.map(\.property), equals: ["name"])
        let parents = try ModelText(
            Self.entity("Thing") + Self.entity("Cat", class: "Animal", parent: "Thing")
                + Self.entity("Dog", class: "Animal"))
        #expect(throws: GenerationFailure.self) { try parents.text() }
    }

    @Test func subentitiesMayShareTheClass() throws {
        let text = try ModelText(
            Self.entity("Animal", Self.string("name"))
                + Self.entity("Cat", class: "Animal", parent: "Animal", Self.string("breed"))
        ).text()
        #expect(text.contains("public class Animal: NSManagedObject {"))
        #expect(text.contains("ManagedAttribute(\"breed\", word: 2, index: 1)"))
        #expect(text.contains("NSFetchRequest<Animal>(entityName: \"Animal\")"))
    }

    @Test func entitiesWithoutAClassGetNone() throws {
        let model = try ModelText(
            Self.entity("Plain", class: "NSManagedObject", Self.string("note"))
                + Self.entity("Hero", parent: "Plain", Self.string("name")))
        let files = try model.generate()
        expect(files.keys.sorted(), equals: ["Hero+CoreDataClass.swift", "Hero+CoreDataProperties.swift"])
        // The parent has no class of its own for its property: the first class below offers it.
        expect(files["Hero+CoreDataProperties.swift"]?.contains("var note: String?"), equals: true)
    }

    @Test func modulesAreLeftOutAndForeignClassesAlone() throws {
        let model = try ModelText(
            Self.entity("Hero", class: ".Hero") + Self.entity("Power", class: "App.Power")
                + Self.entity("Tool", class: "Kit.Tool", Self.string("name"))
                + Self.entity("Hammer", class: "Hammer", parent: "Tool"))
        let text = try model.text { $0.module = "App" }
        #expect(text.contains("public class Hero: NSManagedObject"))
        #expect(text.contains("public class Power: NSManagedObject"))
        #expect(!text.contains("class Tool"))
        #expect(text.contains("public class Hammer: Kit.Tool"))
        #expect(text.contains("public import Kit"))
        #expect(try model.text().contains("public class Tool: NSManagedObject"))
    }

    @Test func wordsOfTheLanguageAndTypesOfOthers() throws {
        let date = "<attribute name=\"default\" attributeType=\"Date\" usesScalarValueType=\"NO\"/>"
        let text = try ModelText(Self.entity("Date", date) + Self.entity("Type")).text()
        #expect(text.contains("public var `default`: Foundation.Date?"))
        let group = try ModelText(Self.entity("Rule", Self.string("precedencegroup"))).text()
        #expect(group.contains("public var `precedencegroup`: String?"))
        #expect(text.contains("public class `Type`: NSManagedObject"))
        #expect(text.contains("NSFetchRequest<`Type`>"))
    }

    @Test func namesOfMembersAreErrors() throws {
        let model = try ModelText(Self.entity("Hero", Self.string("objectID")))
        let failure = #expect(throws: GenerationFailure.self) { try model.text() }
        expect(
            failure?.description.contains(
                "Heroes.xcdatamodel: error: entity Hero, property objectID: NSManagedObject has a property"),
            equals: true)
        let warnings = try ModelText(Self.entity("Hero", Self.string("copy"))).generation().warnings
        expect(warnings.map(\.property), equals: ["copy"])
        #expect(
            try ModelText(Self.entity("Hero", Self.string("version"))).generation().warnings.isEmpty)
    }

    @Test func classesMustHaveNamesOfClasses() throws {
        let model = try ModelText(Self.entity("Hero", class: "My Hero"))
        #expect(throws: GenerationFailure.self) { try model.text() }
    }
}
