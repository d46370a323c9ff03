// Reads the `contents` of source models (.xcdatamodel), as Xcode 4 and later write them.

import CoreDataPredicate
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// A reader of source models in XML. It is as lenient as Xcode: see Docs/ModelFiles.md.
package struct ModelSourceReader {
    let file: String
    let reading: SourceReading
    let composites: [String: SourceElement]

    /// The model in a source model's XML, with the document and remarks on it. `file` names it in errors. Throws
    /// `ModelFileError`.
    package static func read(_ data: Data, from file: String) throws -> ModelSchema {
        try ModelFileError.locating(file) { try read(XMLTreeReader.read(data), from: file) }
    }

    /// The model that an XML document states. Throws `ModelFileError`.
    package static func read(_ tree: XMLTree, from file: String) throws -> ModelSchema {
        try ModelFileError.locating(file) {
            guard tree.name == "model" else {
                throw ArchiveFailure("the root element is <\(tree.name)>, not <model>")
            }
            let reading = SourceReading()
            let root = SourceElement(tree, reading: reading)
            var composites: [String: SourceElement] = [:]
            for child in root.children where child.name == "composite" {
                child.remarkUnknownAttributes()
                let name = try child.required("name")
                guard composites.updateValue(child, forKey: name) == nil else {
                    throw ArchiveFailure("two elements <composite> have the \"name\" \"\(name)\"")
                }
            }
            var model = try ModelSourceReader(file: file, reading: reading, composites: composites)
                .model(root)
            model.source = SourceDocument(tree, remarks: reading.remarks)
            return model
        }
    }

    private func model(_ root: SourceElement) throws -> ModelSchema {
        var model = ModelSchema()
        root.remarkUnknownAttributes()
        if let version = root.text("documentVersion").flatMap(Double.init),
            version > SourceVocabulary.documentVersion
        {
            root.remark("documentVersion", text: "\(version)", meaning: "a form that isn't known here")
        }
        if let identifier = root.tree["userDefinedModelVersionIdentifier"] {
            model.versionIdentifiers = [identifier]
        }
        for child in root.children {
            switch child.name {
            case "entity":
                try ModelFileError.locating(file, entity: child.text("name")) {
                    try model.entities.append(entity(child))
                }
            case "configuration":
                try model.configurations.append(configuration(child))
            case "fetchRequest":
                let name = try child.required("name")
                try ModelFileError.locating(file, property: name) {
                    var child = child
                    child.property = name
                    try model.fetchTemplates.append(.init(name: name, request: fetchRequest(child)))
                }
            case "composite", "elements": break
            default: child.remarkUnknown()
            }
        }
        return model
    }

    private func configuration(_ element: SourceElement) throws -> ConfigurationSchema {
        element.remarkUnknownAttributes()
        let members = element.children.compactMap { child -> String? in
            if let name = child.text("name") { return name }
            child.remark("<\(child.name)> number \(child.number) has no \"name\": it is left out")
            return nil
        }
        return ConfigurationSchema(name: try element.required("name"), entityNames: members)
    }

    private func entity(_ element: SourceElement) throws -> EntitySchema {
        let name = try element.required("name")
        var element = element
        element.entity = name
        element.remarkUnknownAttributes()
        var entity = EntitySchema(name: name)
        entity.setClass(statedName: element.text("representedClassName"))
        entity.codeGeneration = element.word(
            "codeGenerationType", words: [("class", "class"), ("category", "category")], unknown: "none")
        entity.isAbstract = element.bool("isAbstract")
        entity.superentityName = element.text("parentEntity")
        entity.renamingIdentifier = element.renamingIdentifier(of: name)
        entity.versionHashModifier = element.text("versionHashModifier")
        do {
            entity.coreSpotlightDisplayNameExpression = try element.expression(
                "coreSpotlightDisplayNameExpression")
        } catch let error as ArchiveFailure {
            element.remark(error.reason + ": it is left out")
        }
        for child in element.children { try read(child, into: &entity) }
        return entity
    }

    private func read(_ child: SourceElement, into entity: inout EntitySchema) throws {
        switch child.name {
        case "attribute", "relationship", "fetchedProperty":
            let property: PropertySchema = try ModelFileError.locating(file, property: child.text("name")) {
                try self.property(child)
            }
            entity.properties.append(property)
        case "fetchIndex":
            if let index = try fetchIndex(child) { entity.indexes.append(index) }
        case "uniquenessConstraints":
            entity.uniquenessConstraints += try child.children.map { constraint in
                try constraint.children.map { element in
                    element.remarkUnknownAttributes()
                    return try element.required("value")
                }
            }.filter { !$0.isEmpty }
        case "compoundIndexes": entity.compoundIndexes += compoundIndexes(child)
        case "userInfo": entity.userInfo = userInfo(child)
        default: child.remarkUnknown()
        }
    }

    // MARK: Parts

    func fetchRequest(_ element: SourceElement) throws -> FetchRequestSchema {
        element.remarkUnknownAttributes()
        var request = try FetchRequestSchema(
            entityName: element.text("entity") ?? "", predicate: element.predicate("predicateString"))
        request.fetchLimit = element.count("fetchLimit") ?? 0
        request.fetchBatchSize = element.count("fetchBatchSize") ?? 0
        request.resultType = UInt(element.count("resultType") ?? 0)
        request.includesSubentities = element.bool("includeSubentities", absent: true)
        request.includesPropertyValues = element.bool("includePropertyValues", absent: true)
        request.includesPendingChanges = element.bool("includePendingChanges", absent: true)
        request.returnsObjectsAsFaults = element.bool("returnObjectsAsFaults", absent: true)
        request.returnsDistinctResults = element.bool("returnDistinctResults")
        return request
    }

    func userInfo(_ element: SourceElement) -> [Value: Value] {
        var pairs: [Value: Value] = [:]
        for entry in element.children {
            entry.remarkUnknownAttributes()
            // An empty text is a key like any other.
            guard let key = entry.tree["key"] else {
                entry.remark("<\(entry.name)> number \(entry.number) has no \"key\": it is left out")
                continue
            }
            pairs[.string(key)] = .string(entry.tree["value"] ?? "")
        }
        return pairs
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

extension SourceElement {
    func renamingIdentifier(of name: String) -> String? {
        let identifier = text("elementID")
        return identifier == name ? nil : identifier
    }
}
