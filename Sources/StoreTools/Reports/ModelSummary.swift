// A model for people and for machines.

public import CoreData

/// Shows a model's entities and properties.
public struct ModelSummary {
    private let model: NSManagedObjectModel
    private let showsHashes: Bool
    private let uncertain: [String: String]
    private let hashes: [String: Data]

    /// A summary of a model.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - showsHashes: whether version hashes are shown.
    public init(_ model: NSManagedObjectModel, showsHashes: Bool) {
        self.model = model
        self.showsHashes = showsHashes
        uncertain = model.uncertainVersionHashes
        hashes = model.entityVersionHashesByName
    }

    private var entities: [NSEntityDescription] {
        model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    private func hash(_ entity: NSEntityDescription) -> String {
        (hashes[entity.name ?? ""] ?? Data()).base64EncodedString()
    }

    /// Writes the summary, for people.
    ///
    /// - Throws: the errors of writing.
    public func write(to output: Output) throws {
        for (position, entity) in entities.enumerated() {
            if position > 0 { try output.writeLine() }
            try write(entity, to: output)
        }
        if showsHashes { try output.writeLine("\nversion checksum \(model.versionChecksum)") }
        let others = model.configurations.sorted()
        if !others.isEmpty { try output.writeLine("\nconfigurations: \(others.joined(separator: ", "))") }
        let templates = model.fetchRequestTemplatesByName.sorted { $0.key < $1.key }
        for (name, request) in templates {
            let predicate = request.predicate?.formatString ?? "all"
            try output.writeLine("\nfetch request \(name): \(request.entityName ?? "") where \(predicate)")
        }
        for remark in model.remarks {
            let place = [remark.entity, remark.property].compactMap(\.self).joined(separator: ".")
            try output.writeLine("\n\(remark.isError ? "error" : "note"): \(place) \(remark.message)")
        }
    }

    private func write(_ entity: NSEntityDescription, to output: Output) throws {
        var line = entity.name ?? ""
        if let parent = entity.superentity?.name { line += " : \(parent)" }
        if entity.isAbstract { line += ", abstract" }
        if let name = entity.managedObjectClassName, name != "NSManagedObject" { line += ", class \(name)" }
        if let identifier = entity.renamingIdentifier, identifier != entity.name {
            line += ", was \(identifier)"
        }
        try output.writeLine(line)
        let own = entity.properties.filter { $0.entity === entity }
        let groups = [
            own.filter { $0 is NSAttributeDescription }, own.filter { $0 is NSRelationshipDescription },
            own.filter { $0 is NSFetchedPropertyDescription },
        ]
        let width = own.reduce(0) { max($0, $1.name.displayWidth) } + 2
        for property in groups.flatMap({ $0.sorted { $0.name < $1.name } }) {
            try output.writeLine("  " + property.name.padded(to: width) + property.summary)
        }
        for constraint in entity.uniquenessConstraints {
            try output.writeLine("  unique: " + constraint.map { "\($0)" }.joined(separator: ", "))
        }
        for index in entity.indexes {
            let elements = index.elements.map {
                $0.subject + ($0.isAscending ? "" : " descending")
            }
            let filter = index.partialIndexPredicate.map { " where \($0.formatString)" } ?? ""
            try output.writeLine("  index \(index.name): " + elements.joined(separator: ", ") + filter)
        }
        if showsHashes { try output.writeLine("  hash \(hash(entity))") }
        if let reason = uncertain[entity.name ?? ""] {
            try output.writeLine("  the version hash is uncertain: \(reason)")
        }
    }
}

extension ModelSummary {
    /// For machines.
    public var record: PrintedValue {
        .object([
            "versionIdentifiers": .list(
                model.versionIdentifiers.map { .text("\($0)") }.sorted { $0.json < $1.json }),
            "versionChecksum": .text(model.versionChecksum),
            "configurations": .list(model.configurations.sorted().map { .text($0) }),
            "entities": .list(entities.map(record)),
        ])
    }

