// The real models with one XML attribute changed: each variant is read, or refused with its place.
// COREDATA_LONG_TESTS=1 tries 20,000 of them, COREDATA_SEED=n others.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct SourceFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["COREDATA_LONG_TESTS"] == nil ? 600 : 20_000
    private static let seed = environment["COREDATA_SEED"].flatMap(UInt64.init) ?? 18

    private struct Variant: CustomStringConvertible {
        var path: String
        var tree: XMLTree
        var element: String
        var attribute: String
        var text: String?
        var entity: String?
        var property: String?

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

    private static func variant(
        of root: XMLTree, _ path: String, _ random: inout SeededGenerator
    ) -> Variant {
        var places: [([Int], XMLTree, String?, String?)] = []
        func collect(_ element: XMLTree, _ place: [Int], _ entity: String?, _ property: String?) {
            let entity = element.name == "entity" ? element["name"] : entity
            let isProperty = ["attribute", "relationship", "fetchedProperty"].contains(element.name)
            let property = isProperty && entity != nil ? element["name"] : property
            places.append((place, element, entity, property))
            for (index, child) in element.children.enumerated() {
                collect(child, place + [index], entity, property)
            }
        }
        collect(root, [], nil, nil)
        let (place, element, entity, property) =
            places[Int.random(in: 0..<places.count, using: &random)]
        let known = Set(element.attributes.map(\.name)).union(extra(element.name)).sorted()
        let attribute = known.isEmpty ? "name" : known[Int.random(in: 0..<known.count, using: &random)]
        var text: String?
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text = nil
        case 1: text = element[attribute]?.uppercased() ?? "X"
        default: text = texts[Int.random(in: 0..<texts.count, using: &random)]
        }
        return Variant(
            path: path, tree: changed(root, at: place[...], attribute, text), element: element.name,
            attribute: attribute, text: text, entity: entity, property: property)
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
        case (let index?, let text?): element.attributes[index] = .init(attribute, text)
        case (let index?, nil): element.attributes.remove(at: index)
        case (nil, let text?): element.attributes.append(.init(attribute, text))
        case (nil, nil): break
        }
        return element
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
        if let own = variant.entity { #expect(entity == own, "\(variant): \(reason)") }
        if let own = variant.property { #expect(property == own, "\(variant): \(reason)") }
    }

    @Test func everyVariantIsReadOrRefusedWithItsPlace() throws {
        var random = SeededGenerator(seed: Self.seed)
        let models = try SharedFiles.paths(under: "models", suffix: "/contents").map { path in
            (path, try XMLTreeReader.read(Data(contentsOf: SharedFiles.url(path))))
        }
        var (used, remarked, unsound, refused) = (0, 0, 0, 0)
        for number in 0..<Self.count {
            let (path, root) = models[Int.random(in: 0..<models.count, using: &random)]
            let variant = Self.variant(of: root, path, &random)
            do {
                let model = try ModelSourceReader.read(variant.tree, from: path)
                if let flaw = ModelSoundness.flaw(in: model) {
                    unsound += 1
                    Self.expectPlace(
                        variant, entity: flaw.entity, property: flaw.property, reason: flaw.sourceReason)
                    continue
                }
                used += 1
                if model.source?.remarks.isEmpty == false { remarked += 1 }
                // Written back as it was, every tenth, as it takes longest.
                if number % 10 == 0 {
                    let written = try ModelSourceWriter.tree(of: model)
                    #expect(written.withoutLayout == variant.tree.withoutLayout, "\(variant)")
                    #expect(try ModelSourceReader.read(written, from: path) == model, "\(variant)")
                }
            } catch let error as ModelFileError {
                refused += 1
                Self.expectPlace(
                    variant, entity: error.entity, property: error.property, reason: error.reason)
            }
        }
        print(
            "model sources: \(used) used (\(remarked) with remarks), \(unsound) unsound, \(refused) refused")
        #expect(used > Self.count / 2)
        #expect(refused > 0)
        #expect(used + unsound + refused == Self.count)
    }
}
