// Every kind of problem in a small model that has only this one.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ModelValidatorTests {
    private static func attribute(
        _ name: String, _ type: AttributeType = .string, edit: (inout AttributeTraits) -> Void = { _ in }
    ) -> PropertySchema {
        var traits = AttributeTraits(type)
        edit(&traits)
        return PropertySchema(name: name, kind: .attribute(traits))
    }

    private static func relationship(
        _ name: String, to destination: String, inverse: String?, max: Int = 1,
        edit: (inout RelationshipTraits) -> Void = { _ in }
    ) -> PropertySchema {
        var traits = RelationshipTraits(
            destinationEntityName: destination, inverseName: inverse, maxCount: max)
        edit(&traits)
        return PropertySchema(name: name, kind: .relationship(traits))
    }

    private static let sound = ModelSchema(
        entities: [
            EntitySchema(name: "A", properties: [attribute("a"), relationship("b", to: "B", inverse: "a")]),
            EntitySchema(name: "B", properties: [relationship("a", to: "A", inverse: "b", max: 0)]),
        ],
        configurations: [.init(name: "C", entityNames: ["A"])],
        fetchTemplates: [.init(name: "T", request: .init(entityName: "A"))])

    private func errors(_ edit: (inout ModelSchema) -> Void) -> [String] {
        var model = Self.sound
        edit(&model)
        return ModelValidator.problems(in: model).filter { $0.severity == .error }.map(\.description)
    }

    private func warnings(_ edit: (inout ModelSchema) -> Void) -> [String] {
        var model = Self.sound
        edit(&model)
        return ModelValidator.problems(in: model).filter { $0.severity == .warning }.map(\.description)
    }

    private func adding(_ property: PropertySchema) -> [String] {
        errors { $0.entities[0].properties.append(property) }
    }

    @Test func aSoundModelHasNone() {
        #expect(ModelValidator.problems(in: Self.sound).isEmpty)
    }

    @Test(arguments: [AttributeType.integer16, .integer32, .integer64])
    func integersBeyond64Bits(_ type: AttributeType) {
        for value in [Value.double(0x1p63), .decimal(Decimal(string: "9223372036854775808") ?? 0)] {
            var bounded = Self.attribute("n", type)
            bounded.validation = [
                ValidationRule(
                    predicate: .comparison(
                        .init(.evaluatedObject, op: .lessThanOrEqualTo, right: .constant(value))),
                    warning: .integer(1610))
            ]
            expect(adding(bounded).count, equals: 1)
            expect(adding(Self.attribute("n", type) { $0.defaultValue = value }).count, equals: 1)
        }
    }

    @Test func names() {
        expect(
            errors { $0.entities.append(EntitySchema(name: "2x")) },
            equals: ["2x: \"2x\" is no name for an entity"])
        #expect(
            errors { $0.entities.append(EntitySchema(name: "B")) }.contains(
                "B: another entity has the same name"))
        expect(adding(Self.attribute("a")), equals: ["A.a: another property of the entity has the same name"])
        expect(adding(Self.attribute("a b")), equals: ["A.a b: \"a b\" is no name for a property"])
        #expect(adding(Self.attribute("größe")).isEmpty)
        expect(
            warnings { $0.entities[0].properties.append(Self.attribute("objectID")) },
            equals: ["A.objectID: NSManagedObject has a member of the same name"])
        // Apps have attributes of this name, and no member is called so.
        #expect(warnings { $0.entities[0].properties.append(Self.attribute("version")) }.isEmpty)
    }

    @Test func inheritance() {
        expect(
            errors { $0.entities[0].superentityName = "X" },
            equals: ["A: the superentity \"X\" does not exist"])
        expect(
            errors { $0.entities[0].superentityName = "A" }, equals: ["A: the entity inherits from itself"])
        let circle = errors {
            $0.entities = [EntitySchema(name: "P"), EntitySchema(name: "Q")]
            $0.configurations = []
            $0.fetchTemplates = []
            $0.entities[0].superentityName = "Q"
            $0.entities[1].superentityName = "P"
        }
        expect(circle, equals: ["P: the entity inherits from itself", "Q: the entity inherits from itself"])
        let repeated = errors {
            $0.entities.append(EntitySchema(name: "S", properties: [Self.attribute("a")]))
            $0.entities[2].superentityName = "A"
        }
        expect(
            repeated, equals: ["S.a: \"A\", from which the entity inherits, has a property of the same name"])
    }

    @Test func attributes() {
        expect(
            adding(Self.attribute("u", .undefined)),
            equals: [
                "A.u: an attribute of undefined type must be transient"
            ])
        expect(
            adding(Self.attribute("n", .integer16) { $0.defaultValue = .integer(70_000) }),
            equals: ["A.n: the default value is no value of the attribute's type"])
        expect(
            adding(Self.attribute("d") { $0.derivation = .init(expression: .constant(.null)) }),
            equals: ["A.d: the derived attribute has no derivation expression"])
        expect(
            adding(Self.attribute("c", .composite)), equals: ["A.c: the composite attribute has no elements"])
        let double = Self.attribute("c", .composite) {
            $0.elements = [Self.attribute("x"), Self.attribute("x")]
        }
        expect(
            adding(double), equals: ["A.c.x: another element of the composite attribute has the same name"])
        expect(
            warnings { $0.entities[0].properties.append(Self.attribute("t", .transformable)) },
            equals: ["A.t: the transformable attribute names no value transformer"])
    }

    @Test func compositesNestedWithoutEnd() {
        var property = Self.attribute("x")
        for _ in 0..<60 {
            let inner = property
            property = Self.attribute("x", .composite) { $0.elements = [inner] }
        }
        expect(adding(property).count, equals: 1)
    }

    @Test func relationships() {
        expect(
            adding(Self.relationship("r", to: "X", inverse: nil)),
            equals: ["A.r: the destination entity \"X\" does not exist"])
        expect(
            adding(Self.relationship("r", to: "B", inverse: "x")),
            equals: [
                "A.r: the inverse \"B.x\" does not exist"
            ])
        expect(
            adding(Self.relationship("r", to: "B", inverse: "a")),
            equals: ["A.r: the inverse \"B.a\" names another relationship as its own"])
        expect(
            adding(Self.relationship("r", to: "B", inverse: nil, max: 2) { $0.minCount = 3 }),
            equals: ["A.r: the relationship's least count is above its greatest"])
        expect(
            warnings { $0.entities[0].properties.append(Self.relationship("r", to: "B", inverse: nil)) },
            equals: ["A.r: the relationship has no inverse"])
        let astray = errors {
            $0.entities.append(
                EntitySchema(name: "C", properties: [Self.relationship("b", to: "B", inverse: "a")]))
        }
        expect(astray, equals: ["C.b: the inverse leads to \"A\" and not back to this entity"])
    }

    @Test func constraintsAndIndexes() {
        expect(
            errors { $0.entities[0].uniquenessConstraints = [["x"]] },
            equals: ["A: a uniqueness constraint names the attribute \"x\", which does not exist"])
        expect(
            errors { $0.entities[0].uniquenessConstraints = [[]] },
            equals: ["A: a uniqueness constraint is empty"])
        expect(
            errors { $0.entities[0].uniquenessConstraints = [["a", "a"]] },
            equals: ["A: a uniqueness constraint names an attribute twice"])
        expect(
            errors { $0.entities[0].indexes = [.init(name: "i", elements: [.init(.property("x"))])] },
            equals: ["A: fetch index \"i\" names \"x\", which does not exist"])
        expect(
            errors { $0.entities[0].compoundIndexes = [["a", "x"]] },
            equals: ["A: a compound index names \"x\", which does not exist"])
    }

    @Test func indexesThatStoresLeaveOut() {
        func indexed(_ entity: Int, _ names: String...) -> [String] {
            warnings {
                $0.entities[entity].indexes = [
                    .init(name: "i", elements: names.map { .init(.property($0)) })
                ]
            }
        }
        expect(indexed(0, "a", "b"), equals: [])
        expect(
            indexed(1, "a"),
            equals: [#"B: fetch index "i" is left out of stores: "a" is a to-many relationship"#])
        expect(indexed(0), equals: [#"A: fetch index "i" is left out of stores: it is empty"#])
    }

    @Test func entitiesOfFetchedProperties() {
        func fetching(_ name: String) -> PropertySchema {
            PropertySchema(name: "f", kind: .fetched(FetchRequestSchema(entityName: name)))
        }
        expect(adding(fetching("B")), equals: [])
        expect(adding(fetching("")), equals: ["A.f: the fetched property names no entity"])
        expect(
            adding(fetching("X")),
            equals: ["A.f: the fetched property names the entity \"X\", which does not exist"])
    }

    @Test func configurationsAndTemplates() {
        expect(
            errors { $0.configurations[0].entityNames = ["X"] },
            equals: ["configuration \"C\" names the entity \"X\", which does not exist"])
        expect(
            errors { $0.configurations.append(.init(name: "C", entityNames: [])) },
            equals: ["two configurations are named \"C\""])
        expect(
            errors { $0.fetchTemplates[0].request.entityName = "X" },
            equals: ["fetch request template \"T\" names the entity \"X\", which does not exist"])
    }
}
