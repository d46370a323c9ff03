// Predicates that people type: parsed, and checked against the model and against what they may read.

import CoreData
import CoreDataPredicate
import CoreDataSupport
import StoreTools

/// A fault of a predicate, with its place.
struct PredicateMistake: Error {
    let message: String
    let position: Int
    let length: Int

    var value: StudioValue {
        ["message": .text(message), "position": .integer(position), "length": .integer(length)]
    }
}

enum PredicateReading {
    static let limit = 20_000

    /// The tree of a predicate for an entity; throws a problem with the place of the mistake in its details.
    static func tree(_ text: String, of entity: NSEntityDescription, grants: Grants) throws -> PredicateTree {
        do throws(PredicateMistake) {
            return try check(text, of: entity, grants: grants)
        } catch {
            throw problem(error)
        }
    }

    private static func problem(_ mistake: PredicateMistake) -> StudioProblem {
        StudioProblem(
            status: 422, mistake.message,
            details: ["position": "\(mistake.position)", "length": "\(mistake.length)"])
    }

    /// The same with the mistake as it is.
    static func check(
        _ text: String, of entity: NSEntityDescription, grants: Grants
    ) throws(PredicateMistake) -> PredicateTree {
        if text.utf8.count > limit {
            throw PredicateMistake(message: "The predicate is too long.", position: 0, length: 0)
        }
        let tree: PredicateTree
        do {
            tree = try NSPredicate(parsing: text).tree
        } catch let error as PredicateFormatError {
            throw PredicateMistake(message: error.reason, position: error.position, length: error.length)
        } catch {
            throw PredicateMistake(message: readable(error), position: 0, length: 0)
        }
        try check(tree, entity: entity, grants: grants, in: text)
        return tree
    }

    /// Throws if a key path leads where the model doesn't, or where the person may not look.
    static func check(
        _ tree: PredicateTree, entity: NSEntityDescription, grants: Grants, in text: String,
        variables: [String: NSEntityDescription] = [:]
    ) throws(PredicateMistake) {
        var walk = KeyWalk(grants: grants, text: text)
        walk.visit(tree, scope: Scope(entity: entity, variables: variables))
        if let mistake = walk.mistake { throw mistake }
    }

    /// The predicate with values for its variables, each a constant of the predicate language, a date as 2024-05-01, or an
    /// object's name. Key paths of an object's variable, as in `$FETCH_SOURCE.name`, become what the object holds.
    static func substitute(
        _ texts: [String: String], in tree: PredicateTree, of entity: NSEntityDescription, grants: Grants,
        object: (String) throws -> NSManagedObject?
    ) throws -> PredicateTree {
        var values: [String: Value] = [:], objects: [String: NSManagedObject] = [:]
        for name in tree.variables {
            guard let text = texts[name], !text.isEmpty else {
                throw StudioProblem(
                    status: 422, "The variable $\(name) needs a value.", details: ["variable": name])
            }
            if let object = try object(text) {
                values[name] = .object(ObjectReference(object.objectID))
                objects[name] = object
                continue
            }
            guard let value = constant(text) else {
                throw StudioProblem(
                    status: 422,
                    "The value of $\(name) is no constant: write texts in quotes, as in \"abc\", dates as in 2024-05-01, "
                        + "and objects as in Hero/12.",
                    details: ["variable": name])
            }
            values[name] = value
        }
        do throws(PredicateMistake) {
            try check(
                tree, entity: entity, grants: grants, in: tree.format, variables: objects.mapValues(\.entity))
        } catch {
            throw problem(error)
        }
        return values.isEmpty ? tree : try bind(objects, in: tree).substituting(values)
    }

    /// The predicate with what objects hold for key paths of their variables. Aggregates are left to the fetch.
    private static func bind(_ objects: [String: NSManagedObject], in tree: PredicateTree) throws
        -> PredicateTree
    {
        try tree.rewriting { expression, bound in
            guard case .keyPath(.variable(let name), let path) = expression, !bound.contains(name),
                let object = objects[name]
            else { return nil }
            let value = Value.object(ObjectReference(object))
            if path.contains("@") { return .keyPath(.constant(value), path) }
            return .constant(try Evaluator(bindings: nil).value(of: .keyPath(.evaluatedObject, path), value))
        }
    }

    private static func constant(_ text: String) -> Value? {
        if let parsed = try? NSPredicate(parsing: "SELF == \(text)").tree,
            case .comparison(let comparison) = parsed, case .constant(let value) = comparison.right
        {
            return value
        }
        return Timestamp.date(from: text.trimmingCharacters(in: .whitespaces)).map { .date($0) }
    }
}

/// The meaning of SELF and variables in a part of a predicate.
private struct Scope {
    var entity: NSEntityDescription?
    var variables: [String: NSEntityDescription] = [:]
}

/// Looks at all key paths of a predicate.
private struct KeyWalk {
    let grants: Grants
    let text: String
    var mistake: PredicateMistake?

    mutating func visit(_ tree: PredicateTree, scope: Scope) {
        switch tree {
        case .constant, .block: break
        case .comparison(let comparison):
            visit(comparison.left, scope: scope)
            visit(comparison.right, scope: scope)
        case .and(let parts), .or(let parts): for part in parts { visit(part, scope: scope) }
        case .not(let part): visit(part, scope: scope)
        }
    }

