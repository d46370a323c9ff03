// A model that uses every feature that a compiled model can hold.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

enum RichModel {
    static let model = ModelSchema(
        entities: [base, person, company, place],
        configurations: [.init(name: "Local", entityNames: ["Company", "Person"])],
        fetchTemplates: [.init(name: "young", request: request)], versionIdentifiers: ["1.2"])

    static let predicate = PredicateTree.and([
        .comparison(.init(.keyPath("age"), op: .lessThan, right: .constant(.integer(30)))),
        .or([
            .comparison(
                .init(
                    .keyPath("name"), op: .beginsWith, right: .variable("START"), options: [.caseInsensitive])
            ),
            .not(.comparison(.init(.keyPath("company.name"), op: .like, right: .constant(.string("A*"))))),
            .comparison(
                .init(.keyPath("friends.name"), op: .matches, right: .constant(.string("x+")), modifier: .any)
            ),
            .comparison(
                .init(
                    .keyPath("age"), op: .between,
                    right: .aggregate([.constant(.integer(1)), .constant(.double(2.5))]))),
            .comparison(
                .init(.keyPath("name"), op: .endsWith, right: .constant(.string("z")), modifier: .all)),
            .comparison(.init(.keyPath("name"), op: .in, right: .constant(.array([.string("a")])))),
            .comparison(.init(.anyKey, op: .notEqualTo, right: .constant(.null))),
            .comparison(
                .init(
                    .evaluatedObject, op: .customSelector, right: .constant(.null), customSelector: "isFirst:"
                )),
            .constant(true), .constant(false),
        ]),
        .comparison(.init(count, op: .greaterThan, right: sets)),
        .comparison(
            .init(
                .conditional(.constant(true), .evaluatedObject, .variable("x")), op: .equalTo,
                right: .fetchRequest(request: .variable("r"), context: .variable("c"), countOnly: true))),
    ])

    private static let count = ExpressionTree.keyPath(
        .subquery(
            collection: .keyPath("friends"), variable: "f",
            predicate: .comparison(
                .init(.keyPath(.variable("f"), "age"), op: .greaterThanOrEqualTo, right: .variable("AGE")))),
        "@count")

    private static let sets = ExpressionTree.union(
        .intersect(.keyPath("a"), .keyPath("b")), .minus(.keyPath("c"), .keyPath("d")))

    private static var request: FetchRequestSchema {
        var request = FetchRequestSchema(entityName: "Person", predicate: predicate)
        request.sortKeys = [
            SortKey("name", ascending: false, comparison: .localizedStandardCompare), SortKey("age"),
        ]
        request.fetchLimit = 5
        request.fetchOffset = 2
        request.fetchBatchSize = 20
        request.resultType = 2
        request.includesSubentities = false
        request.includesPropertyValues = false
        request.includesPendingChanges = false
        request.returnsObjectsAsFaults = false
        request.returnsDistinctResults = true
        request.propertiesToFetch = ["name", "age"]
        request.propertiesToGroupBy = ["age"]
        request.havingPredicate = .comparison(
            .init(.keyPath("age"), op: .lessThanOrEqualTo, right: .constant(.integer(9))))
        request.relationshipKeyPathsForPrefetching = ["company", "friends.company"]
        return request
    }

    static func attribute(
        _ name: String, _ type: AttributeType, _ value: Value = .null,
        edit: (inout AttributeTraits) -> Void = { _ in }
    ) -> PropertySchema {
        var traits = AttributeTraits(type)
        traits.defaultValue = value
        edit(&traits)
        return PropertySchema(name: name, kind: .attribute(traits))
    }

    static let base: EntitySchema = {
        var entity = EntitySchema(name: "Base", properties: [attribute("identifier", .uuid, .uuid(UUID()))])
        entity.isAbstract = true
        entity.userInfo = [.string("key"): .string("value")]
        return entity
    }()

    static let person: EntitySchema = {
        var entity = EntitySchema(name: "Person", properties: personProperties)
        entity.className = "App.Person"
        entity.superentityName = "Base"
        entity.renamingIdentifier = "Human"
        entity.versionHashModifier = "2"
        entity.uniquenessConstraints = [["name"], ["name", "age"]]
        entity.compoundIndexes = [["name", "age"]]
        entity.indexes = [
            FetchIndexSchema(
                name: "byName",
                elements: [
                    .init(.property("name")), .init(.property("age"), collation: .rTree, isAscending: false),
                    .init(
                        .expression(
                            name: "length",
                            .function(operand: nil, name: "uppercase:", arguments: [.keyPath("name")]),
                            resultType: .string)),
                ],
                partialPredicate: .comparison(
                    .init(.keyPath("age"), op: .greaterThan, right: .constant(.integer(0)))))
        ]
        entity.coreSpotlightDisplayNameExpression = .keyPath("name")
        return entity
    }()