    private func record(_ entity: NSEntityDescription) -> PrintedValue {
        let own = entity.properties.filter { $0.entity === entity }.sorted { $0.name < $1.name }
        var fields: [PrintedValue.Field] = [
            .init("name", value: .text(entity.name ?? "")),
            .init("superentity", value: entity.superentity?.name.map { .text($0) } ?? .null),
            .init("isAbstract", value: .bool(entity.isAbstract)),
            .init("class", value: entity.managedObjectClassName.map { .text($0) } ?? .null),
            .init("versionHash", value: .text(hash(entity))),
        ]
        if let reason = uncertain[entity.name ?? ""] {
            fields.append(.init("uncertainHash", value: .text(reason)))
        }
        fields.append(.init("properties", value: .list(own.map(\.record))))
        return .record(fields)
    }
}

extension NSFetchIndexElementDescription {
    /// The property that it is about, or the expression where it has no name.
    fileprivate var subject: String {
        if let name = propertyName, !name.isEmpty { return name }
        let expression = (property as? NSExpressionDescription)?.expression
        return expression.map { "\($0)" } ?? "an expression"
    }
}

extension NSPropertyDescription {
    /// The property's description in one line.
    fileprivate var summary: String {
        var parts: [String] = []
        switch self {
        case let attribute as NSAttributeDescription: parts = attribute.parts
        case let relationship as NSRelationshipDescription: parts = relationship.parts
        case let fetched as NSFetchedPropertyDescription:
            let request = fetched.fetchRequest
            parts = [
                "fetches \(request?.entityName ?? "") where \(request?.predicate?.formatString ?? "all")"
            ]
        default: break
        }
        if !(self is NSFetchedPropertyDescription), !isOptional { parts.append("required") }
        if isTransient { parts.append("transient") }
        if let identifier = renamingIdentifier, identifier != name { parts.append("was \(identifier)") }
        parts += validationPredicates.map { "valid if \($0.formatString)" }
        return parts.joined(separator: ", ")
    }

    fileprivate var record: PrintedValue {
        var fields: [PrintedValue.Field] = [
            .init("name", value: .text(name)), .init("isOptional", value: .bool(isOptional)),
            .init("isTransient", value: .bool(isTransient)),
        ]
        switch self {
        case let attribute as NSAttributeDescription:
            fields.append(.init("type", value: .text(attribute.attributeType.name)))
            if let value = attribute.defaultValue {
                fields.append(
                    .init("default", value: StoredValue.printed(value, type: attribute.attributeType)))
            }
        case let relationship as NSRelationshipDescription:
            fields += [
                .init("destination", value: relationship.destinationEntity?.name.map { .text($0) } ?? .null),
                .init("inverse", value: relationship.inverseRelationship.map { .text($0.name) } ?? .null),
                .init("minCount", value: .integer(Int64(relationship.minCount))),
                .init("maxCount", value: .integer(Int64(relationship.maxCount))),
                .init("isOrdered", value: .bool(relationship.isOrdered)),
                .init("deleteRule", value: .text(relationship.deleteRule.name)),
            ]
        default: fields.append(.init("type", value: .text("Fetched")))
        }
        return .record(fields)
    }
}

extension NSAttributeDescription {
    fileprivate var parts: [String] {
        var parts = [attributeType.name]
        if let composite = self as? NSCompositeAttributeDescription {
            parts[0] +=
                " ("
                + composite.elements.map { "\($0.name): \($0.attributeType.name)" }.joined(separator: ", ")
                + ")"
        }
        if let derived = self as? NSDerivedAttributeDescription {
            parts.append("derived from \(derived.derivationExpression?.description ?? "nothing")")
        }
        if let value = defaultValue {
            parts.append("default \(StoredValue.printed(value, type: attributeType).cell)")
        }
        if let name = valueTransformerName, !name.isEmpty { parts.append("transformer \(name)") }
        if allowsExternalBinaryDataStorage { parts.append("may be kept in a file of its own") }
        if preservesValueInHistoryOnDeletion { parts.append("kept in history on deletion") }
        return parts
    }
}

extension NSRelationshipDescription {
    fileprivate var parts: [String] {
        var parts = [(isToMany ? "to many " : "to one ") + (destinationEntity?.name ?? "?")]
        if isOrdered { parts.append("ordered") }
        parts.append(inverseRelationship.map { "inverse \($0.name)" } ?? "no inverse")
        if isToMany, minCount > 0 { parts.append("at least \(minCount)") }
        if isToMany, maxCount > 0 { parts.append("at most \(maxCount)") }
        parts.append("on delete \(deleteRule.name)")
        return parts
    }
}

extension NSDeleteRule {
    fileprivate var name: String {
        switch self {
        case .noActionDeleteRule: "no action"
        case .nullifyDeleteRule: "nullify"
        case .cascadeDeleteRule: "cascade"
        case .denyDeleteRule: "deny"
        }
    }
}