    mutating func visit(_ tree: ExpressionTree, scope: Scope) {
        switch tree {
        case .constant, .evaluatedObject, .variable, .anyKey: break
        case .keyPath(.evaluatedObject, let path): follow(path, entity: scope.entity)
        case .keyPath(.variable(let name), let path): follow(path, entity: scope.variables[name])
        case .keyPath(let operand, _): visit(operand, scope: scope)
        case .function(let operand, _, let arguments):
            if let operand { visit(operand, scope: scope) }
            for argument in arguments { visit(argument, scope: scope) }
        case .union(let left, let right), .intersect(let left, let right), .minus(let left, let right):
            visit(left, scope: scope)
            visit(right, scope: scope)
        case .subquery(let collection, let variable, let predicate):
            visit(collection, scope: scope)
            var inner = scope
            if case .keyPath(.evaluatedObject, let path) = collection {
                inner.variables[variable] = destination(path, entity: scope.entity)
            }
            visit(predicate, scope: inner)
        case .aggregate(let parts): for part in parts { visit(part, scope: scope) }
        case .conditional(let predicate, let first, let second):
            visit(predicate, scope: scope)
            visit(first, scope: scope)
            visit(second, scope: scope)
        case .fetchRequest, .block:
            note("A fetch or a block can't be used here.", key: "")
        }
    }

    private mutating func follow(_ path: String, entity: NSEntityDescription?) {
        guard var current = entity else { return }
        let keys = path.split(separator: ".").map(String.init)
        for (place, key) in keys.enumerated() {
            if key.hasPrefix("@")
                || ["self", "objectID", "entity"].contains(key.lowercased() == "self" ? "self" : key)
            {
                return collected(keys, place: place, entity: current)
            }
            guard let property = current.propertiesByName[key] else {
                return note("\(current.name ?? "") has no property “\(key)”.", key: key)
            }
            guard let relationship = property as? NSRelationshipDescription else {
                if property is NSFetchedPropertyDescription {
                    note("“\(key)” is a report: it can't be used in a predicate.", key: key)
                } else if property.isTransient {
                    note("“\(key)” is calculated: no store keeps it.", key: key)
                }
                return
            }
            guard let destination = relationship.destinationEntity else { return }
            if !grants.has(.read, entity: destination) {
                return note("You may not see objects of \(destination.name ?? "").", key: key)
            }
            current = destination
        }
    }

    /// The rest of a path after `@sum`, `@count` and the like.
    private mutating func collected(_ keys: [String], place: Int, entity: NSEntityDescription) {
        let rest = keys.dropFirst(place + 1)
        if !rest.isEmpty, keys[place].hasPrefix("@") { follow(rest.joined(separator: "."), entity: entity) }
    }

    private func destination(_ path: String, entity: NSEntityDescription?) -> NSEntityDescription? {
        path.split(separator: ".").reduce(entity) { $0?.relationshipsByName[String($1)]?.destinationEntity }
    }

    private mutating func note(_ message: String, key: String) {
        if mistake != nil { return }
        let place = key.isEmpty ? nil : text.range(of: key)
        mistake = PredicateMistake(
            message: message,
            position: place.map { text.distance(from: text.startIndex, to: $0.lowerBound) } ?? 0,
            length: place == nil ? 0 : key.count)
    }
}

extension PredicateReading {
    /// The variables that are compared with relationships, and the entities of the objects that they stand for.
    static func objects(_ tree: PredicateTree, of entity: NSEntityDescription) -> [String:
        NSEntityDescription]
    {
        switch tree {
        case .and(let parts), .or(let parts):
            return parts.reduce(into: [:]) { $0.merge(objects($1, of: entity)) { first, _ in first } }
        case .not(let part): return objects(part, of: entity)
        case .comparison(let comparison):
            let sides = [(comparison.left, comparison.right), (comparison.right, comparison.left)]
            for case (.variable(let name), let other) in sides {
                if let destination = destination(other, of: entity) { return [name: destination] }
            }
            return [:]
        case .constant, .block: return [:]
        }
    }

    private static func destination(_ tree: ExpressionTree, of entity: NSEntityDescription)
        -> NSEntityDescription?
    {
        switch tree {
        case .evaluatedObject: return entity
        case .keyPath(.evaluatedObject, let path):
            return path.split(separator: ".").reduce(entity) {
                $0?.relationshipsByName[String($1)]?.destinationEntity
            }
        default: return nil
        }
    }
}

extension DataWorkspace {
    /// An object as a predicate compares it, if that is what the text names.
    func reference(_ name: String, grants: Grants) throws -> Value? {
        try named(name, grants: grants).map { .object(ObjectReference($0.objectID)) }
    }

    /// The object that a text names, if it names one.
    func named(_ name: String, grants: Grants) throws -> NSManagedObject? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, model.entitiesByName[String(parts[0])] != nil else { return nil }
        let object = try object(name)
        try grants.require(.read, entity: object.entity)
        return object
    }
}
