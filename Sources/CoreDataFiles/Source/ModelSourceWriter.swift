// Writes the `contents` of source models, in the order of Xcode's own files.

import CoreDataPredicate
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// A writer of source models in XML.
package struct ModelSourceWriter {
    private var composites: [(name: String, elements: [PropertySchema])] = []
    /// `true` to refuse a predicate that its text doesn't say exactly.
    private let isExact: Bool

    private init(isExact: Bool) {
        self.isExact = isExact
    }

    /// The `contents` of a source model. Throws `ModelFileError` (with an empty file name) for what the form can't
    /// state: values of binary and transformable attributes, predicates that are no bounds, sorted templates.
    ///
    /// A model that was read from a source is written into that source's document.
    package static func data(for model: ModelSchema) throws -> Data {
        try ModelFileError.locating("") { try XMLTreeWriter.data(for: tree(of: model)) }
    }

    /// The same for a file that an editor opens: a model that was read from no source gets a layout for the diagram.
    static func laidOut(_ model: ModelSchema) throws -> Data {
        try ModelFileError.locating("") {
            var tree = try tree(of: model)
            if model.source == nil, let elements = SourceLayout.elements(model.entities) {
                tree.children.append(elements)
            }
            return try XMLTreeWriter.data(for: tree)
        }
    }

    /// The document of a model. Throws `ModelFileError` as `data(for:)` does.
    package static func tree(of model: ModelSchema) throws -> XMLTree {
        var writer = ModelSourceWriter(isExact: true)
        guard let original = model.source?.root else { return try writer.root(model) }
        // Texts of the original's predicates stay, so that ours need not be exact where they are compared only.
        var (before, after) = (ModelSourceWriter(isExact: false), ModelSourceWriter(isExact: false))
        let merged = try SourceMerge.merged(
            original, before: before.root(ModelSourceReader.read(original, from: "")),
            after: after.root(model))
        if try ModelSourceReader.read(merged, from: "") == model { return merged }
        // An edit that no text says exactly, for which this throws, or one that the document has no place for, as
        // where it states a thing twice.
        return try writer.root(model)
    }

    private mutating func root(_ model: ModelSchema) throws -> XMLTree {
        guard model.versionIdentifiers.count <= 1 else {
            throw ArchiveFailure("a source model can't state several version identifiers")
        }
        var root = XMLTree(
            "model",
            attributes: [
                .init("type", value: "com.apple.IDECoreDataModeler.DataModel"),
                .init("documentVersion", value: "1.0"),
                .init("lastSavedToolsVersion", value: "22758"), .init("systemVersion", value: "23E224"),
                .init("minimumToolsVersion", value: "Automatic"), .init("sourceLanguage", value: "Swift"),
            ])
        if let identifier = model.versionIdentifiers.first {
            root.attributes.append(.init("userDefinedModelVersionIdentifier", value: identifier))
        }
        for entity in model.entities {
            let element = try ModelFileError.locating("", entity: entity.name) { try self.entity(entity) }
            root.children.append(element)
        }
        for template in model.fetchTemplates {
            let element = try ModelFileError.locating("", property: template.name) {
                try fetchRequest(template.request, name: template.name)
            }
            root.children.append(element)
        }
        for configuration in model.configurations {
            let members = configuration.entityNames.map {
                XMLTree("memberEntity", attributes: [.init("name", value: $0)])
            }
            root.children.append(
                XMLTree(
                    "configuration", attributes: [.init("name", value: configuration.name)], children: members
                ))
        }
        try appendComposites(to: &root)
        return root
    }

    /// Writing a composite type may meet further ones, which join the list.
    private mutating func appendComposites(to root: inout XMLTree) throws {
        var index = 0
        while index < composites.count {
            let (name, elements) = composites[index]
            guard index < 1000 else { throw ArchiveFailure("the model has too many composite types") }
            let children = try elements.map { try property($0, path: name) }
            root.children.append(
                XMLTree("composite", attributes: [.init("name", value: name)], children: children))
            index += 1
        }
    }

    /// The name under which a composite type is declared.
    mutating func composite(_ traits: AttributeTraits, path: String) throws -> String {
        let name = traits.compositeName ?? path
        if let known = composites.first(where: { $0.name == name }) {
            guard known.elements == traits.elements else {
                throw ArchiveFailure("two composite types are both named \"\(name)\"")
            }
        } else {
            composites.append((name, traits.elements))
        }
        return name
    }

    // MARK: Entities

    private mutating func entity(_ entity: EntitySchema) throws -> XMLTree {
        var element = XMLTree("entity", attributes: [.init("name", value: entity.name)])
        let className = entity.className.map { (entity.classModule ?? "") + $0 }
        element.add("representedClassName", value: className ?? "NSManagedObject")
        element.add("parentEntity", value: entity.superentityName)
        element.add("isAbstract", flag: entity.isAbstract)
        element.add("elementID", value: entity.renamingIdentifier)
        element.add("versionHashModifier", value: entity.versionHashModifier)
        element.add("syncable", flag: true)
        element.add("codeGenerationType", value: entity.codeGeneration)
        element.add(
            "coreSpotlightDisplayNameExpression",
            value: try entity.coreSpotlightDisplayNameExpression.map { try text($0) })
        for property in entity.properties {
            let child = try ModelFileError.locating("", property: property.name) {
                try self.property(property, path: entity.name)
            }
            element.children.append(child)
        }
        element.children += try entity.indexes.map { try fetchIndex($0) }
        element.add(
            list: entity.compoundIndexes, as: "compoundIndexes", middle: "compoundIndex", inner: "index")
        element.add(
            list: entity.uniquenessConstraints, as: "uniquenessConstraints", middle: "uniquenessConstraint",
            inner: "constraint")
        try element.add(userInfo: entity.userInfo)
        return element
    }

    private func fetchIndex(_ index: FetchIndexSchema) throws -> XMLTree {
        var element = XMLTree("fetchIndex", attributes: [.init("name", value: index.name)])
        element.add("partialIndexPredicate", value: try index.partialPredicate.map { try text($0) })
        element.children = try index.elements.map { part in
            var child = XMLTree("fetchIndexElement")
            switch part.subject {
            case .property(let name): child.add("property", value: name)
            case .expression(let name, let expression, let type):
                child.add("name", value: name.isEmpty ? nil : name)
                child.add("expression", value: try text(expression))
                child.add("expressionType", value: type.sourceName)
            }
            child.add("type", value: part.collation == .rTree ? "RTree" : "Binary")
            child.add("order", value: part.isAscending ? "ascending" : "descending")
            return child
        }
        return element
    }

    func fetchRequest(_ request: FetchRequestSchema, name: String) throws -> XMLTree {
        guard request.sortKeys.isEmpty, request.propertiesToFetch.isEmpty,
            request.propertiesToGroupBy.isEmpty,
            request.havingPredicate == nil, request.relationshipKeyPathsForPrefetching.isEmpty,
            request.fetchOffset == 0
        else {
            throw ArchiveFailure(
                "a source model can't state a fetch request's order, offset, properties, groups or prefetching"
            )
        }
        var element = XMLTree(
            "fetchRequest",
            attributes: [.init("name", value: name), .init("entity", value: request.entityName)])
        element.add("predicateString", value: try request.predicate.map { try text($0) })
        if request.fetchLimit != 0 { element.add("fetchLimit", value: "\(request.fetchLimit)") }
        if request.fetchBatchSize != 0 { element.add("fetchBatchSize", value: "\(request.fetchBatchSize)") }
        if request.resultType != 0 { element.add("resultType", value: "\(request.resultType)") }
        if !request.includesSubentities { element.add("includeSubentities", value: "NO") }
        if !request.includesPropertyValues { element.add("includePropertyValues", value: "NO") }
        if !request.includesPendingChanges { element.add("includePendingChanges", value: "NO") }
        if !request.returnsObjectsAsFaults { element.add("returnObjectsAsFaults", value: "NO") }
        element.add("returnDistinctResults", flag: request.returnsDistinctResults)
        return element
    }

    /// A predicate's format, if parsing it gives the same predicate again.
    func text(_ predicate: PredicateTree) throws -> String {
        let format = predicate.format
        guard try !isExact || PredicateParser.predicate(format) == predicate else {
            throw ArchiveFailure("a source model can't state the predicate \(format) exactly")
        }
        return format
    }

    func text(_ expression: ExpressionTree) throws -> String {
        let format = expression.format
        guard try !isExact || PredicateParser.expression(format) == expression else {
            throw ArchiveFailure("a source model can't state the expression \(format) exactly")
        }
        return format
    }
}

extension XMLTree {
    mutating func add(_ name: String, value: String?) {
        if let value { attributes.append(.init(name, value: value)) }
    }

    mutating func add(_ name: String, flag: Bool) {
        if flag { attributes.append(.init(name, value: "YES")) }
    }

    fileprivate mutating func add(list: [[String]], as outer: String, middle: String, inner: String) {
        guard !list.isEmpty else { return }
        let parts = list.map {
            XMLTree(middle, children: $0.map { XMLTree(inner, attributes: [.init("value", value: $0)]) })
        }
        children.append(XMLTree(outer, children: parts))
    }

    mutating func add(userInfo pairs: [Value: Value]) throws {
        guard !pairs.isEmpty else { return }
        let texts = try pairs.map { key, value in
            guard case .string(let key) = key, case .string(let value) = value else {
                throw ArchiveFailure("a source model's user info can hold text only")
            }
            return (key, value)
        }
        children.append(
            XMLTree(
                "userInfo",
                children: texts.sorted { $0.0 < $1.0 }.map {
                    XMLTree("entry", attributes: [.init("key", value: $0.0), .init("value", value: $0.1)])
                }))
    }
}
