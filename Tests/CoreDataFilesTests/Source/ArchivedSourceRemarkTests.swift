// Parts that can't be taken as they are in archived sources, in the form that Xcode 3's models have.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ArchivedSourceRemarkTests {
    /// An archive of a model with one entity.
    private struct Maker {
        let archive = KeyedArchiveWriter()
        var requests: [PropertyList] = []
        var properties: [(String, PropertyList)] = []
        let entity: PropertyList

        init() { entity = archive.reserve() }

        func string(_ text: String?) -> PropertyList { archive.string(text) }

        func element(_ name: String, _ fields: [PropertyList.Entry]) -> PropertyList {
            archive.object([name, "NSObject"], fields)
        }

        func stereotypes(_ facts: [(String, PropertyList)]) -> PropertyList {
            let attributes = facts.map { name, value in
                (
                    string(name),
                    element("XDUMLPropertyImp", [.init("_name", string(name)), .init("_default", value)])
                )
            }
            let stereotype = element(
                "XDUMLStereotypeImp",
                [.init("XDBucketForOwnedAttributesstorage", archive.dictionary(attributes))])
            return archive.dictionary([(string("XD_PStereotype"), stereotype)])
        }

        func attribute(_ name: String, _ facts: [(String, PropertyList)]) -> PropertyList {
            element(
                "XDPMAttribute",
                [.init("_name", string(name)), .init("XDBucketForStereotypesstorage", stereotypes(facts))])
        }

        func data() -> Data {
            archive.define(
                entity, classes: ["XDPMEntity", "XDUMLClassImp", "NSObject"],
                fields: [
                    .init("_name", string("Human")),
                    .init(
                        "XDBucketForStereotypesstorage",
                        stereotypes([("XD_PSK_fetchRequestsArray", archive.array(requests))])),
                    .init(
                        "XDBucketForOwnedAttributesstorage",
                        archive.dictionary(properties.map { (string($0), $1) })),
                ])
            let package = element(
                "XDModelPackage",
                [.init("XDBucketForClassesstorage", archive.dictionary([(string("Human"), entity)]))])
            return archive.data(root: element("XDPMModel", [.init("_xd_rootPackage", package)]))
        }
    }

    @Test func fetchRequestsAreLeftOut() throws {
        var maker = Maker()
        maker.requests = [maker.element("XDRequest", [])]
        let model = try ArchivedSourceReader.read(maker.data(), from: "elements")
        #expect(model.entities.map(\.name) == ["Human"])
        #expect(
            model.source?.remarks.map(\.description) == [
                "Human: fetch requests of archived sources aren't read: they are left out"
            ])
    }

    @Test func whatIsNotKnownIsRemarked() throws {
        var maker = Maker()
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
        #expect(properties.first { $0.name == "a" }?.attribute?.type == .undefined)
        #expect(properties.first { $0.name == "b" }?.attribute?.defaultValue == .integer(0))
        #expect(
            Set(model.source?.remarks.map(\.description) ?? []) == [
                "Human.a: the attribute's type is \"4711\", which isn't known: Undefined is assumed",
                "Human.b: the default value is \"NO\", which is taken for 0",
            ])
    }
}
