// Source models made for the test: features that the real files lack, and hostile ones.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ModelSourceTests {
    private func read(_ body: String) throws -> ModelSchema {
        try ModelSourceReader.read(Data("<?xml version=\"1.0\"?><model>\(body)</model>".utf8), from: "test")
    }

    private func attribute(_ text: String) throws -> PropertySchema {
        let model = try read("<entity name=\"E\"><attribute name=\"a\" \(text)/></entity>")
        return try #require(model.entities.first?.properties.first)
    }

    private func bound(_ left: ExpressionTree, _ op: ComparisonOperator, _ value: Value) -> PredicateTree {
        .comparison(.init(left, op: op, right: .constant(value)))
    }

    @Test func boundsBecomeRulesWithApplesCodes() throws {
        let text = try attribute(
            "attributeType=\"String\" minValueString=\"2\" maxValueString=\"9\" regularExpressionString=\"[a-z]+\""
        )
        expect(
            text.validation,
            equals: [
                .init(
                    predicate: bound(.keyPath("length"), .greaterThanOrEqualTo, .integer(2)),
                    warning: .integer(1670)),
                .init(
                    predicate: bound(.keyPath("length"), .lessThanOrEqualTo, .integer(9)),
                    warning: .integer(1660)),
                .init(
                    predicate: bound(.evaluatedObject, .matches, .string("[a-z]+")), warning: .integer(1680)),
            ])
        let number = try attribute("attributeType=\"Double\" minValueString=\"0\" maxValueString=\"1.5\"")
        expect(
            number.validation,
            equals: [
                .init(
                    predicate: bound(.evaluatedObject, .greaterThanOrEqualTo, .double(0)),
                    warning: .integer(1620)),
                .init(
                    predicate: bound(.evaluatedObject, .lessThanOrEqualTo, .double(1.5)),
                    warning: .integer(1610)),
            ])
        let date = try attribute(
            "attributeType=\"Date\" minDateTimeInterval=\"10\" maxDateTimeInterval=\"20\"")
        expect(date.validation.map(\.warning), equals: [.integer(1640), .integer(1630)])
    }

    @Test(arguments: [
        ("String", "a b", Value.string("a b")), ("Integer 16", "-3", .integer(-3)),
        ("Boolean", "YES", .bool(true)),
        ("Double", "0.0", .double(0)), ("Float", "1e3", .double(1000)),
        ("Decimal", "10.11", .decimal(Decimal(string: "10.11") ?? 0)),
        ("Date", "12", .date(Date(timeIntervalSinceReferenceDate: 12))),
    ])
    func defaultValue(_ type: String, _ text: String, _ value: Value) throws {
        let read = try attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
        expect(read.attribute?.defaultValue, equals: value)
    }

    @Test func defaultValuesOfUUIDAndURI() throws {
        let uuid = UUID()
        let link = try #require(URL(string: "https://example.com"))
        try expect(
            attribute("attributeType=\"UUID\" defaultValueString=\"\(uuid)\"").attribute?.defaultValue,
            equals: .uuid(uuid))
        try expect(
            attribute("attributeType=\"URI\" defaultValueString=\"\(link)\"").attribute?.defaultValue,
            equals: .url(link))
    }

    @Test func derivedAttributesAndIndexes() throws {
        let model = try read(
            """
            <entity name="E" representedClassName=".Thing">
            <attribute name="name" attributeType="String"/>
            <attribute name="folded" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
            <attribute name="when" attributeType="Date" derived="YES" derivationExpression="now()"/>
            <fetchIndex name="i" partialIndexPredicate="name != nil">
            <fetchIndexElement property="name" type="RTree" order="descending"/>
            <fetchIndexElement expression="uppercase:(name)" expressionType="String" type="Binary" order="ascending"/>
            </fetchIndex>
            </entity>
            """)
        let entity = try #require(model.entities.first)
        expect(entity.className, equals: "Thing")
        expect(entity.classModule, equals: ".")
        expect(
            entity.properties[1].attribute?.derivation?.expression,
            equals: .function(operand: nil, name: "canonical:", arguments: [.keyPath("name")]))
        expect(
            entity.properties[2].attribute?.derivation?.expression,
            equals: .function(operand: nil, name: "now", arguments: []))
        let index = try #require(entity.indexes.first)
        expect(index.partialPredicate, equals: bound(.keyPath("name"), .notEqualTo, .null))
        expect(index.elements[0], equals: .init(.property("name"), collation: .rTree, isAscending: false))
        guard case .expression(_, let expression, resultType: .string) = index.elements[1].subject else {
            Issue.record("no expression")
            return
        }
        expect(expression, equals: .function(operand: nil, name: "uppercase:", arguments: [.keyPath("name")]))
    }

    @Test func aRichModelSurvives() throws {
        let model = RichModel.sourceModel
        let again = try ModelSourceReader.read(ModelSourceWriter.data(for: model), from: "ours")
        for (old, new) in zip(model.entities, again.entities) {
            for (left, right) in zip(old.properties, new.properties) { expect(left, equals: right) }
            expect(old, equals: new)
        }
        expect(again, equals: model)
    }

    @Test func attributesStandInXcodesOrder() throws {
        let model = RichModel.sourceModel
        let text = String(decoding: try ModelSourceWriter.data(for: model), as: UTF8.self)
        #expect(
            text.hasPrefix(
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<model type=\"com.apple"))
        #expect(
            text.contains(
                "<relationship name=\"company\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"Company\" "
                    + "inverseName=\"staff\" inverseEntity=\"Company\"/>"))
    }

    @Test func whatASourceCantStateThrows() {
        var model = ModelSchema(entities: [
            EntitySchema(name: "E", properties: [RichModel.attribute("b", .binaryData, .data(Data([1])))])
        ])
        #expect(throws: ModelFileError.self) { try ModelSourceWriter.data(for: model) }
        var property = RichModel.attribute("s", .string)
        property.validation = [.init(predicate: .constant(true), warning: .string("never"))]
        model.entities[0].properties = [property]
        #expect(
            throws: ModelFileError(
                file: "", entity: "E", property: "s",
                reason: "a source model can't state this validation predicate")
        ) { try ModelSourceWriter.data(for: model) }
    }

    // MARK: Hostile

    @Test func entitiesOfXMLAreRefused() {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <model><entity name="&b;"/></model>
            """
        #expect(throws: ModelFileError(file: "x", reason: "the XML document declares entities")) {
            try ModelSourceReader.read(Data(bomb.utf8), from: "x")
        }
        let external = "<?xml version=\"1.0\"?><!DOCTYPE m [<!ATTLIST model a CDATA #IMPLIED>]><model/>"
        #expect(throws: ModelFileError(file: "x", reason: "the XML document's type has a body")) {
            try ModelSourceReader.read(Data(external.utf8), from: "x")
        }
        let wide = Data("<?xml version=\"1.0\" encoding=\"UTF-16\"?><model/>".data(using: .utf16) ?? Data())
        #expect(throws: ModelFileError(file: "x", reason: "the XML document is not UTF-8")) {
            try ModelSourceReader.read(wide, from: "x")
        }
    }

    @Test func deepNestingIsRefused() {
        let text = String(repeating: "<model>", count: 5000) + String(repeating: "</model>", count: 5000)
        #expect(throws: ModelFileError(file: "x", reason: "elements are nested too deep, in line 1")) {
            try ModelSourceReader.read(Data(text.utf8), from: "x")
        }
    }

    @Test func compositesInACircleAreRefused() {
        let error = #expect(throws: ModelFileError.self) {
            try read(
                """
                <entity name="E"><attribute name="a" attributeType="Composite" composite="A"/></entity>
                <composite name="A"><attribute name="b" attributeType="Composite" composite="B"/></composite>
                <composite name="B"><attribute name="c" attributeType="Composite" composite="A"/></composite>
                """)
        }
        expect(error?.reason, equals: "the composite type \"A\" contains itself, or is nested too deep")
    }

    @Test func compositesThatMultiplyAreRefused() {
        let types = (0..<7).map { level in
            let parts = (0..<50).map {
                "<attribute name=\"a\($0)\" attributeType=\"Composite\" composite=\"C\(level + 1)\"/>"
            }
            return "<composite name=\"C\(level)\">\(parts.joined())</composite>"
        }
        let body =
            "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
            + types.joined()
            + "<composite name=\"C7\"><attribute name=\"x\" attributeType=\"String\"/></composite>"
        let error = #expect(throws: ModelFileError.self) { try read(body) }
        expect(error?.reason, equals: "the composite types unfold to too many elements")
    }

    @Test(arguments: [
        "<entity/>", "<entity name=\"E\"><attribute/></entity>",
        "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Date\" derived=\"YES\"/></entity>",
        "<entity name=\"E\"><fetchedProperty name=\"f\"/></entity>",
        "<composite name=\"C\"/><composite name=\"C\"/>",
        "<fetchRequest name=\"f\" entity=\"E\" predicateString=\"((\"/>",
    ])
    func brokenModelsThrow(_ body: String) {
        #expect(throws: ModelFileError.self) { try read(body) }
    }

    @Test func everyTruncationThrows() throws {
        let data = try ModelSourceWriter.data(for: RichModel.sourceModel)
        // The last byte is a line break, which nothing needs.
        for length in stride(from: 0, to: data.count - 1, by: 7) {
            #expect(throws: ModelFileError.self) {
                try ModelSourceReader.read(data.prefix(length), from: "cut")
            }
        }
    }

    @Test func changedBytesNeverTrap() throws {
        let data = try ModelSourceWriter.data(for: RichModel.sourceModel)
        var random = SeededGenerator(seed: 3)
        var models = 0
        for _ in 0..<400 {
            var broken = data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(
                    in: 32...126, using: &random)
            }
            if let model = try? ModelSourceReader.read(broken, from: "broken") {
                models += 1
                _ = ModelValidator.problems(in: model)
            }
        }
        #expect(models < 400)
    }
}
