// Reads the `contents` of source models (.xcdatamodel), as Xcode 4 and later write them.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A reader of source models in XML.
package struct ModelSourceReader {
    let file: String
    let composites: [String: XMLTree]
    /// How many elements composite attributes may still unfold to, as types that contain types multiply.
    let budget = Budget()

    final class Budget {
        var elements = 100_000
    }

    /// The model in a source model's XML. `file` names it in errors. Throws `ModelFileError`.
    package static func read(_ data: Data, from file: String) throws -> ModelSchema {
        try ModelFileError.locating(file) {
            let root = try XMLTreeReader.read(data)
            guard root.name == "model" else {
                throw ArchiveFailure("the root element is <\(root.name)>, not <model>")
            }
            var composites: [String: XMLTree] = [:]
            for child in root.children where child.name == "composite" {
                composites[try child.required("name")] = child
            }
            return try ModelSourceReader(file: file, composites: composites).model(root)
        }
    }

    private func model(_ root: XMLTree) throws -> ModelSchema {
        var model = ModelSchema()
        if let identifier = root["userDefinedModelVersionIdentifier"] {
            model.versionIdentifiers = [identifier]
        }
        for child in root.children {
            switch child.name {
            case "entity":
                try ModelFileError.locating(file, entity: child["name"]) {
                    try model.entities.append(entity(child))
                }
            case "configuration":
                let members = try child.children.map { try $0.required("name") }
                try model.configurations.append(.init(name: child.required("name"), entityNames: members))
            case "fetchRequest":
                let name = try child.required("name")
                try ModelFileError.locating(file, property: name) {
                    try model.fetchTemplates.append(.init(name: name, request: fetchRequest(child)))
                }
            case "composite", "elements": break
            default: throw child.unknown
            }
        }
        return model
    }

    private func entity(_ element: XMLTree) throws -> EntitySchema {
        let name = try element.required("name")
        var entity = EntitySchema(name: name)
        entity.setClass(statedName: element["representedClassName"])
        entity.codeGeneration = element["codeGenerationType"]
        entity.isAbstract = try element.bool("isAbstract")
        entity.superentityName = element["parentEntity"]
        entity.renamingIdentifier = element.renamingIdentifier(of: name)
        entity.versionHashModifier = element["versionHashModifier"]
        if let text = element["coreSpotlightDisplayNameExpression"] {
            entity.coreSpotlightDisplayNameExpression = try expression(text)
        }
        for child in element.children { try read(child, into: &entity) }
        return entity
    }

    private func read(_ child: XMLTree, into entity: inout EntitySchema) throws {
        switch child.name {
        case "attribute", "relationship", "fetchedProperty":
            let property: PropertySchema = try ModelFileError.locating(file, property: child["name"]) {
                try self.property(child)
            }
            entity.properties.append(property)
        case "fetchIndex": try entity.indexes.append(fetchIndex(child))
        case "uniquenessConstraints":
            entity.uniquenessConstraints += try child.children.map {
                try $0.children.map { try $0.required("value") }
            }
        case "compoundIndexes":
            entity.compoundIndexes += try child.children.map {
                try $0.children.map { try $0.required("value") }
            }
        case "userInfo": entity.userInfo = try userInfo(child)
        default: throw child.unknown
        }
    }

    private func fetchIndex(_ element: XMLTree) throws -> FetchIndexSchema {
        let elements = try element.children.map { child in
            let subject: FetchIndexElementSchema.Subject
            if let text = child["expression"] {
                let type = child["expressionType"] ?? AttributeType.undefined.sourceName
                guard let resultType = AttributeType(sourceName: type) else {
                    throw ArchiveFailure("unknown attribute type \"\(type)\"")
                }
                subject = try .expression(name: child["name"] ?? "", expression(text), resultType: resultType)
            } else {
                subject = try .property(child.required("property"))
            }
            let type = child["type"] ?? "Binary"
            guard type == "Binary" || type == "RTree" else {
                throw ArchiveFailure("a fetch index has an element of unknown type \"\(type)\"")
            }
            return FetchIndexElementSchema(
                subject, collation: type == "RTree" ? .rTree : .binary,
                isAscending: child["order"] != "descending")
        }
        return try FetchIndexSchema(
            name: element.required("name"), elements: elements,
            partialPredicate: element["partialIndexPredicate"].map(predicate))
    }

    // MARK: Parts

    func fetchRequest(_ element: XMLTree) throws -> FetchRequestSchema {
        var request = try FetchRequestSchema(
            entityName: element["entity"] ?? "", predicate: element["predicateString"].map(predicate))
        request.fetchLimit = try element.count("fetchLimit") ?? 0
        request.fetchBatchSize = try element.count("fetchBatchSize") ?? 0
        request.resultType = try UInt(element.count("resultType") ?? 0)
        request.includesSubentities = try element.bool("includeSubentities", absent: true)
        request.includesPropertyValues = try element.bool("includePropertyValues", absent: true)
        request.includesPendingChanges = try element.bool("includePendingChanges", absent: true)
        request.returnsObjectsAsFaults = try element.bool("returnObjectsAsFaults", absent: true)
        request.returnsDistinctResults = try element.bool("returnDistinctResults")
        return request
    }

    func userInfo(_ element: XMLTree) throws -> [Value: Value] {
        var pairs: [Value: Value] = [:]
        for entry in element.children {
            pairs[.string(try entry.required("key"))] = .string(entry["value"] ?? "")
        }
        return pairs
    }

    func predicate(_ text: String) throws -> PredicateTree {
        do {
            return try PredicateParser.predicate(text)
        } catch {
            throw ArchiveFailure("the predicate \"\(text)\" does not parse: \(error)")
        }
    }

    func expression(_ text: String) throws -> ExpressionTree {
        do {
            return try PredicateParser.expression(text)
        } catch {
            throw ArchiveFailure("the expression \"\(text)\" does not parse: \(error)")
        }
    }
}

extension EntitySchema {
    /// Takes a class as sources spell it: a leading dot stands for the product's own module.
    mutating func setClass(statedName name: String?) {
        guard let name, !name.isEmpty, name != "NSManagedObject" else { return }
        className = name.hasPrefix(".") ? String(name.dropFirst()) : name
        classModule = name.hasPrefix(".") ? "." : nil
    }
}

extension XMLTree {
    func required(_ attribute: String) throws -> String {
        guard let value = self[attribute] else { throw ArchiveFailure("<\(name)> lacks \"\(attribute)\"") }
        return value
    }

    func bool(_ attribute: String, absent: Bool = false) throws -> Bool {
        guard let text = self[attribute] else { return absent }
        guard let value = SourceDefaultValue.bool(text) else {
            throw ArchiveFailure("\"\(text)\" is no value for \"\(attribute)\"")
        }
        return value
    }

    /// A number that is not negative and fits 31 bits.
    func count(_ attribute: String) throws -> Int? {
        guard let text = self[attribute] else { return nil }
        guard let value = Int32(text), value >= 0 else {
            throw ArchiveFailure("\"\(text)\" is no value for \"\(attribute)\"")
        }
        return Int(value)
    }

    func renamingIdentifier(of name: String) -> String? {
        guard let identifier = self["elementID"], !identifier.isEmpty, identifier != name else { return nil }
        return identifier
    }

    var unknown: ArchiveFailure { ArchiveFailure("unknown element <\(name)>") }
}
