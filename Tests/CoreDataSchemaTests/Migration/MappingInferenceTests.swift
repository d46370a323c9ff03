// The documented rules of lightweight migration, one by one, on small models.

import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct MappingInferenceTests {
    private func attribute(
        _ name: String, _ type: AttributeType = .string, was former: String? = nil, isOptional: Bool = true,
        defaultValue: Value = .null
    ) -> PropertySchema {
        var traits = AttributeTraits(type)
        traits.defaultValue = defaultValue
        var property = PropertySchema(name: name, kind: .attribute(traits))
        property.renamingIdentifier = former
        property.isOptional = isOptional
        return property
    }

    private func relationship(
        _ name: String, to destination: String, inverse: String? = nil, maxCount: Int = 1,
        isOrdered: Bool = false, was former: String? = nil
    ) -> PropertySchema {
        var traits = RelationshipTraits(
            destinationEntityName: destination, inverseName: inverse, maxCount: maxCount)
        traits.isOrdered = isOrdered
        var property = PropertySchema(name: name, kind: .relationship(traits))
        property.renamingIdentifier = former
        return property
    }

    private func entity(
        _ name: String, _ properties: [PropertySchema] = [], parent: String? = nil, was former: String? = nil
    ) -> EntitySchema {
        var entity = EntitySchema(name: name, properties: properties)
        entity.superentityName = parent
        entity.renamingIdentifier = former
        return entity
    }

    private func difference(
        _ old: [EntitySchema], _ new: [EntitySchema]
    ) throws -> SchemaDifference {
        try MappingInference.difference(from: ModelSchema(entities: old), to: ModelSchema(entities: new))
    }

    private func refusal(_ old: [EntitySchema], _ new: [EntitySchema]) throws -> InferenceRefusal {
        try #require(throws: InferenceRefusal.self) { try difference(old, new) }
    }

    @Test func equalVersionsDontDiffer() throws {
        let entities = [entity("A", [attribute("x"), relationship("b", to: "A")])]
        let found = try difference(entities, entities)
        #expect(found.isEmpty)
        expect(found.pair(source: "A")?.properties.count, equals: 2)
    }

    /// Scalar types are only in a model's source, not in the copy that a store keeps; nor is the order of elements.
    @Test func elementsDifferByWhatTheyAre() throws {
        func place(_ elements: PropertySchema...) -> [EntitySchema] {
            var traits = AttributeTraits(.composite)
            traits.elements = elements
            return [entity("A", [PropertySchema(name: "place", kind: .attribute(traits))])]
        }
        var scalar = AttributeTraits(.double)
        scalar.usesScalarValueType = true
        let source = place(
            PropertySchema(name: "lat", kind: .attribute(scalar)), attribute("name"))
        let kept = place(attribute("name"), attribute("lat", .double))
        try #expect(difference(kept, source).isEmpty)
        let other = try difference(
            kept, place(attribute("name"), attribute("lat", .double, isOptional: false)))
        #expect(!other.isEmpty)
    }

    @Test func entitiesAndPropertiesComeAndGo() throws {
        let found = try difference(
            [entity("A", [attribute("old"), attribute("x")]), entity("Gone")],
            [entity("A", [attribute("new"), attribute("x")]), entity("New")])
        expect(found.added, equals: ["New"])
        expect(found.removed, equals: ["Gone"])
        let pair = try #require(found.pair(destination: "A"))
        expect(pair.added, equals: ["new"])
        expect(pair.removed, equals: ["old"])
        expect(pair.property(source: "x")?.changes, equals: [])
    }

    @Test func renamingIdentifiersNameTheFormerName() throws {
        let found = try difference(
            [entity("Car", [attribute("color")])],
            [entity("Automobile", [attribute("paint", was: "color")], was: "Car")])
        let pair = try #require(found.pair(source: "Car"))
        expect(pair.destination, equals: "Automobile")
        expect(pair.changes, equals: [.renamed])
        expect(pair.property(source: "color")?.destination, equals: "paint")
        #expect(found.added.isEmpty && found.removed.isEmpty)
    }

    /// color, paintColor (was color), primaryColor (was color): any two go together.
    @Test func renamingIdentifiersReachOverSkippedVersions() throws {
        let versions = [
            [entity("Car", [attribute("color")])],
            [entity("Car", [attribute("paintColor", was: "color")])],
            [entity("Car", [attribute("primaryColor", was: "color")])],
        ]
        for (old, new) in [(0, 1), (1, 2), (0, 2)] {
            let pair = try #require(try difference(versions[old], versions[new]).pair(source: "Car"))
            #expect(pair.added.isEmpty && pair.removed.isEmpty, "\(old) to \(new)")
            expect(pair.properties.count, equals: 1)
        }
    }

    /// Identifiers that name the version just before, which isn't how they are documented, but is how they are used.
    @Test func renamingIdentifiersMayNameTheVersionBefore() throws {
        let old = [entity("Car", [attribute("paintColor", was: "color")])]
        let new = [entity("Car", [attribute("primaryColor", was: "paintColor")])]
        try expect(
            difference(old, new).pair(source: "Car")?.property(source: "paintColor")?.destination,
            equals: "primaryColor")
        let dropped = [entity("Car", [attribute("paintColor")])]
        try expect(
            difference(old, dropped).pair(source: "Car")?.property(source: "paintColor")?.destination,
            equals: "paintColor")
    }

    @Test func namesMayBeSwapped() throws {
        let old = [entity("A", [attribute("x"), attribute("y")])]
        let new = [entity("A", [attribute("x", was: "y"), attribute("y", was: "x")])]
        let pair = try #require(try difference(old, new).pair(source: "A"))
        expect(pair.property(source: "x")?.destination, equals: "y")
        expect(pair.property(source: "y")?.destination, equals: "x")
    }

    @Test func aNameThatStaysGoesBeforeOneThatClaimsIt() throws {
        let pair = try #require(
            try difference(
                [entity("A", [attribute("x")])],
                [entity("A", [attribute("copy", was: "x"), attribute("x")])]
            ).pair(source: "A"))
        expect(pair.property(source: "x")?.destination, equals: "x")
        expect(pair.added, equals: ["copy"])
    }

    @Test func attributeTypesMayNotChange() throws {
        let found = try refusal(
            [entity("A", [attribute("x", .string)])],
            [entity("B", [attribute("y", .date, was: "x")], was: "A")])
        expect(found.rule, equals: .attributeType(from: .string, to: .date))
        expect(found.entity, equals: "B")
        expect(found.property, equals: "y")
        expect(found.reason, equals: "Source and destination attribute types are incompatible")
        #expect(found.concernsMapping)
    }

    @Test func numbersMayChangeTheirType() throws {
        let found = try difference(
            [entity("A", [attribute("x", .integer64), attribute("y", .float)])],
            [entity("A", [attribute("x", .integer16), attribute("y", .decimal)])])
        let pair = try #require(found.pair(source: "A"))
        expect(
            pair.property(source: "x")?.changes, equals: [.attributeType(from: .integer64, to: .integer16)])
        expect(pair.property(source: "y")?.changes, equals: [.attributeType(from: .float, to: .decimal)])
        for (from, to) in [(AttributeType.double, AttributeType.integer64), (.string, .integer16)] {
            let refused = try refusal(
                [entity("A", [attribute("x", from)])], [entity("A", [attribute("x", to)])])
            expect(refused.rule, equals: .attributeType(from: from, to: to))
        }
    }

    @Test func transientAttributesMayBeOfAnyType() throws {
        var transient = attribute("x", .date)
        transient.isTransient = true
        let found = try difference([entity("A", [attribute("x")])], [entity("A", [transient])])
        expect(
            found.pair(source: "A")?.property(source: "x")?.changes,
            equals: [
                .isTransient(true), .attributeType(from: .string, to: .date),
            ])
    }

    @Test func mandatoryAttributesNeedDefaultsOrValues() throws {
        let old = [entity("A", [attribute("x"), attribute("y"), attribute("kept", isOptional: false)])]
        let new = [
            entity(
                "A",
                [
                    attribute("x", isOptional: false),
                    attribute("y", isOptional: false, defaultValue: .string("")),
                    attribute("kept", isOptional: false), attribute("added", isOptional: false),
                    attribute("addedWithDefault", isOptional: false, defaultValue: .string("")),
                ])
        ]
        try expect(
            difference(old, new).neededValues,
            equals: [
                NeededValue(entity: "A", attribute: "added"), NeededValue(entity: "A", attribute: "x"),
            ])
    }

    @Test func relationshipsChangeKind() throws {
        let old = [
            entity("A", [relationship("b", to: "B", inverse: "as")]),
            entity("B", [relationship("as", to: "A", inverse: "b", maxCount: 0)]),
        ]
        let new = [
            entity("A", [relationship("bs", to: "B", inverse: "as", maxCount: 0, was: "b")]),
            entity("B", [relationship("as", to: "A", inverse: "bs", maxCount: 0, isOrdered: true)]),
        ]
        let found = try difference(old, new)
        expect(
            found.pair(source: "A")?.property(source: "b")?.changes,
            equals: [.renamed, .isToMany(true), .counts])
        expect(found.pair(source: "B")?.property(source: "as")?.changes, equals: [.isOrdered(true)])
    }

    @Test func relationshipsMayPointToARelativeOfTheirDestination() throws {
        let old = [entity("A", [relationship("b", to: "B")]), entity("B"), entity("C", parent: "B")]
        let new = [entity("A", [relationship("b", to: "C")]), entity("B"), entity("C", parent: "B")]
        try expect(
            difference(old, new).pair(source: "A")?.property(source: "b")?.changes,
            equals: [.destination(from: "B", to: "C")])
        let unrelated = [entity("A", [relationship("b", to: "A")]), entity("B"), entity("C", parent: "B")]
        let found = try refusal(old, unrelated)
        expect(found.rule, equals: .relationshipDestination(from: "B", to: "A"))
        expect(found.property, equals: "b")
    }

    @Test func relationshipsToRemovedEntitiesStartEmpty() throws {
        let found = try difference(
            [entity("A", [relationship("b", to: "B")]), entity("B")],
            [entity("A", [relationship("b", to: "C")]), entity("C")])
        expect(found.pair(source: "A")?.added, equals: ["b"])
        expect(found.pair(source: "A")?.removed, equals: ["b"])
    }

    @Test func propertiesMoveInAHierarchy() throws {
        let old = [entity("P", [attribute("x")]), entity("C", [attribute("y")], parent: "P")]
        let new = [entity("P", [attribute("y")]), entity("C", [attribute("x")], parent: "P")]
        let child = try #require(try difference(old, new).pair(source: "C"))
        expect(child.property(source: "x")?.changes, equals: [.moved(from: "P", to: "C")])
        expect(child.property(source: "y")?.changes, equals: [.moved(from: "C", to: "P")])
        #expect(child.added.isEmpty && child.removed.isEmpty)
    }

    @Test func entitiesMoveInAndOutOfAHierarchy() throws {
        let old = [entity("P", [attribute("x")]), entity("C", parent: "P")]
        let new = [
            entity("Root"), entity("P", [attribute("x")], parent: "Root"), entity("C", [attribute("x")]),
        ]
        let found = try difference(old, new)
        expect(found.pair(source: "P")?.changes, equals: [.superentity(from: nil, to: "Root")])
        expect(found.pair(source: "C")?.changes, equals: [.superentity(from: "P", to: nil)])
    }

    @Test func hierarchiesMayNotBeMerged() throws {
        let found = try refusal(
            [entity("A"), entity("B")], [entity("R"), entity("A", parent: "R"), entity("B", parent: "R")])
        expect(found.rule, equals: .mergedRoots(sources: ["A", "B"], destination: "R"))
        #expect(found.description.contains("\"A\" and \"B\""))
        #expect(!found.concernsMapping)
    }

    @Test func attributesAndRelationshipsDontGoTogether() throws {
        let found = try difference(
            [entity("A", [attribute("x")])], [entity("A", [relationship("x", to: "A")])])
        expect(found.pair(source: "A")?.added, equals: ["x"])
        expect(found.pair(source: "A")?.removed, equals: ["x"])
    }
}
