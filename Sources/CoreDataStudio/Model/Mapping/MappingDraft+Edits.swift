// Carries out edits on a mapping model.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension MappingDraft {
    static let kinds: [(value: String, kind: EntityMappingSchema.Kind)] = [
        ("Add", .add), ("Remove", .remove), ("Copy", .copy), ("Transform", .transform), ("Custom", .custom),
        ("Undefined", .undefined),
    ]
    private static let limit = 2_000

    /// Throws `ModelEditFailure`; the draft may be half edited then.
    package mutating func apply(_ command: MappingCommand) throws {
        switch command {
        case .set(let place, let field, let value): try set(try required(place), field: field, value: value)
        case .value(let place, let property, let value):
            try setValue(
                try required(place), name: property, value: try value.map { try expression($0) },
                isNew: value != nil)
        case .standard(let place, let name):
            let entity = mapping.entityMappings[try required(place)]
            guard let property = properties(of: entity).first(where: { $0.name == name }) else {
                throw ModelEditFailure("There is no property \"\(name)\".")
            }
            try setValue(place, name: name, value: standardValue(of: property, in: entity), isNew: true)
        case .add(let source, let destination): try add(source, destination: destination)
        case .remove(let place): mapping.entityMappings.remove(at: try required(place))
        case .move(let place, let target):
            let entity = mapping.entityMappings.remove(at: try required(place))
            mapping.entityMappings.insert(entity, at: min(max(0, target), mapping.entityMappings.count))
        case .userInfo(let place, let property, let entries):
            try setUserInfo(try required(place), property: property, entries: entries)
        }
    }

    /// Returns the name of an edit, for the undo button.
    func label(_ command: MappingCommand) -> String {
        func name(_ place: Int) -> String {
            mapping.entityMappings.indices.contains(place) ? mapping.entityMappings[place].name : ""
        }
        switch command {
        case .set(let place, let field, _): return "\(field) of \(name(place))"
        case .value(let place, let property, _), .standard(let place, let property):
            return "\(name(place)).\(property)"
        case .add(let source, let destination):
            return "new mapping \(EntityMappingSchema.name(source: source, destination: destination))"
        case .remove(let place): return "removal of \(name(place))"
        case .move(let place, _): return "place of \(name(place))"
        case .userInfo(let place, _, _): return "user info of \(name(place))"
        }
    }

    private func required(_ place: Int) throws -> Int {
        guard mapping.entityMappings.indices.contains(place) else {
            throw ModelEditFailure("The mapping isn't there any more.")
        }
        return place
    }

    private func expression(_ text: String) throws -> ExpressionTree {
        do {
            return try PredicateParser.expression(text)
        } catch {
            throw ModelEditFailure("\(error.reason) (character \(error.position + 1)).")
        }
    }

    // MARK: Entity mappings

    private mutating func add(_ source: String?, destination: String?) throws {
        guard source != nil || destination != nil else {
            throw ModelEditFailure("A mapping needs an entity to come from or to lead to.")
        }
        guard mapping.entityMappings.count < Self.limit else {
            throw ModelEditFailure("There are too many mappings.")
        }
        try checkEntity(source, model: self.source, words: "older")
        try checkEntity(destination, model: self.destination, words: "newer")
        let beginning = EntityMappingSchema.name(source: source, destination: destination)
        var (name, number) = (beginning, 1)
        while mapping.entityMappings.contains(where: { $0.name == name }) {
            number += 1
            name = "\(beginning)\(number)"
        }
        var entity = EntityMappingSchema(name: name, source: source, destination: destination)
        entity.sourceExpression = source.map { EntityMappingSchema.sourceExpression(of: $0) }
        mapping.entityMappings.append(entity)
        correctKind(mapping.entityMappings.count - 1)
        fill(mapping.entityMappings.count - 1)
    }

    private func checkEntity(_ name: String?, model: ModelSchema?, words: String) throws {
        guard let name, model?.entities.contains(where: { $0.name == name }) != true else { return }
        throw ModelEditFailure("The \(words) model has no entity \"\(name)\".")
    }

    private mutating func set(_ place: Int, field: String, value: String?) throws {
        let entity = mapping.entityMappings[place]
        switch field {
        case "name": try rename(place, name: value ?? "")
        case "kind": try setKind(place, text: value)
        case "source":
            try checkEntity(value, model: source, words: "older")
            mapping.entityMappings[place].sourceEntityName = value
            mapping.entityMappings[place].sourceExpression = value.map {
                EntityMappingSchema.sourceExpression(of: $0)
            }
            try follow(place, before: entity)
        case "destination":
            try checkEntity(value, model: destination, words: "newer")
            mapping.entityMappings[place].destinationEntityName = value
            try follow(place, before: entity)
        case "filter": try setFilter(place, text: value)
        case "expression":
            mapping.entityMappings[place].sourceExpression = try value.map { try expression($0) }
        case "policy":
            mapping.entityMappings[place].policyClassName = value
            if value == nil, entity.kind == .custom { mapping.entityMappings[place].kind = .transform }
            correctKind(place)
        default: throw ModelEditFailure("A mapping has no field \"\(field)\".")
        }
    }

    /// After another entity was chosen: name, kind and properties.
    private mutating func follow(_ place: Int, before: EntityMappingSchema) throws {
        let now = mapping.entityMappings[place]
        guard now.sourceEntityName != nil || now.destinationEntityName != nil else {
            throw ModelEditFailure("A mapping needs an entity to come from or to lead to.")
        }
        if before.name
            == EntityMappingSchema.name(
                source: before.sourceEntityName, destination: before.destinationEntityName)
        {
            let name = EntityMappingSchema.name(
                source: now.sourceEntityName, destination: now.destinationEntityName)
            if !mapping.entityMappings.contains(where: { $0.name == name }) { try rename(place, name: name) }
        }
        correctKind(place)
        fill(place)
    }

    /// Sees to it that the kind is one that the mapping can have.
    private mutating func correctKind(_ place: Int) {
        let entity = mapping.entityMappings[place]
        let isOneSided = [.add, .remove].contains(entity.kind)
        let kind: EntityMappingSchema.Kind =
            if entity.policyClassName != nil {
                .custom
            } else if entity.sourceEntityName == nil {
                .add
            } else if entity.destinationEntityName == nil {
                .remove
            } else {
                isOneSided || entity.kind == .undefined ? .transform : entity.kind
            }
        mapping.entityMappings[place].kind = kind
    }

    private mutating func setKind(_ place: Int, text: String?) throws {
        guard let kind = Self.kinds.first(where: { $0.value == text })?.kind else {
            throw ModelEditFailure("A mapping's type can't be \"\(text ?? "")\".")
        }
        let entity = mapping.entityMappings[place]
        if kind == .add, entity.sourceEntityName != nil {
            throw ModelEditFailure("What is added has no source: take the source entity away.")
        }
        if kind == .remove, entity.destinationEntityName != nil {
            throw ModelEditFailure("What is removed has no destination: take the destination entity away.")
        }
        if ![.add, .custom, .undefined].contains(kind), entity.sourceEntityName == nil {
            throw ModelEditFailure("This type of mapping needs a source entity.")
        }
        if ![.remove, .custom, .undefined].contains(kind), entity.destinationEntityName == nil {
            throw ModelEditFailure("This type of mapping needs a destination entity.")
        }
        mapping.entityMappings[place].kind = kind
    }

    private mutating func setFilter(_ place: Int, text: String?) throws {
        guard let name = mapping.entityMappings[place].sourceEntityName else {
            throw ModelEditFailure("Without a source entity there is nothing to filter.")
        }
        do {
            if let text { _ = try PredicateParser.predicate(text) }
        } catch {
            throw ModelEditFailure("\(error.reason) (character \(error.position + 1)).")
        }
        mapping.entityMappings[place].sourceExpression = EntityMappingSchema.sourceExpression(
            of: name, where: text ?? "TRUEPREDICATE")
    }

    /// Expressions that name the mapping go along.
    private mutating func rename(_ place: Int, name: String) throws {
        let old = mapping.entityMappings[place].name
        guard !name.isEmpty, name.utf8.count <= 1000, XMLText.obstacle(in: name) == nil else {
            throw ModelEditFailure("\"\(name)\" is no name for a mapping.")
        }
        guard name == old || !mapping.entityMappings.contains(where: { $0.name == name }) else {
            throw ModelEditFailure("There is \"\(name)\" already.")
        }
        mapping.entityMappings[place].name = name
        for entity in mapping.entityMappings.indices {
            mapping.entityMappings[entity].updateProperties { property in
                property.value = property.value?.naming(name, inPlaceOf: old)
            }
        }
    }

    // MARK: Properties

    private mutating func setValue(
        _ place: Int, name: String, value: ExpressionTree?, isNew: Bool
    ) throws {
        guard let property = properties(of: mapping.entityMappings[place]).first(where: { $0.name == name })
        else { throw ModelEditFailure("The destination has no stored property \"\(name)\".") }
        var isDone = false
        mapping.entityMappings[place].updateProperties { known in
            if known.name == name { (known.value, isDone) = (value, true) }
        }
        if !isDone, property.relationship == nil {
            mapping.entityMappings[place].attributes.append(.init(name: name, value: value))
        } else if !isDone {
            mapping.entityMappings[place].relationships.append(.init(name: name, value: value))
        }
        if isNew, mapping.entityMappings[place].kind == .copy {
            mapping.entityMappings[place].kind = .transform
        }
    }

    private mutating func setUserInfo(
        _ place: Int, property: String?, entries: [ModelCommand.Entry]
    ) throws {
        guard Set(entries.map(\.key)).count == entries.count else {
            throw ModelEditFailure("Two entries of the user info have the same key.")
        }
        func changed(_ known: [Value: Value]?) -> [Value: Value]? {
            var pairs = (known ?? [:]).filter { key, value in
                if case .string = key, case .string = value { false } else { true }
            }
            for entry in entries { pairs[.string(entry.key)] = .string(entry.value) }
            return pairs.isEmpty ? nil : pairs
        }
        guard let property else {
            mapping.entityMappings[place].userInfo = changed(mapping.entityMappings[place].userInfo)
            return
        }
        mapping.entityMappings[place].updateProperties {
            if $0.name == property { $0.userInfo = changed($0.userInfo) }
        }
    }
}

