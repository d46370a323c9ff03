// Each flaw that the validator knows, with its place.

import CoreDataSchema
import CoreDataTestSupport
import Testing

@Suite struct ModelSoundnessTests {
    private func flaw(_ entities: EntitySchema...) -> String? {
        ModelSoundness.flaw(in: ModelSchema(entities: entities))?.description
    }

    private func relationship(_ name: String, to destination: String, inverse: String? = nil)
        -> PropertySchema
    {
        PropertySchema(
            name: name,
            kind: .relationship(RelationshipTraits(destinationEntityName: destination, inverseName: inverse)))
    }

    private func attribute(_ name: String, _ type: AttributeType = .string) -> PropertySchema {
        PropertySchema(name: name, kind: .attribute(AttributeTraits(type)))
    }

    @Test func aSoundModelHasNone() {
        var child = EntitySchema(name: "B", properties: [relationship("a", to: "A", inverse: "b")])
        child.superentityName = "A"
        child.uniquenessConstraints = [["title"]]
        child.indexes = [FetchIndexSchema(name: "i", elements: [.init(.property("title"))])]
        let parent = EntitySchema(
            name: "A", properties: [attribute("title"), relationship("b", to: "B", inverse: "a")])
        #expect(flaw(parent, child) == nil)
    }

    @Test func names() {
        expect(flaw(EntitySchema(name: "")), equals: "an entity has no name")
        expect(
            flaw(EntitySchema(name: "A"), EntitySchema(name: "A")), equals: "A: two entities have this name")
        expect(
            flaw(EntitySchema(name: "A", properties: [attribute("")])), equals: "A: a property has no name")
        expect(
            flaw(EntitySchema(name: "A", properties: [attribute("x"), attribute("x")])),
            equals: "A.x: two properties have this name")
    }

    @Test func inheritance() {
        var left = EntitySchema(name: "A")
        left.superentityName = "B"
        expect(flaw(left), equals: "A: the superentity \"B\" isn't in the model")
        var right = EntitySchema(name: "B")
        right.superentityName = "A"
        expect(flaw(left, right), equals: "A: it inherits from itself")
    }

    @Test func relationships() {
        expect(
            flaw(EntitySchema(name: "A", properties: [relationship("r", to: "X")])),
            equals: "A.r: the destination entity \"X\" isn't in the model")
        expect(
            flaw(
                EntitySchema(
                    name: "A", properties: [attribute("x"), relationship("r", to: "A", inverse: "x")])),
            equals: "A.r: the inverse \"x\" is no relationship of A")
    }

    @Test func attributesNeedATypeUnlessTransient() {
        expect(
            flaw(EntitySchema(name: "A", properties: [attribute("x", .undefined)])),
            equals: "A.x: the attribute has no type")
        var transient = attribute("x", .undefined)
        transient.isTransient = true
        #expect(flaw(EntitySchema(name: "A", properties: [transient])) == nil)
    }

    @Test func whatNamesProperties() {
        var entity = EntitySchema(name: "A")
        entity.uniquenessConstraints = [["x"]]
        expect(flaw(entity), equals: "A: a uniqueness constraint names \"x\", which is no property")
        entity = EntitySchema(name: "A")
        entity.indexes = [FetchIndexSchema(name: "i", elements: [.init(.property("x"))])]
        expect(flaw(entity), equals: "A: an index names \"x\", which is no property")
        let model = ModelSchema(configurations: [ConfigurationSchema(name: "C", entityNames: ["A"])])
        expect(
            ModelSoundness.flaw(in: model)?.description,
            equals: "the configuration \"C\" names \"A\", which isn't in the model")
    }
}
