// Models with one XML attribute changed: each variant is read, or refused with its place.
// COREDATA_LONG_TESTS=1 tries 20,000 of them, COREDATA_SEED=n others.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SourceFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = rounds(150, long: 20_000)
    private static let seed = environment["COREDATA_SEED"].flatMap(UInt64.init) ?? 18

    private struct Variant: CustomStringConvertible {
        var path: String
        var tree: XMLTree
        var element: String
        var attribute: String
        var text: String?
        var entity: String?
        var property: String?
        var isUppercased = false

        var description: String {
            "\(path): \(entity ?? "").\(property ?? "") <\(element) \(attribute)=\(text ?? "nothing")>"
        }
    }

    private static let texts = [
        "", "  ", "\t", "YES", "no", "1", "0", "-1", "12", " 7 ", "1,5", "1 000", "1e3", "0x10", "1.5", "nan",
        "99999999999999999999", "2001-01-01", "String", "Integer 16", "Composite", "Frobnicate", "((",
        "name == 1", "$x", "é", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "http://x", "Cascade", "%@", "\"",
        "&",
        "a.b.c", "descending",
    ]

    /// An element of a document, the numbers of the children that lead to it, and what it belongs to.
    private struct Place {
        var path: [Int]
        var element: XMLTree
        var entity: String?
        var property: String?

        /// Attributes that the element has or may have.
        var attributes: [String] {
            let names = Set(element.attributes.map(\.name)).union(SourceFuzzTests.extra(element.name))
            return names.isEmpty ? ["name"] : names.sorted()
        }

        func variant(of root: XMLTree, _ file: String, _ attribute: String, _ text: String?) -> Variant {
            let tree = SourceFuzzTests.changed(root, at: path[...], attribute, text)
            var variant = Variant(path: file, tree: tree, element: element.name, attribute: attribute)
            (variant.text, variant.entity, variant.property) = (text, entity, property)
            variant.isUppercased = text != nil && text == element[attribute]?.uppercased()
            return variant
        }
    }

    private static func places(of root: XMLTree) -> [Place] {
        var places: [Place] = []
        func collect(_ element: XMLTree, _ path: [Int], _ entity: String?, _ property: String?) {
            let entity = element.name == "entity" ? element["name"] : entity
            let isProperty = ["attribute", "relationship", "fetchedProperty"].contains(element.name)
            let property = isProperty && entity != nil ? element["name"] : property
            places.append(Place(path: path, element: element, entity: entity, property: property))
            for (index, child) in element.children.enumerated() {
                collect(child, path + [index], entity, property)
            }
        }
        collect(root, [], nil, nil)
        return places
    }

    private static func variant(
        of root: XMLTree, _ path: String, _ random: inout SeededGenerator
    ) -> Variant {
        let places = places(of: root)
        let place = places[Int.random(in: 0..<places.count, using: &random)]
        let known = place.attributes
        let attribute = known[Int.random(in: 0..<known.count, using: &random)]
        let text =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: nil as String?
            case 1: place.element[attribute]?.uppercased() ?? "X"
            default: texts[Int.random(in: 0..<texts.count, using: &random)]
            }
        return place.variant(of: root, path, attribute, text)
    }

    /// Attributes that an element may have, beside those that it has.
    private static func extra(_ element: String) -> [String] {
        switch element {
        case "attribute":
            [
                "defaultValueString", "minValueString", "maxDateTimeInterval", "regularExpressionString",
                "derived", "derivationExpression", "usesScalarValueType", "customClassName", "elementID",
                "versionHashModifier", "composite", "transient", "allowsCloudEncryption", "unheardOf",
            ]
        case "relationship": ["minCount", "maxCount", "ordered", "deletionRule", "inverseName", "toMany"]
        case "entity":
            ["parentEntity", "isAbstract", "codeGenerationType", "elementID", "versionHashModifier"]
        case "fetchRequest": ["predicateString", "fetchLimit", "resultType", "includeSubentities"]
        case "fetchIndex": ["partialIndexPredicate"]
        case "fetchIndexElement": ["expression", "expressionType", "type", "order"]
        default: []
        }
    }

    private static func changed(
        _ element: XMLTree, at place: ArraySlice<Int>, _ attribute: String, _ text: String?
    ) -> XMLTree {
        var element = element
        if let index = place.first {
            element.children[index] = changed(element.children[index], at: place.dropFirst(), attribute, text)
            return element
        }
        let index = element.attributes.firstIndex { $0.name == attribute }
        switch (index, text) {
        case (let index?, let text?): element.attributes[index] = .init(attribute, value: text)
        case (let index?, nil): element.attributes.remove(at: index)
        case (nil, let text?): element.attributes.append(.init(attribute, value: text))
        case (nil, nil): break
        }
        return element
    }

    /// The XML attributes that may make a model unusable, by element; Xcode reads whatever the others say.
    private static let refusable: [String: Set<String>] = [
        "entity": ["name", "parentEntity"],
        "attribute": [
            "name", "attributeType", "transient", "composite", "derived", "derivationExpression",
            "filteringPredicate",
        ],
        "relationship": ["name", "destinationEntity", "inverseName"], "fetchedProperty": ["name"],
        "fetchRequest": ["name", "predicateString"], "composite": ["name"], "configuration": ["name"],
        "memberEntity": ["name"], "fetchIndex": ["partialIndexPredicate"],
        "fetchIndexElement": ["property", "expression"], "constraint": ["value"],
    ]

    /// Fails where Xcode reads the variant: by the element and the attribute, and words for types and for yes and no in
    /// capitals.
    private static func expectRefusable(_ variant: Variant, _ reason: String) {
        let isKnown = refusable[variant.element]?.contains(variant.attribute) == true
        #expect(isKnown, "\(variant): \(reason)")
        let isWord = ["attributeType", "transient", "derived"].contains(variant.attribute)
        #expect(!(isWord && variant.isUppercased), "\(variant): \(reason)")
    }

    /// Fails unless the refusal says where: the XML attribute, and for anything but names, which others refer to, the
    /// very entity and property.
    private static func expectPlace(
        _ variant: Variant, entity: String?, property: String?, reason: String
    ) {
        #expect(reason.contains("\""), "\(variant): \(reason)")
        if variant.attribute == "name" {
            #expect(
                entity != nil || reason.contains("number") || reason.contains("names"),
                "\(variant): \(reason)")
            return
        }
        // Something that others inherit is missing elsewhere.
        if variant.attribute == "parentEntity" {
            #expect(entity != nil, "\(variant): \(reason)")
            return
        }
        let partners = [
            "derived": "derivationExpression", "attributeType": "composite", "transient": "attributeType",
        ]
        let names = [variant.attribute, partners[variant.attribute] ?? variant.attribute]
        #expect(names.contains { reason.contains("\"\($0)\"") }, "\(variant): \(reason)")
        if let own = variant.entity { expect(entity, equals: own, "\(variant): \(reason)") }
        if let own = variant.property { expect(property, equals: own, "\(variant): \(reason)") }
    }

    private enum Outcome: String { case used, remarked, unsound, refused }

    private static func printed(_ outcomes: [Outcome: Int]) -> String {
        outcomes.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
    }

    /// Reads a variant. One that is refused says where, and is one that Xcode may refuse.
    private static func read(_ variant: Variant, isWritten: Bool) throws -> Outcome {
        do {
            let model = try ModelSourceReader.read(variant.tree, from: variant.path)
            if let flaw = ModelSoundness.flaw(in: model) {
                expectRefusable(variant, flaw.sourceReason)
                expectPlace(
                    variant, entity: flaw.entity, property: flaw.property, reason: flaw.sourceReason)
                return .unsound
            }
            if isWritten {
                let written = try ModelSourceWriter.tree(of: model)
                expect(written.withoutLayout, equals: variant.tree.withoutLayout, "\(variant)")
                try expect(ModelSourceReader.read(written, from: variant.path), equals: model, "\(variant)")
            }
            return model.source?.remarks.isEmpty == false ? .remarked : .used
        } catch let error as ModelFileError {
            expectRefusable(variant, error.reason)
            expectPlace(variant, entity: error.entity, property: error.property, reason: error.reason)
            return .refused
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
    func everyVariantIsReadOrRefusedWithItsPlace() throws {
        var random = SeededGenerator(seed: Self.seed)
        let models = try SharedFiles.paths(under: "models", suffix: "/contents").map { path in
            (path, try XMLTreeReader.read(Data(contentsOf: SharedFiles.url(path))))
        }
        var outcomes: [Outcome: Int] = [:]
        for number in 0..<Self.count {
            let (path, root) = models[Int.random(in: 0..<models.count, using: &random)]
            let variant = Self.variant(of: root, path, &random)
            // Written back as it was, every tenth, as it takes longest.
            outcomes[try Self.read(variant, isWritten: number % 10 == 0), default: 0] += 1
        }
        print("variants of model sources: \(Self.printed(outcomes))")
        #expect(outcomes[.used, default: 0] + outcomes[.remarked, default: 0] > Self.count / 2)
        #expect(outcomes[.refused, default: 0] > 0)
    }

    /// Each attribute of a document of every feature missing, empty, blank, in capitals, and of another type.
    @Test func eachAttributeOfEveryElementIsReadOrRefusedWithItsPlace() throws {
        let root = try XMLTreeReader.read(Data(SourceOfEveryFeature.text.utf8))
        try #require(ModelSoundness.flaw(in: ModelSourceReader.read(root, from: "every")) == nil)
        var outcomes: [Outcome: Int] = [:]
        // In the long run each variant, written back as it was; else every third, of which a few are written, as it takes longest.
        let (step, writing) = (rounds(3, long: 1), rounds(33, long: 1))
        var number = 0
        for place in Self.places(of: root) {
            for attribute in place.attributes {
                let capitals = place.element[attribute]?.uppercased() ?? "X"
                for text in [nil, "", " ", capitals, "12", "1.5", "YES", "some words"] {
                    number += 1
                    guard number % step == 0 else { continue }
                    let variant = place.variant(of: root, "every", attribute, text)
                    outcomes[try Self.read(variant, isWritten: number % writing == 0), default: 0] += 1
                }
            }
        }
        print("attributes of every element: \(Self.printed(outcomes))")
        #expect(outcomes[.used, default: 0] + outcomes[.remarked, default: 0] > 500)
        #expect(outcomes[.refused, default: 0] > 0)
    }
}
