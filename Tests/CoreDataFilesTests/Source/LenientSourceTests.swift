// Text that isn't what an XML attribute asks for: taken for what it plainly means, or left out, with a remark.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct LenientSourceTests {
    private func read(_ body: String, _ root: String = "") throws -> ModelSchema {
        try ModelSourceReader.read(Data("<model \(root)>\(body)</model>".utf8), from: "test")
    }

    private func remarks(_ model: ModelSchema) -> [String] {
        (model.source?.remarks ?? []).map(\.description)
    }

    private func attribute(_ text: String) throws -> (AttributeTraits, [String]) {
        let model = try read("<entity name=\"E\"><attribute name=\"a\" \(text)/></entity>")
        return (try #require(model.entities.first?.properties.first?.attribute), remarks(model))
    }

    private func property(_ text: String) throws -> (PropertySchema, [String]) {
        let model = try read("<entity name=\"E\"><\(text)/></entity>")
        return (try #require(model.entities.first?.properties.first), remarks(model))
    }

    // MARK: Default values

    @Test(arguments: [
        ("Integer 16", "NO", Value.integer(0)), ("Integer 32", "YES", .integer(1)),
        ("Integer 64", "true", .integer(1)), ("Integer 32", " 7 ", .integer(7)),
        ("Integer 32", "1 000", .integer(1000)), ("Integer 32", "1e3", .integer(1000)),
        ("Integer 64", "2,0", .integer(2)), ("Double", "1,5", .double(1.5)), ("Float", "YES", .double(1)),
        ("Decimal", "1,25", .decimal(Decimal(string: "1.25") ?? 0)), ("Decimal", "NO", .decimal(0)),
        ("Boolean", "2", .bool(true)), ("Boolean", "0.0", .bool(false)),
        ("Date", "2001-01-01 00:00:10 +0000", .date(Date(timeIntervalSinceReferenceDate: 10))),
        ("Date", "2001-01-01T00:00:10Z", .date(Date(timeIntervalSinceReferenceDate: 10))),
        (
            "UUID", "{E621E1F8C36C495A93FC0C247A3E6E5F}",
            .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID())
        ),
    ])
    func aDefaultValueThatPlainlyMeansOneIsTaken(_ type: String, _ text: String, _ value: Value) throws {
        let (traits, remarks) = try attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
        expect(traits.defaultValue, equals: value)
        expect(remarks.count, equals: 1)
        expect(
            remarks.first?.hasPrefix("E.a: \"defaultValueString\" is \"\(text)\", which is taken for"),
            equals: true)
    }

    @Test(arguments: [
        ("Boolean", "yes", Value.bool(true)), ("Boolean", "FALSE", .bool(false)),
        ("Boolean", "1", .bool(true)),
        ("Double", "1e3", .double(1000)), ("Decimal", "-2.50", .decimal(Decimal(string: "-2.5") ?? 0)),
        ("String", "", .string("")), ("String", "  ", .string("  ")), ("String", "NO", .string("NO")),
        ("Integer 32", "0.0", .integer(0)), ("Integer 16", "", .null), ("Boolean", "", .null),
        ("Date", " ", .null), ("UUID", "", .null),
        ("Binary", "", .null), ("Transformable", "", .null), ("URI", "", .null),
    ])
    func aDefaultValueAsXcodeSpellsItNeedsNoRemark(_ type: String, _ text: String, _ value: Value) throws {
        let (traits, remarks) = try attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
        expect(traits.defaultValue, equals: value)
        expect(remarks, equals: [])
    }

    @Test(arguments: [
        ("Integer 32", "many"), ("Integer 16", "70000"), ("Integer 32", "3000000000"), ("Integer 64", "1.5"),
        ("Integer 64", "9223372036854775808"), ("Integer 32", "1,000"), ("Integer 32", "1 00"),
        ("Double", "1,234.5"), ("Double", "nan"), ("Double", "1e999"), ("Float", "1e39"),
        ("Decimal", "1,000"),
        ("Decimal", "abc"), ("Boolean", "maybe"), ("Date", "yesterday"), ("UUID", "1234"),
        ("Binary", "AAEC"), ("Transformable", "x"), ("Undefined", "x"), ("ObjectID", "x"),
    ])
    func anyOtherDefaultValueIsLeftOut(_ type: String, _ text: String) throws {
        let (traits, remarks) = try attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
        expect(traits.defaultValue, equals: .null)
        expect(
            remarks,
            equals: [
                "E.a: \"defaultValueString\" is \"\(text)\", which is no value of type \(type): it is left out"
            ])
    }

    @Test func aDateIsTakenFromTheOtherAttributeIfItsOwnSaysNothing() throws {
        let (traits, remarks) = try attribute(
            "attributeType=\"Date\" defaultDateTimeInterval=\"soon\" defaultValueString=\"5\"")
        expect(traits.defaultValue, equals: .date(Date(timeIntervalSinceReferenceDate: 5)))
        expect(remarks.count, equals: 1)
        expect(remarks.first?.contains("\"defaultDateTimeInterval\" is \"soon\""), equals: true)
    }

    @Test func boundsThatAreNoneAreLeftOut() throws {
        let (number, remarks) = try property(
            "attribute name=\"a\" attributeType=\"Integer 16\" minValueString=\"low\" maxValueString=\"1e2\"")
        expect(
            number.validation,
            equals: [
                ValidationRule(
                    predicate: .comparison(
                        .init(.evaluatedObject, op: .lessThanOrEqualTo, right: .constant(.integer(100)))),
                    warning: .integer(1610))
            ])
        expect(
            remarks,
            equals: [
                "E.a: \"minValueString\" is \"low\", which is no value of type Integer 16: it is left out",
                "E.a: \"maxValueString\" is \"1e2\", which is taken for 100",
            ])
        let (date, others) = try property(
            "attribute name=\"a\" attributeType=\"Date\" minDateTimeInterval=\"x\" maxDateTimeInterval=\"\"")
        expect(date.validation, equals: [])
        expect(others.count, equals: 1)
        expect(others.first?.contains("\"minDateTimeInterval\""), equals: true)
    }

    // MARK: Types and words

    @Test func anAttributeWithoutTypeIsUndefined() throws {
        for text in ["", "attributeType=\"\"", "attributeType=\" \""] {
            let (traits, remarks) = try attribute("transient=\"YES\" " + text)
            expect(traits.type, equals: .undefined)
            expect(remarks, equals: [])
        }
        let model = try read("<entity name=\"E\"><attribute name=\"a\"/></entity>")
        let flaw = try #require(ModelSoundness.flaw(in: model))
        expect(flaw.description, equals: "E.a: the attribute has no type")
        expect(flaw.attribute, equals: "attributeType")
    }

    @Test(arguments: [
        ("INTEGER 16", AttributeType.integer16), ("Integer16", .integer16), ("string", .string),
        (" Date ", .date),
    ])
    func aTypeMayBeSpeltOtherwise(_ text: String, _ type: AttributeType) throws {
        let (traits, remarks) = try attribute("attributeType=\"\(text)\"")
        expect(traits.type, equals: type)
        expect(remarks.count, equals: 1)
    }

    @Test func anUnknownTypeIsUndefined() throws {
        let (traits, remarks) = try attribute("attributeType=\"Vector\" defaultValueString=\"1\"")
        expect(traits.type, equals: .undefined)
        expect(
            remarks.first,
            equals: "E.a: \"attributeType\" is \"Vector\", which isn't known: Undefined is assumed")
    }

    @Test(arguments: [
        ("CASCADE", DeleteRule.cascade, 1), ("noaction", .noAction, 1), ("Deny", .deny, 0), ("", .nullify, 0),
        ("Explode", .nullify, 1), ("7", .nullify, 1),
    ])
    func deletionRules(_ text: String, _ rule: DeleteRule, _ count: Int) throws {
        let (property, remarks) = try property(
            "relationship name=\"r\" destinationEntity=\"E\" deletionRule=\"\(text)\"")
        expect(property.relationship?.deleteRule, equals: rule)
        expect(remarks.count, equals: count)
    }

    @Test(arguments: [
        ("YES", true, 0), ("yes", true, 0), ("TRUE", true, 0), ("1", true, 0), (" YES ", true, 0),
        ("NO", false, 0), ("", false, 0), ("perhaps", false, 1), ("12", false, 1),
    ])
    func booleans(_ text: String, _ flag: Bool, _ count: Int) throws {
        for name in ["optional", "transient", "indexed", "spotlightIndexingEnabled", "storedInTruthFile"] {
            let (property, remarks) = try property(
                "attribute name=\"a\" attributeType=\"Date\" \(name)=\"\(text)\"")
            let flags = [
                property.isOptional, property.isTransient, property.isIndexed, property.isIndexedBySpotlight,
                property.isStoredInExternalRecord,
            ]
            expect(flags.filter { $0 }.count, equals: (flag ? 1 : 0))
            expect(remarks.count, equals: count)
            if count > 0 { expect(remarks.first?.contains("\"\(name)\" is \"\(text)\""), equals: true) }
        }
        let (traits, _) = try attribute("attributeType=\"Date\" usesScalarValueType=\"\(text)\"")
        expect(traits.usesScalarValueType, equals: flag)
    }

    @Test(arguments: [
        ("3", 3, 0), ("", 0, 0), ("3.0", 3, 0), ("1e1", 10, 1), ("-4", 0, 1), ("99999999999999999999", 0, 1),
        ("some", 0, 1), ("1.5", 0, 1),
    ])
    func counts(_ text: String, _ count: Int, _ remarkCount: Int) throws {
        let (property, remarks) = try property(
            "relationship name=\"r\" destinationEntity=\"E\" toMany=\"YES\" maxCount=\"\(text)\"")
        expect(property.relationship?.maxCount, equals: count)
        expect(remarks.count, equals: remarkCount)
        if remarkCount > 0 {
            expect(remarks.first?.hasPrefix("E.r: \"maxCount\" is \"\(text)\""), equals: true)
        }
    }

    @Test func emptyTextsAreNone() throws {
        let model = try read(
            """
            <entity name="E" parentEntity="" representedClassName="" elementID="" versionHashModifier=" "
            codeGenerationType="" coreSpotlightDisplayNameExpression="">
            <attribute name="a" attributeType="String" elementID="" versionHashModifier="" valueTransformerName=""
            customClassName="" regularExpressionString="" minValueString="" derivationExpression=""/>
            <relationship name="r" destinationEntity="E" inverseName="" inverseEntity="" minCount=""/>
            <fetchIndex name="i" partialIndexPredicate=""><fetchIndexElement property="a" type="" order=""/></fetchIndex>
            </entity>
            <fetchRequest name="f" entity="E" predicateString="" fetchLimit="" includeSubentities=""/>
            """, "documentVersion=\"\"")
        var entity = EntitySchema(name: "E")
        entity.properties = [
            PropertySchema(name: "a", kind: .attribute(AttributeTraits(.string))),
            PropertySchema(
                name: "r", kind: .relationship(RelationshipTraits(destinationEntityName: "E", maxCount: 1))),
        ]
        entity.properties[0].isOptional = false
        entity.properties[1].isOptional = false
        entity.indexes = [FetchIndexSchema(name: "i", elements: [.init(.property("a"))])]
        expect(model.entities, equals: [entity])
        expect(model.fetchTemplates, equals: [.init(name: "f", request: FetchRequestSchema(entityName: "E"))])
        expect(remarks(model), equals: [])
    }

    // MARK: Indexes, user info, configurations, expressions

    @Test func anIndexWithoutSubjectIsLeftOut() throws {
        let model = try read(
            """
            <entity name="E"><attribute name="a" attributeType="Date"/>
            <fetchIndex name="i"><fetchIndexElement type="Binary"/></fetchIndex>
            <fetchIndex><fetchIndexElement property="a"/></fetchIndex>
            <fetchIndex name="j"><fetchIndexElement property="a" type="BTREE" order="DESCENDING"/></fetchIndex>
            <compoundIndexes><compoundIndex><index value="a"/><index/></compoundIndex></compoundIndexes>
            </entity>
            """)
        let entity = try #require(model.entities.first)
        expect(
            entity.indexes,
            equals: [
                FetchIndexSchema(name: "j", elements: [.init(.property("a"), isAscending: false)])
            ])
        expect(entity.compoundIndexes, equals: [])
        expect(remarks(model).count, equals: 5)
    }

    @Test func partsWithoutNameAreLeftOut() throws {
        let model = try read(
            """
            <entity name="E" coreSpotlightDisplayNameExpression="((">
            <userInfo><entry value="1"/><entry key="k"/></userInfo></entity>
            <configuration name="C"><memberEntity name="E"/><memberEntity/></configuration>
            """)
        expect(model.entities.first?.userInfo, equals: [.string("k"): .string("")])
        #expect(model.entities.first?.coreSpotlightDisplayNameExpression == nil)
        expect(model.configurations, equals: [.init(name: "C", entityNames: ["E"])])
        expect(remarks(model).filter { $0.contains("it is left out") }.count, equals: 3, "\(remarks(model))")
    }

    // MARK: Refused

    @Test(
        arguments: [
            ("<entity/>", nil, nil, "<entity> number 1 has no \"name\""),
            ("<entity name=\"\"/>", nil, nil, "<entity> number 1 has no \"name\""),
            (
                "<entity name=\"E\"><attribute name=\"b\"/><attribute name=\" \"/></entity>", "E", nil,
                "<attribute> number 2 has no \"name\""
            ),
            (
                "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Date\" derived=\"YES\"/></entity>",
                "E",
                "a", "the derived attribute has no \"derivationExpression\""
            ),
            (
                "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\"/></entity>", "E", "a",
                "<attribute> number 1 has no \"composite\""
            ),
            (
                "<entity name=\"E\"><fetchedProperty name=\"f\"/></entity>", "E", "f",
                "the fetched property has no <fetchRequest>"
            ),
            (
                "<entity name=\"E\"><uniquenessConstraints><uniquenessConstraint><constraint/></uniquenessConstraint>"
                    + "</uniquenessConstraints></entity>", "E", nil, "<constraint> number 1 has no \"value\""
            ),
            ("<configuration/>", nil, nil, "<configuration> number 1 has no \"name\""),
            ("<fetchRequest entity=\"E\"/>", nil, nil, "<fetchRequest> number 1 has no \"name\""),
        ] as [(String, String?, String?, String)])
    func whatCantBeReadNamesItsPlace(
        _ body: String, _ entity: String?, _ property: String?, _ reason: String
    ) throws {
        #expect(throws: ModelFileError(file: "test", entity: entity, property: property, reason: reason)) {
            try read(body)
        }
    }

    @Test(
        arguments: [
            ("<fetchRequest name=\"f\" entity=\"E\" predicateString=\"((\"/>", "predicateString", nil),
            (
                "<entity name=\"E\"><attribute name=\"f\" attributeType=\"Date\" derived=\"YES\" "
                    + "derivationExpression=\"((\"/></entity>", "derivationExpression", "E"
            ),
            (
                "<entity name=\"E\"><fetchedProperty name=\"f\"><fetchRequest entity=\"E\" predicateString=\"a ==\"/>"
                    + "</fetchedProperty></entity>", "predicateString", "E"
            ),
        ] as [(String, String, String?)])
    func aPredicateThatDoesNotParseNamesItsAttribute(
        _ body: String, _ attribute: String, _ entity: String?
    ) throws {
        let error = try #require(throws: ModelFileError.self) { try read(body) }
        expect(error.entity, equals: entity)
        expect(error.property, equals: "f")
        #expect(error.reason.hasPrefix("\"\(attribute)\": "))
        #expect(error.reason.contains("does not parse"))
    }

    @Test func referencesThatLeadNowhereNameTheirAttribute() throws {
        func flaw(_ text: String) throws -> ModelFlaw? {
            try ModelSoundness.flaw(in: read("<entity name=\"E\"><\(text)/></entity>"))
        }
        try expect(
            flaw("relationship name=\"r\" destinationEntity=\"Nobody\"")?.sourceReason,
            equals: "the destination entity \"Nobody\" isn't in the model (\"destinationEntity\")")
        try expect(
            flaw("relationship name=\"r\" destinationEntity=\"E\" inverseName=\"x\"")?.attribute,
            equals: "inverseName")
        try expect(
            ModelSoundness.flaw(in: read("<entity name=\"E\" parentEntity=\"F\"/>"))?.attribute,
            equals: "parentEntity")
    }
}
