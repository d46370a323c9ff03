// The unsaved changes of a context, by the names of its objects, and what it has to show once it merged all that others saved.

@testable import CoreData
import CoreDataSchema
import CoreDataTestSupport
import Foundation

/// The unsaved changes of a context's objects.
struct OwnChanges {
    /// The changed attributes and to-one relationships of updated objects, with their values.
    private(set) var values: GraphState = [:]
    /// The members of relationships that are to-many on both sides, which were added and removed.
    private(set) var added: [String: [String: Set<String>]] = [:]
    private(set) var removed: [String: [String: Set<String>]] = [:]
    private(set) var reordered: [String: Set<String>] = [:]
    private(set) var inserted: Set<String> = []
    private(set) var deleted: Set<String> = []
    private let model: NSManagedObjectModel

    init(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) {
        self.model = model
        context.processPendingChanges()
        inserted = Set(context.insertedObjects.map(\.graphName))
        deleted = Set(context.deletedObjects.map(\.graphName))
        for object in context.updatedObjects { note(object) }
        for object in context.insertedObjects { note(object) }
    }

    private mutating func note(_ object: NSManagedObject) {
        let name = object.graphName
        let shown = object.graphValues()
        for (key, _) in object.changedValues() {
            if object.entity.relationshipsByName[key]?.isToMany == true {
                reordered[name, default: []].insert(key)
            } else {
                values[name, default: [:]][key] = shown[key]
            }
        }
        for case let members as ToMany in object.extras?.relations.all ?? [] {
            let key = members.relation.name
            added[name, default: [:]][key] = Set(members.added.map(\.graphName))
            removed[name, default: [:]][key] = Set(members.removed.map(\.graphName))
        }
    }

    /// The objects to which changes lead, that the store hasn't any more.
    private func gone(_ stored: GraphState) -> Set<String> {
        let led = values.values.flatMap(\.values) + added.values.flatMap(\.values).flatMap { $0 }
        return Set(led.filter { $0.contains("/") && stored[$0] == nil && !inserted.contains($0) })
    }

    /// The differences between what a context shows after it merged everything and what it had to show.
    ///
    /// - Parameter context: the context, whose deletions may have reached more.
    func problems(shown: GraphState, stored: GraphState, in context: NSManagedObjectContext) -> [String] {
        var present = self
        present.deleted.formUnion(context.deletedObjects.map(\.graphName))
        return present.problems(shown: shown, stored: stored)
    }

    private func problems(shown: GraphState, stored: GraphState) -> [String] {
        var found: [String] = []
        for name in stored.keys.sorted() where shown[name] == nil && !deleted.contains(name) {
            found.append("\(name) isn't shown")
        }
        for (name, values) in shown.sorted(by: { $0.key < $1.key }) where !inserted.contains(name) {
            guard let there = stored[name] else {
                found.append("\(name) is shown and isn't there")
                continue
            }
            let entity = model.entitiesByName[String(name.prefix { $0 != "/" })]
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                let relationship = entity?.relationshipsByName[key]
                if let problem = problem(name, key, value, stored: there[key] ?? "", relationship, stored) {
                    found.append("\(name).\(key) is \(value), " + problem)
                }
            }
        }
        return found + model.contradictions(in: shown, gone: gone(stored), deleted: deleted)
    }

    private func problem(
        _ name: String, _ key: String, _ value: String, stored: String,
        _ relationship: NSRelationshipDescription?, _ all: GraphState
    ) -> String? {
        if let own = values[name]?[key] {
            if own == value || value == "-" && (isGone(own, all) || deleted.contains(own)) { return nil }
            return "was changed to \(own)"
        }
        guard let relationship else { return value == stored ? nil : "stored \(stored)" }
        let inverse = relationship.inverseRelationship
        if relationship.isToMany {
            guard inverse?.isToMany == true else { return nil }
            var expected = Set(stored.split(separator: " ").map(String.init))
            expected.formUnion(added[name]?[key] ?? [])
            expected.subtract(removed[name]?[key] ?? [])
            let present = Set(value.split(separator: " ").map(String.init))
            let wrong = present.symmetricDifference(expected).filter {
                !isGone($0, all) && !deleted.contains($0)
            }
            return wrong.isEmpty ? nil : "stored \(stored), wrong are \(wrong)"
        }
        if value == stored { return nil }
        // The other side was changed here.
        let back = inverse?.name ?? ""
        for other in [stored, value] where other != "-" {
            if values[other]?[back] != nil || deleted.contains(other) { return nil }
            // Or this side of another object, to which the other side leads in an older row.
            if values.contains(where: { $0.key != name && $0.value[key] == other }) { return nil }
        }
        return "stored \(stored)"
    }

    private func isGone(_ name: String, _ stored: GraphState) -> Bool {
        stored[name] == nil && !inserted.contains(name)
    }
}
