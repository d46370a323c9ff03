// Classes with `@Model` of a model, whole files and one word after the other.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SwiftDataGeneratorTests {
    private func generate(
        _ elements: String, _ change: (inout GenerationOptions) -> Void = { _ in }
    ) throws -> SwiftDataGenerator {
        var options = GenerationOptions()
        change(&options)
        let model = try ModelText(elements)
        return try SwiftDataGenerator(SourceModel(contentsOf: model.url), options: options)
    }

    /// The class of an entity `A` with these elements.
    private func text(_ elements: String, attributes: String = "") throws -> String {
        let code = try generate("<entity name=\"A\" \(attributes)>\(elements)</entity>") {
            $0.access = .internal
        }
        return try #require(code.files.first { $0.name == "A.swift" }).text
    }

    private func warnings(_ elements: String) throws -> [String] {
        try generate(elements).warnings.map { problem in
            [problem.entity, problem.property, problem.message].compactMap(\.self).joined(separator: ": ")
        }
    }

    @Test func aWholeFile() throws {
        let code = try generate(ModelText.hero)
        expect(code.files.map(\.name), equals: ["Hero.swift", "Power.swift"])
        #expect(code.files.allSatisfy { $0.isForEditing })
        #expect(code.warnings.isEmpty)
        #expect(
            code.files[0].text == """
                // Hero.swift
                // Made from the model Heroes. Yours to edit.

                public import SwiftData

                @Model
                public final class Hero {
                    public var age: Int16?

                    /// What the papers call them.
                    public var name: String

                    @Relationship(deleteRule: .cascade, inverse: \\Power.hero)
                    public var powers: [Power] = []

                    public init(name: String) {
                        self.name = name
                    }
                }

                """)
        #expect(code.files[1].text.contains("    public var hero: Hero?\n"))
        #expect(code.files[1].text.contains("    public init() {}\n"))
    }

    private typealias Default = (name: String, type: String, stated: String, written: String)

    private static let defaults: [Default] = [
        ("Integer 16", "Int16", "7", "7"), ("Integer 32", "Int32", "7", "7"),
        ("Integer 64", "Int64", "7", "7"),
        ("Double", "Double", "1.5", "1.5"), ("Float", "Float", "1.5", "1.5"),
        ("Decimal", "Decimal", "12", "12"),
        ("Decimal", "Decimal", "0.1", "Decimal(string: \"0.1\")!"), ("Boolean", "Bool", "YES", "true"),
        ("String", "String", "a&quot;b\\", "\"a\\\"b\\\\\""),
        (
            "UUID", "UUID", "A1B2C3D4-0000-0000-0000-000000000001",
            "UUID(uuidString: \"A1B2C3D4-0000-0000-0000-000000000001\")!"
        ),
        ("URI", "URL", "https://example.org/a", "URL(string: \"https://example.org/a\")!"),
    ]

    @Test(arguments: defaults)
    private func defaultsAreWritten(_ kind: Default) throws {
        let attribute =
            "<attribute name=\"a\" attributeType=\"\(kind.name)\" defaultValueString=\"\(kind.stated)\""
        #expect(try text(attribute + "/>").contains("    var a: \(kind.type) = \(kind.written)\n"))
        #expect(
            try text(attribute + " optional=\"YES\"/>").contains(
                "    var a: \(kind.type)? = \(kind.written)\n"))
        #expect(try text(attribute + "/>").contains("    init() {}\n"))
    }

    @Test func dates() throws {
        let text = try text("<attribute name=\"a\" attributeType=\"Date\" defaultDateTimeInterval=\"600\"/>")
        #expect(text.contains("    var a: Date = Date(timeIntervalSinceReferenceDate: 600.0)\n"))
        #expect(text.contains("\nimport Foundation\nimport SwiftData\n"))
    }

    @Test func options() throws {
        let data =
            "<attribute name=\"a\" optional=\"YES\" attributeType=\"Binary\" allowsExternalBinaryDataStorage=\"YES\""
        #expect(
            try text(
                data
                    + " preserveAfterDeletion=\"YES\" allowsCloudEncryption=\"YES\" spotlightIndexingEnabled=\"YES\"/>"
            )
            .contains(
                "@Attribute(.externalStorage, .preserveValueOnDeletion, .allowsCloudEncryption, .spotlight)\n    var a: Data?\n"
            ))
        let number = "<attribute name=\"a\" optional=\"YES\" attributeType=\"Integer 64\""
        #expect(
            try text(number + " elementID=\"old\" versionHashModifier=\"2\"/>")
                .contains("@Attribute(originalName: \"old\", hashModifier: \"2\")\n    var a: Int64?\n"))
        #expect(
            try text(number + " transient=\"YES\"/>").contains("@Attribute(.ephemeral)\n    var a: Int64?\n"))
    }

    @Test func transformables() throws {
        let attribute = "<attribute name=\"a\" optional=\"YES\" attributeType=\"Transformable\""
        #expect(
            try text(attribute + " valueTransformerName=\"Colors\" customClassName=\"[Color]\"/>")
                .contains("@Attribute(.transformable(by: \"Colors\"))\n    var a: [Color]?\n"))
        #expect(
            try text(attribute + "/>")
                .contains(
                    "@Attribute(.transformable(by: \"NSKeyedUnarchiveFromData\"))\n    var a: NSObject?\n"))
        let transient =
            "<attribute name=\"a\" transient=\"YES\" attributeType=\"Undefined\" customClassName=\"Cache\"/>"
        #expect(try text(transient).contains("@Transient\n    var a: Cache?\n"))
    }

    @Test func constraintsAndIndexes() throws {
        let attributes = ["a", "b", "c"].map {
            "<attribute name=\"\($0)\" attributeType=\"Double\" defaultValueString=\"0\"/>"
        }
        let constraint = """
            <uniquenessConstraints><uniquenessConstraint><constraint value="a"/></uniquenessConstraint>\
            <uniquenessConstraint><constraint value="b"/><constraint value="c"/></uniquenessConstraint></uniquenessConstraints>
            """
        func index(_ type: String) -> String {
            """
            <fetchIndex name="byAB"><fetchIndexElement property="a" type="\(type)" order="ascending"/>\
            <fetchIndexElement property="b" type="\(type)" order="ascending"/></fetchIndex>
            """
        }
        let binary = try text(attributes.joined() + constraint + index("Binary"))
        #expect(binary.contains("    #Unique<A>([\\.a], [\\.b, \\.c])\n    #Index<A>([\\.a, \\.b])\n\n"))
        #expect(
            try text(attributes.joined() + index("RTree")).contains("    #Index<A>(.rtree([\\.a, \\.b]))\n"))
    }

    @Test func inheritance() throws {
        let code = try generate(
            """
            <entity name="Base"><attribute name="name" attributeType="String"/></entity>
            <entity name="Middle" parentEntity="Base"/>
            <entity name="Leaf" parentEntity="Middle"><attribute name="size" attributeType="Integer 32"/></entity>
            """
        ) { $0.isOneFile = true }
        expect(code.files.map(\.name), equals: ["Heroes.swift"])
        let text = code.files[0].text
        #expect(text.contains("public class Base {\n"))
        #expect(
            text.contains(
                "@Model\npublic class Middle: Base {\n    public override init(name: String) {\n        super.init(name: name)\n"
            ))
        #expect(
            text.contains(
                """
                public final class Leaf: Middle {
                    public var size: Int32

                    public init(name: String, size: Int32) {
                        self.size = size
                        super.init(name: name)
                    }
                """))
    }

    @Test func relationships() throws {
        let code = try generate(
            """
            <entity name="Team">
            <relationship name="players" toMany="YES" minCount="2" maxCount="11" deletionRule="Deny" destinationEntity="Player" \
            inverseName="team" inverseEntity="Player"/>
            <relationship name="rivals" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Team" \
            inverseName="rivals" inverseEntity="Team"/></entity>
            <entity name="Player"><relationship name="team" maxCount="1" minCount="1" deletionRule="No Action" \
            destinationEntity="Team" inverseName="players" inverseEntity="Team"/></entity>
            """)
        #expect(
            code.files[1].text.contains(
                "@Relationship(deleteRule: .deny, minimumModelCount: 2, maximumModelCount: 11, inverse: \\Player.team)\n"
            ))
        #expect(code.files[1].text.contains("    public var rivals: [Team] = []\n"))
        #expect(
            code.files[0].text.contains(
                "    @Relationship(deleteRule: .noAction)\n    public var team: Team\n\n    public init(team: Team) {\n"
            ))
        expect(code.warnings.map(\.property), equals: ["rivals"])
    }

    @Test func objectsThatNeedEachOtherCanBeMade() throws {
        func side(_ name: String, _ other: String) -> String {
            """
            <entity name="\(name)"><relationship name="other" maxCount="1" minCount="1" deletionRule="Nullify" \
            destinationEntity="\(other)" inverseName="other" inverseEntity="\(other)"/></entity>
            """
        }
        let code = try generate(side("A", "B") + side("B", "A"))
        #expect(code.files[0].text.contains("@Relationship(inverse: \\B.other)\n    public var other: B?\n"))
        #expect(code.files[1].text.contains("    public var other: A?\n"))
        expect(code.warnings.map(\.entity), equals: ["A", "B"])
    }

    @Test func composites() throws {
        let code = try generate(
            """
            <entity name="Shop"><attribute name="address" optional="YES" attributeType="Composite" composite="Address"/></entity>
            <composite name="Address"><attribute name="city" optional="YES" attributeType="String"/>\
            <attribute name="floor" attributeType="Integer 16" defaultValueString="0"/></composite>
            """)
        expect(code.files.map(\.name), equals: ["Address.swift", "Shop.swift"])
        #expect(code.files[1].text.contains("    public var address: Address?\n"))
        #expect(
            code.files[0].text.hasSuffix(
                """
                public struct Address: Codable, Hashable, Sendable {
                    public var city: String?
                    public var floor: Int16

                    public init(city: String? = nil, floor: Int16 = 0) {
                        self.city = city
                        self.floor = floor
                    }
                }

                """))
    }

    @Test func namesThatAreTaken() throws {
        let code = try generate(
            """
            <entity name="Model"><attribute name="class" optional="YES" attributeType="String"/></entity>
            <entity name="Date"><attribute name="day" optional="YES" attributeType="Date"/></entity>
            """)
        #expect(code.files[1].text.contains("@SwiftData.Model\n"))
        #expect(code.files[1].text.contains("    public var `class`: String?\n"))
        #expect(code.files[0].text.contains("    public var day: Foundation.Date?\n"))
        let renamed = try text("<attribute name=\"modelContext\" optional=\"YES\" attributeType=\"String\"/>")
        #expect(
            renamed.contains(
                "@Attribute(originalName: \"modelContext\")\n    var modelContextValue: String?\n"))
    }

    @Test func whatSwiftDataCannotSayIsNamed() throws {
        let found = try warnings(
            """
            <entity name="Hero" representedClassName="XHero" isAbstract="YES" elementID="Old" versionHashModifier="1">
            <attribute name="name" optional="YES" attributeType="String" minValueString="3">
            <userInfo><entry key="hint" value="x"/></userInfo></attribute>
            <attribute name="upper" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(name)"/>
            <relationship name="friends" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Hero"/>
            <fetchedProperty name="all" optional="YES"><fetchRequest name="x" entity="Hero"/></fetchedProperty>
            <fetchIndex name="down" ><fetchIndexElement property="name" type="Binary" order="descending"/></fetchIndex>
            </entity>
            <fetchRequest name="everyone" entity="Hero"/>
            <configuration name="Local"><memberEntity name="Hero"/></configuration>
            """)
        let wanted = [
            "Hero: the class is called as the entity", "Hero: SwiftData has no abstract entities",
            "Hero: a class can't state an original name", "Hero: a class can't state a hash modifier",
            "Hero: name: SwiftData has no validation rules: ", "Hero: name: SwiftData has no user info: hint",
            "Hero: upper: SwiftData has no derived attributes",
            "Hero: friends: SwiftData's relationships have no order",
            "Hero: all: SwiftData has no fetched properties", "Hero: the index \"down\" ascends",
            "Hero: SwiftData has no fetch request templates: \"everyone\"",
            "the configuration \"Local\" is left out",
        ]
        for start in wanted {
            #expect(found.contains { $0.hasPrefix(start) }, "\(start) is not among \(found)")
        }
        expect(
            found.filter { !$0.hasPrefix("Hero: friends: ") || $0.contains("order") }.count,
            equals: wanted.count)
    }

    @Test func mistakesAreThrown() throws {
        #expect(throws: GenerationFailure.self) { try generate(ModelText.hero) { $0.entities = ["Villain"] } }
        let one = try generate(ModelText.hero) { $0.entities = ["Power"] }
        expect(one.files.map(\.name), equals: ["Power.swift"])
    }
}
