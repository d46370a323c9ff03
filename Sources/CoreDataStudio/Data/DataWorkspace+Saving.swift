// Unsaved changes: listed, saved, undone, discarded; conflicts and what a person decides about them.

import CoreData
import StoreTools

extension DataWorkspace {
    private static let listed = 300

    /// The numbers of unsaved changes, and the steps that can be undone.
    var status: StudioValue {
        let undo = context.undoManager
        let (inserted, updated, deleted) = counts
        return [
            "inserted": .integer(inserted), "updated": .integer(updated), "deleted": .integer(deleted),
            "undo": undo?.canUndo == true ? .text(undo?.undoActionName ?? "") : .null,
            "redo": undo?.canRedo == true ? .text(undo?.redoActionName ?? "") : .null,
            "feed": feed.value,
        ]
    }

    private var counts: (Int, Int, Int) {
        let updated = context.updatedObjects.filter { $0.hasPersistentChangedValues && !$0.isDeleted }
        let deleted = context.deletedObjects.filter { !$0.objectID.isTemporaryID }
        return (context.insertedObjects.filter { !$0.isDeleted }.count, updated.count, deleted.count)
    }

    /// Every unsaved change, with the values before and after.
    func unsaved(_ grants: Grants) -> StudioValue {
        let objects = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)
            .filter {
                ($0.isDeleted && !$0.objectID.isTemporaryID)
                    || (!$0.isDeleted && ($0.isInserted || $0.hasPersistentChangedValues))
            }
            .sorted { order($0) < order($1) }
        return [
            "count": .integer(objects.count),
            "objects": .list(
                objects.prefix(Self.listed).map { object in
                    link(object, grants: grants).with("changes", value: .list(changes(of: object, grants)))
                }),
            "status": status,
        ]
    }

    private func order(_ object: NSManagedObject) -> (Int, String, Int64) {
        (
            object.isDeleted ? 2 : object.isInserted ? 0 : 1, object.entity.name ?? "",
            object.objectID.rowNumber ?? 0
        )
    }

    private func changes(of object: NSManagedObject, _ grants: Grants) -> [StudioValue] {
        guard !object.isDeleted, grants.has(.read, entity: object.entity) else { return [] }
        let changed = object.changedValues()
        let before = object.committedValues(forKeys: Array(changed.keys))
        return object.entity.shownProperties.compactMap { property in
            guard let value = changed[property.name], !property.isTransient else { return nil }
            return [
                "key": .text(property.name), "label": .text(property.label),
                "before": object.isInserted
                    ? .null : shown(before[property.name], property: property, grants: grants),
                "after": shown(value, property: property, grants: grants),
            ]
        }
    }

    private func shown(_ value: Any?, property: NSPropertyDescription, grants: Grants) -> StudioValue {
        if let attribute = property as? NSAttributeDescription {
            if let label = attribute.choiceLabel(of: value) { return .text(label) }
            return ShownValue(limit: ShownValue.cell).value(
                value is NSNull ? nil : value, attribute: attribute)
        }
        switch value {
        case let object as NSManagedObject: return link(object, grants: grants)
        case let id as NSManagedObjectID:
            return link((try? context.existingObject(with: id)) ?? nil, grants: grants)
        case let set as NSSet: return .text("\(set.count) \(set.count == 1 ? "object" : "objects")")
        case let set as NSOrderedSet:
            return .text("\(set.count) \(set.count == 1 ? "object" : "objects"), in order")
        default: return .null
        }
    }

    /// The SQL that a save would run.
    func rehearse() throws -> StudioValue {
        do {
            guard let runs = try context.rehearsedSave() else { return ["statements": .null] }
            return [
                "statements": .list(runs.prefix(SQLLog.statements).map(\.value)),
                "count": .integer(runs.count),
            ]
        } catch {
            return ["statements": .null, "failure": .text(readable(error))]
        }
    }

    /// Saves all changes in one transaction, or says what is in the way.
    func save(_ grants: Grants) -> StudioValue {
        conflicts = []
        do {
            try context.save()
            names.noteSaved()
            feed.note(.store)
            return ["outcome": "saved", "status": status]
        } catch {
            let list =
                (error as NSError).userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
                ?? []
            conflicts = list.map(SaveConflict.init)
            if !conflicts.isEmpty {
                return ["outcome": "conflicts", "conflicts": .list(conflicts.map { $0.value(in: self) })]
            }
            let problems = SaveProblem.problems(of: error)
            return [
                "outcome": "invalid", "count": .integer(problems.count),
                "problems": .list(problems.prefix(Self.listed).map { $0.value(in: self) }),
            ]
        }
    }

    /// Takes over what a person chose, and saves.
    ///
    /// - Parameter choices: for each object's name the keys whose values the others' shall be; of an object that they
    ///   deleted, any key lets it be deleted, and none makes it anew.
    func resolve(_ choices: [String: [String]], grants: Grants) throws -> StudioValue {
        for conflict in conflicts {
            let keys = choices[names.name(of: conflict.object)] ?? []
            if conflict.isDeleted {
                try resolveDeleted(conflict.object, makingAnew: keys.isEmpty, grants: grants)
            } else {
                conflict.resolve(takingTheirs: Set(keys), in: context)
            }
        }
        context.processPendingChanges()
        return save(grants)
    }

    /// An object that others deleted is let go; if the person wants it, a new one gets its attributes.
    private func resolveDeleted(_ object: NSManagedObject, makingAnew: Bool, grants: Grants) throws {
        if makingAnew, !object.isDeleted {
            try grants.require(.insert, entity: object.entity)
            let copy = NSManagedObject.make(object.entity, in: context)
            for attribute in object.entity.attributesByName.values where attribute.lock == nil {
                copy.setValue(object.value(forKey: attribute.name), forKey: attribute.name)
            }
            for relationship in object.entity.relationshipsByName.values where relationship.lock == nil {
                let value = object.value(forKey: relationship.name)
                if relationship.isToMany ? value != nil : value is NSManagedObject {
                    copy.setValue(value, forKey: relationship.name)
                }
            }
        }
        context.refresh(object, mergeChanges: false)
    }

    func undo() {
        context.undoManager?.undo()
        context.processPendingChanges()
        feed.note(.edit)
    }

    func redo() {
        context.undoManager?.redo()
        context.processPendingChanges()
        feed.note(.edit)
    }

    /// Drops the unsaved changes of some objects, or all. Those of all can't be undone.
    func discard(_ ids: [String]?) throws {
        guard let ids else {
            context.rollback()
            context.undoManager?.removeAllActions()
            conflicts = []
            names.noteSaved()
            return feed.note(.edit)
        }
        for object in try ids.map(self.object) {
            if object.isInserted {
                context.delete(object)
            } else {
                context.refresh(object, mergeChanges: false)
            }
        }
        context.processPendingChanges()
        feed.note(.edit)
    }
}
