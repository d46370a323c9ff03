// A graph of objects as text, to compare what contexts and stores hold.

import CoreData
import CoreDataTestSupport
import Foundation

/// The values of objects by name.
typealias GraphState = [String: [String: String]]

extension NSManagedObject {
    /// The entity and number of the object.
    var graphName: String {
        "\(entity.name ?? "?")/\(objectID.uriRepresentation().lastPathComponent)"
    }

    /// Attributes and relationships as text.
    func graphValues() -> [String: String] {
        var values: [String: String] = [:]
        for (name, _) in entity.attributesByName {
            values[name] = value(forKey: name).map { "\($0)" } ?? "-"
        }
        for (name, relationship) in entity.relationshipsByName {
            switch value(forKey: name) {
            case let set as NSOrderedSet:
                values[name] = set.array.map(Self.graphName).joined(separator: " ")
            case let set as NSSet:
                values[name] = set.allObjects.map(Self.graphName).sorted().joined(separator: " ")
            case let object as NSManagedObject: values[name] = object.graphName
            default: values[name] = relationship.isToMany ? "" : "-"
            }
        }
        return values
    }

    private static func graphName(_ object: Any) -> String {
        (object as? NSManagedObject)?.graphName ?? "?"
    }
}

extension NSManagedObjectContext {
    /// All objects as a context sees them.
    func graphState() throws -> GraphState {
        var state: GraphState = [:]
        for name in RivalGraphModel.entities {
            for object in try all(name) where !object.isDeleted {
                state[object.graphName] = object.graphValues()
            }
        }
        return state
    }
}

extension NSManagedObjectModel {
    /// The relationships of a graph that their inverses contradict, and those that lead to nothing. They may lead to objects that
    /// are known to be gone, and to deleted ones that they deny to be deleted.
    func contradictions(
        in state: GraphState, gone: Set<String> = [], deleted: Set<String> = []
    ) -> [String] {
        var found: [String] = []
        for (object, values) in state.sorted(by: { $0.key < $1.key }) {
            let entity = entitiesByName[String(object.prefix { $0 != "/" })]
            for (name, relationship) in entity?.relationshipsByName.sorted(by: { $0.key < $1.key }) ?? [] {
                let others = (values[name] ?? "").split(separator: " ").map(String.init).filter { $0 != "-" }
                for twice in Set(others) where others.filter({ $0 == twice }).count > 1 {
                    found.append("\(object).\(name) has \(twice) more than once")
                }
                let isDenying = relationship.inverseRelationship?.deleteRule == .denyDeleteRule
                for other in others where !gone.contains(other) {
                    guard let there = state[other] else {
                        if isDenying, deleted.contains(other) { continue }
                        found.append("\(object).\(name) leads to \(other), which isn't there")
                        continue
                    }
                    guard let back = relationship.inverseRelationship?.name else { continue }
                    if !(there[back] ?? "").split(separator: " ").contains(Substring(object)) {
                        found.append("\(object).\(name) is \(other), whose \(back) is \(there[back] ?? "")")
                    }
                }
            }
        }
        return found
    }
}

/// The differences of two graphs, in words.
func differences(_ left: GraphState, _ right: GraphState) -> [String] {
    var found: [String] = []
    for name in Set(left.keys).union(right.keys).sorted() {
        guard let here = left[name], let there = right[name] else {
            found.append("\(name) is only \(left[name] == nil ? "right" : "left")")
            continue
        }
        for key in here.keys.sorted() where here[key] != there[key] {
            found.append("\(name).\(key): \(here[key] ?? "") | \(there[key] ?? "")")
        }
    }
    return found
}
