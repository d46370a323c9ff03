// Parts that can't be taken as they are in archived sources, in the form that Xcode 3's models have.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct ArchivedSourceRemarkTests {
    @Test func whatIsNotKnownIsRemarked() throws {
        var maker = ArchivedSourceMaker()
        let attribute = maker.attribute(
            "a", [("XD_PPSK_isTransient", .bool(true)), ("XD_PAttK_attributeType", .integer(4711))])
        let number = maker.attribute(
            "b",
            [
                ("XD_PAttK_attributeType", .integer(100)),
                ("XD_PAttK_defaultValueAsString", maker.string("NO")),
            ])
        maker.properties = [("a", attribute), ("b", number)]
        let model = try ArchivedSourceReader.read(maker.data(), from: "elements")
        let properties = try #require(model.entities.first?.properties)
        expect(properties.first { $0.name == "a" }?.attribute?.type, equals: .undefined)
        expect(properties.first { $0.name == "b" }?.attribute?.defaultValue, equals: .integer(0))
        expect(
            Set(model.source?.remarks.map(\.description) ?? []),
            equals: [
                "Human.a: the attribute's type is \"4711\", which isn't known: Undefined is assumed",
                "Human.b: the default value is \"NO\", which is taken for 0",
            ])
    }
}