    private static let personProperties: [PropertySchema] = {
        var name = attribute("name", .string, .string("Zoë"))
        name.isOptional = false
        name.isIndexed = true
        name.isIndexedBySpotlight = true
        name.renamingIdentifier = "title"
        name.versionHashModifier = "b"
        name.userInfo = [.string("a"): .array([.integer(1), .dictionary([.string("x"): .bool(true)])])]
        name.validation = [
            .init(
                predicate: .comparison(
                    .init(.keyPath("length"), op: .greaterThanOrEqualTo, right: .constant(.integer(3)))),
                warning: .integer(1670)),
            .init(
                predicate: .comparison(
                    .init(.evaluatedObject, op: .matches, right: .constant(.string("[a-z]+")))),
                warning: .string("letters only")),
        ]
        var transient = attribute("age", .integer16, .integer(-3))
        transient.isTransient = true
        var company = PropertySchema(
            name: "company",
            kind: .relationship(.init(destinationEntityName: "Company", inverseName: "staff", maxCount: 1)))
        company.isOptional = false
        var friends = RelationshipTraits(destinationEntityName: "Person", inverseName: "friends", maxCount: 9)
        friends.minCount = 1
        friends.isOrdered = true
        friends.deleteRule = .deny
        return [
            name, transient, company, PropertySchema(name: "friends", kind: .relationship(friends)),
            PropertySchema(name: "similar", kind: .fetched(request)),
            attribute("upper", .string) {
                $0.derivation = .init(
                    expression: .function(operand: nil, name: "canonical:", arguments: [.keyPath("name")]),
                    filter: .constant(true))
            },
        ] + typed
    }()

    private static let typed: [PropertySchema] = [
        attribute("i32", .integer32, .integer(7)), attribute("i64", .integer64, .integer(.min)),
        attribute("decimal", .decimal, .decimal(Decimal(string: "-3.14") ?? 0)),
        attribute("double", .double, .double(1)), attribute("float", .float, .double(0.5)),
        attribute("flag", .boolean, .bool(true)),
        attribute("date", .date, .date(Date(timeIntervalSinceReferenceDate: 1000))),
        attribute("blob", .binaryData, .data(Data([1, 2, 3]))) { $0.allowsExternalBinaryDataStorage = true },
        attribute("link", .uri, URL(string: "https://example.com").map { .url($0) } ?? .null),
        attribute("object", .transformable) {
            $0.valueTransformerName = "NSSecureUnarchiveFromData"
            $0.valueClassName = "App.Colour"
            $0.preservesValueInHistoryOnDeletion = true
            $0.allowsCloudEncryption = true
        },
        attribute("undefined", .undefined), attribute("reference", .objectID),
        attribute("location", .composite) {
            $0.elements = [
                attribute("lat", .double, .double(0)),
                attribute("inner", .composite) { $0.elements = [attribute("lng", .double)] },
            ]
        },
    ]

    static let company = EntitySchema(
        name: "Company",
        properties: [
            attribute("name", .string),
            PropertySchema(
                name: "staff",
                kind: .relationship(.init(destinationEntityName: "Person", inverseName: "company"))),
        ])

    static let place = EntitySchema(
        name: "Place",
        properties: [
            PropertySchema(
                name: "owner", kind: .relationship(.init(destinationEntityName: "Person", maxCount: 1)))
        ])
}

extension RichModel {
    /// The part of the model that source models can state, with what only they state.
    static var sourceModel: ModelSchema {
        var model = model
        model.fetchTemplates[0].request = sourceRequest
        for index in model.entities.indices {
            model.entities[index].properties = model.entities[index].properties.compactMap(sourceProperty)
        }
        model.entities[1].codeGeneration = "class"
        model.entities[1].className = "Person"
        model.entities[1].classModule = "."
        return model
    }

    private static var sourceRequest: FetchRequestSchema {
        var request = FetchRequestSchema(
            entityName: "Person",
            predicate: .comparison(
                .init(.keyPath("name"), op: .beginsWith, right: .variable("START"), options: .caseInsensitive)
            ))
        request.fetchLimit = 3
        request.includesSubentities = false
        request.returnsDistinctResults = true
        return request
    }

    private static func sourceProperty(_ property: PropertySchema) -> PropertySchema? {
        var property = property
        if !property.userInfo.isEmpty { property.userInfo = [.string("a & <b>"): .string("\"c\"\n")] }
        property.validation = property.validation.filter { $0.warning == .integer(1670) }
        switch property.kind {
        case .attribute(var traits):
            if traits.type == .binaryData { traits.defaultValue = .null }
            if traits.type == .composite { name(&traits, "Location") }
            traits.usesScalarValueType = traits.type == .integer32
            property.kind = .attribute(traits)
        case .fetched:
            property.isTransient = true
            property.kind = .fetched(sourceRequest)
        case .relationship: break
        }
        return property
    }

    private static func name(_ traits: inout AttributeTraits, _ name: String) {
        traits.compositeName = name
        traits.elements = traits.elements.map { element in
            guard case .attribute(var inner) = element.kind, inner.type == .composite else { return element }
            self.name(&inner, name + "Inner")
            var element = element
            element.kind = .attribute(inner)
            return element
        }
    }
}