extension EntityMappingSchema {
    mutating func updateProperties(_ body: (inout PropertyMappingSchema) -> Void) {
        for place in attributes.indices { body(&attributes[place]) }
        for place in relationships.indices { body(&relationships[place]) }
    }
}

extension ExpressionTree {
    /// The entity mappings whose objects an expression asks for.
    var mappingNames: Set<String> {
        var names: Set<String> = []
        _ = rewriting { (part, _) throws(Never) -> ExpressionTree? in
            if case .function(_, let function, let arguments) = part,
                [MappingFunction.destinations, MappingFunction.sources].contains(function),
                case .constant(.string(let name))? = arguments.first
            {
                names.insert(name)
            }
            return nil
        }
        return names
    }

    fileprivate func naming(_ name: String, inPlaceOf old: String) -> ExpressionTree {
        rewriting { (part, _) throws(Never) -> ExpressionTree? in
            guard case .function(let operand, let function, let arguments) = part,
                [MappingFunction.destinations, MappingFunction.sources].contains(function),
                arguments.first == .constant(.string(old))
            else { return nil }
            return .function(
                operand: operand, name: function,
                arguments: [.constant(.string(name))]
                    + arguments.dropFirst().map {
                        $0.naming(name, inPlaceOf: old)
                    })
        }
    }
}
