// The types of properties.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct PropertyTypeTests {
    private static func model(_ elements: String, _ more: String = "") throws -> ModelText {
        try ModelText(
            """
            <entity name="Hero" representedClassName="Hero" codeGenerationType="class">\(elements)</entity>
            <entity name="Power" representedClassName="Power" codeGenerationType="class">
                <relationship name="hero" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Hero"/>
            </entity>\(more)
            """)
    }

    private static func attribute(_ type: String, scalar: Bool, optional: Bool = true, _ more: String = "")
        -> String
    {
        """
        <attribute name="it" optional="\(optional ? "YES" : "NO")" attributeType="\(type)" \
        usesScalarValueType="\(scalar ? "YES" : "NO")" \(more)/>
        """
    }

    @Test(arguments: [
        ("Integer 16", true, "Int16"), ("Integer 32", true, "Int32"), ("Integer 64", true, "Int64"),
        ("Boolean", true, "Bool"), ("Double", true, "Double"), ("Float", true, "Float"),
        ("Date", true, "TimeInterval"), ("Integer 16", false, "NSNumber?"), ("Boolean", false, "NSNumber?"),
        ("Date", false, "Date?"), ("Decimal", false, "NSDecimalNumber?"), ("String", false, "String?"),
        ("Binary", false, "Data?"), ("UUID", false, "UUID?"), ("URI", false, "URL?"),
        ("Transformable", false, "NSObject?"), ("ObjectID", false, "NSManagedObjectID?"),
    ])
    func xcodesTypes(_ type: String, _ scalar: Bool, _ expected: String) throws {
        let text = try Self.model(Self.attribute(type, scalar: scalar)).text()
        #expect(text.contains("@NSManaged public var it: \(expected)\n"))
        #expect(text.contains("    public var it: \(expected) {\n"))
    }

    @Test func customClassesOfTransformables() throws {
        let custom = Self.attribute("Transformable", scalar: false, "customClassName=\"[String]\"")
        #expect(try Self.model(custom).text().contains("public var it: [String]?"))
        let wrong = Self.attribute("Transformable", scalar: false, "customClassName=\"a; b\"")
        let failure = #expect(throws: GenerationFailure.self) { try Self.model(wrong).text() }
        expect(failure?.problems.first?.property, equals: "it")
    }

    @Test func optionalScalars() throws {
        let model = try Self.model(Self.attribute("Integer 32", scalar: true))
        let text = try model.text { $0.usesOptionalScalars = true }
        #expect(text.contains("(primitiveValue(forKey: \"it\") as? NSNumber)?.int32Value"))
        #expect(text.contains("public var it: Int32? {"))
        let required = try Self.model(Self.attribute("Integer 32", scalar: true, optional: false))
        #expect(
            try required.text { $0.usesOptionalScalars = true }.contains("@NSManaged public var it: Int32\n"))
    }

    @Test func requiredProperties() throws {
        let text = try Self.model(Self.attribute("String", scalar: false, optional: false)).text {
            $0.keepsRequired = true
        }
        #expect(text.contains("@NSManaged public var it: String\n"))
    }

    @Test func decimals() throws {
        let text = try Self.model(Self.attribute("Decimal", scalar: false)).text { $0.usesDecimal = true }
        #expect(text.contains("@NSManaged public var it: Decimal?\n"))
    }

    @Test func dateIntervalsReadTheSlotAsADate() throws {
        let text = try Self.model(Self.attribute("Date", scalar: true)).text()
        #expect(text.contains("get { (self[ManagedAttribute(\"it\", word: 1, index: 0)] as Date)"))
        #expect(text.contains("keys.attribute(\"it\", word: 1, index: 0, of: Date.self)"))
    }

    @Test func derivedAttributesAreReadOnly() throws {
        let derived = """
            <attribute name="it" attributeType="String" derived="YES" derivationExpression="name"/>
            <attribute name="name" attributeType="String"/>
            """
        let text = try Self.model(derived).text()
        #expect(text.contains("@NSManaged public private(set) var it: String?"))
        #expect(text.contains("public var it: String? {\n        self[ManagedAttribute("))
    }

    @Test func compositeAttributesAreFoundByKey() throws {
        let composite = """
            <attribute name="it" optional="YES" attributeType="Composite" composite="Place"/>
            """
        let text = try Self.model(
            composite,
            "<composite name=\"Place\"><attribute name=\"city\" attributeType=\"String\"/></composite>"
        ).text()
        #expect(
            text.contains("public var it: [String: Any]? {\n        get { self[ManagedAttribute(\"it\")] }"))
    }

    @Test func relationships() throws {
        func relationship(_ more: String) -> String {
            """
            <relationship name="powers" optional="YES" \(more) deletionRule="Nullify" destinationEntity="Power"/>
            """
        }
        let toOne = try Self.model(relationship("maxCount=\"1\"")).text()
        #expect(toOne.contains("@NSManaged public var powers: Power?"))
        let sets = try Self.model(relationship("toMany=\"YES\"")).text { $0.usesNativeSets = true }
        #expect(sets.contains("@NSManaged public var powers: Set<Power>\n"))
        #expect(sets.contains("func removeFromPowers(_ values: Set<Power>)"))
        let ordered = try Self.model(relationship("toMany=\"YES\" ordered=\"YES\"")).text()
        #expect(ordered.contains("@NSManaged public var powers: NSOrderedSet?"))
        for selector in [
            "insertObject:inPowersAtIndex:", "removeObjectFromPowersAtIndex:", "insertPowers:atIndexes:",
            "removePowersAtIndexes:", "replaceObjectInPowersAtIndex:withObject:",
            "replacePowersAtIndexes:withPowers:", "addPowersObject:", "removePowersObject:", "addPowers:",
            "removePowers:",
        ] {
            #expect(ordered.contains("@objc(\(selector))"))
        }
    }

    @Test func fetchedProperties() throws {
        let fetched = """
            <fetchedProperty name="older" optional="YES"><fetchRequest name="older" entity="Hero" \
            predicateString="age &gt; $FETCH_SOURCE.age"/></fetchedProperty>
            """
        let text = try Self.model(fetched).text()
        #expect(text.contains("@NSManaged public private(set) var older: [Hero]?"))
        #expect(!text.contains("set { self[ManagedRelationship(\"older\""))
        #expect(text.contains("self[ManagedRelationship(\"older\", number: 0)]"))
        #expect(text.contains("keys.relationship(\"older\", number: 0)"))
    }

    @Test func anIDThatIsNotHashableKeepsTheClassFromBeingIdentifiable() throws {
        let id =
            "<attribute name=\"id\" optional=\"YES\" attributeType=\"Transformable\" customClassName=\"Any\"/>"
        let generation = try Self.model(id).generation()
        expect(generation.warnings.map(\.property), equals: ["id"])
        #expect(!generation.files.contains { $0.text.contains("Hero: Identifiable") })
    }
}
