// Statements of a source beyond the model: each is remarked on, and there again when the model is written.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SourceDocumentTests {
    private static let future = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="3.0" toolOfTomorrow="9" sourceLanguage="Swift">
            <entity name="Dog" representedClassName="Dog" syncable="NO" breedable="YES">
                <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString=" 1 " glow="soft"/>
                <attribute name="shape" optional="YES" transient="YES" attributeType="Vector" dimensions="3"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Explode" destinationEntity="Man"/>
                <hologram name="h"><ray length="2">text</ray></hologram>
                <userInfo>
                    <entry key="k" value="v" since="1"/>
                </userInfo>
            </entity>
            <entity name="Man" syncable="YES"/>
            <portal to="elsewhere"/>
            <elements>
                <element name="Dog" positionX="1" positionY="2" width="3" height="4"/>
                <element name="Man" positionX="1" positionY="2" width="3" height="4"/>
            </elements>
        </model>

        """

    private func read() throws -> ModelSchema {
        try ModelSourceReader.read(Data(Self.future.utf8), from: "test")
    }

    @Test func whatIsNotKnownIsRemarked() throws {
        let model = try read()
        expect(
            model.source?.remarks.map(\.description),
            equals: [
                "<model> has \"toolOfTomorrow\", which isn't known: it is kept and not used",
                "\"documentVersion\" is \"3.0\", a form that isn't known here",
                "Dog: <entity> has \"breedable\", which isn't known: it is kept and not used",
                "Dog.age: <attribute> has \"glow\", which isn't known: it is kept and not used",
                "Dog.age: \"defaultValueString\" is \" 1 \", which is taken for 1",
                "Dog.shape: <attribute> has \"dimensions\", which isn't known: it is kept and not used",
                "Dog.shape: \"attributeType\" is \"Vector\", which isn't known: Undefined is assumed",
                "Dog.owner: \"deletionRule\" is \"Explode\", which isn't known: Nullify is assumed",
                "Dog: <hologram> isn't known here: it is kept and not used",
                "Dog: <entry> has \"since\", which isn't known: it is kept and not used",
                "<portal> isn't known here: it is kept and not used",
            ])
        let problems = ModelValidator.problems(in: model)
        #expect(problems.starts(with: model.source?.remarks ?? []))
        #expect(problems.allSatisfy { $0.severity == .warning })
    }

    @Test func aModelIsWrittenAsItWasRead() throws {
        let text = String(decoding: try ModelSourceWriter.data(for: read()), as: UTF8.self)
        try expect(
            XMLTreeReader.read(Data(text.utf8)).withoutLayout,
            equals: XMLTreeReader.read(Data(Self.future.utf8)).withoutLayout)
    }

    @Test func anEditChangesNothingElse() throws {
        var model = try read()
        model.entities[0].isAbstract = true
        model.entities[0].properties[0].isOptional = false
        if case .relationship(var traits) = model.entities[0].properties[2].kind {
            traits.deleteRule = .cascade
            model.entities[0].properties[2].kind = .relationship(traits)
        }
        model.entities[0].properties.append(
            PropertySchema(name: "name", kind: .attribute(AttributeTraits(.string))))
        let expected = Self.future
            .replacingOccurrences(of: "breedable=\"YES\"", with: "breedable=\"YES\" isAbstract=\"YES\"")
            .replacingOccurrences(of: "\"age\" optional=\"YES\"", with: "\"age\"")
            .replacingOccurrences(of: "Explode", with: "Cascade")
            .replacingOccurrences(
                of: "<hologram",
                with:
                    "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>\n        <hologram"
            )
        let written = try XMLTreeReader.read(ModelSourceWriter.data(for: model))
        expect(written.withoutLayout, equals: (try XMLTreeReader.read(Data(expected.utf8)).withoutLayout))
    }

    @Test func anEntityThatIsRemovedTakesItsPlaceInTheDiagramAlong() throws {
        var model = try read()
        model.entities[0].properties.remove(at: 2)
        model.entities.remove(at: 1)
        let written = try XMLTreeReader.read(ModelSourceWriter.data(for: model))
        expect(written.children.filter { $0.name == "entity" }.map { $0["name"] }, equals: ["Dog"])
        let diagram = try #require(written.children.first { $0.name == "elements" })
        expect(diagram.children.map { $0["name"] }, equals: ["Dog"])
        #expect(written.children.contains { $0.name == "portal" })
    }

    /// YES is printed as 1, which is another constant.
    @Test func aPredicateKeepsItsTextWhereOursIsNotExact() throws {
        let text =
            "<model><entity name=\"E\"><attribute name=\"a\" attributeType=\"Date\"/><fetchIndex name=\"i\">"
            + "<fetchIndexElement expression=\"YES\" type=\"Binary\" order=\"ascending\"/></fetchIndex></entity></model>"
        var model = try ModelSourceReader.read(Data(text.utf8), from: "test")
        try expect(
            ModelSourceWriter.tree(of: model).withoutLayout,
            equals: XMLTreeReader.read(Data(text.utf8)).withoutLayout)
        model.source = nil
        #expect(
            throws: ModelFileError(
                file: "", entity: "E", reason: "a source model can't state the expression 1 exactly")
        ) { try ModelSourceWriter.tree(of: model) }
    }

    @Test func theDocumentIsNoPartOfTheModel() throws {
        let model = try read()
        var other = model
        other.source = nil
        expect(other, equals: model)
        #expect(model.compiled.source == nil)
        let plain = try XMLTreeReader.read(ModelSourceWriter.data(for: other))
        #expect(!plain.children.contains { $0.name == "portal" })
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: SharedFiles.paths(under: "models", suffix: "/contents"))
    func realModelsAreWrittenAsTheyWereRead(_ path: String) throws {
        let data = try Data(contentsOf: SharedFiles.url(path))
        let model = try ModelSourceReader.read(data, from: path)
        expect(model.source?.remarks, equals: [])
        let written = try XMLTreeReader.read(ModelSourceWriter.data(for: model))
        expect(written.withoutLayout, equals: (try XMLTreeReader.read(data).withoutLayout))
    }
}

extension XMLTree {
    /// Without the line breaks between elements.
    var withoutLayout: XMLTree {
        XMLTree(
            name, attributes: attributes, children: children.map(\.withoutLayout),
            text: text.allSatisfy(\.isWhitespace) ? "" : text)
    }
}
