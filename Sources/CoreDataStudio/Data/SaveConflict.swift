// An object that somebody else saved while it was changed here.

import CoreData
import CoreDataSupport

/// A conflict that waits for a person's choice.
struct SaveConflict {
    let object: NSManagedObject
    /// Indicates whether the others deleted it.
    let isDeleted: Bool
    private let theirs: [String: Any]
    private let base: [String: Any]

    init(_ conflict: NSMergeConflict) {
        object = conflict.sourceObject
        isDeleted = conflict.newVersionNumber == 0
        theirs = conflict.persistedSnapshot ?? conflict.cachedSnapshot ?? [:]
        base = conflict.objectSnapshot ?? [:]
    }

    /// The properties that differ here and there, where both changed.
    private var contested: [NSPropertyDescription] {
        let mine = object.changedValues()
        return object.entity.shownProperties.filter { property in
            guard let value = mine[property.name], let stored = theirs[property.name] else { return false }
            return !Self.areSame(value, and: stored) && !Self.areSame(stored, and: base[property.name])
        }
    }

    /// Those that only one side changed: kept as they are.
    private var changedThere: [NSPropertyDescription] {
        object.entity.shownProperties.filter { property in
            guard let stored = theirs[property.name] else { return false }
            return !Self.areSame(stored, and: base[property.name])
        }
    }

    private static func areSame(_ left: Any?, and right: Any?) -> Bool {
        let left = (left as? NSManagedObject)?.objectID ?? left
        let right = (right as? NSManagedObject)?.objectID ?? right
        // Composite values and lists are no `AnyHashable`.
        return Value(left).compared == Value(right).compared
    }

    func value(in workspace: DataWorkspace) -> StudioValue {
        [
            "id": .text(workspace.names.name(of: object)), "title": .text(object.title),
            "entity": .text(object.entity.name ?? ""), "isDeleted": .bool(isDeleted),
            "isDeletedHere": .bool(object.isDeleted),
            "properties": .list(
                contested.map { property in
                    [
                        "key": .text(property.name), "label": .text(property.label),
                        "mine": shown(
                            object.value(forKey: property.name), property: property, workspace: workspace),
                        "theirs": shown(theirs[property.name], property: property, workspace: workspace),
                        "before": shown(base[property.name], property: property, workspace: workspace),
                    ]
                }),
            "changedThere": .texts(changedThere.map(\.label)),
        ]
    }

    private func shown(_ value: Any?, property: NSPropertyDescription, workspace: DataWorkspace)
        -> StudioValue
    {
        let value = value is NSNull ? nil : value
        if let attribute = property as? NSAttributeDescription {
            return ShownValue(limit: ShownValue.cell).value(value, attribute: attribute)
        }
        if let id = value as? NSManagedObjectID {
            return workspace.link((try? workspace.context.existingObject(with: id)) ?? nil)
        }
        return workspace.link(value as? NSManagedObject)
    }

    /// Takes the others' values as the base, and for the properties named as the object's own.
    func resolve(takingTheirs keys: Set<String>, in context: NSManagedObjectContext) {
        context.refresh(object, mergeChanges: true)
        let stored = object.committedValues(forKeys: Array(keys))
        for key in keys where object.entity.propertiesByName[key] != nil {
            let value = stored[key]
            object.setValue(value is NSNull ? nil : value, forKey: key)
        }
    }
}
