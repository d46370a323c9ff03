// The effects of deleting objects, found out in a context that is thrown away.

import CoreData

/// The deletions, the changes, and the objects that stand in the way.
struct DeletionPreview {
    private static let shown = 200

    let value: StudioValue
    /// The entities of all that goes.
    let entities: Set<String>
    let isDenied: Bool

    /// Deletes the objects in a child of the workspace's context, on the child's queue, and looks at it.
    static func make(_ ids: [String], in workspace: DataWorkspace, grants: Grants) async throws
        -> DeletionPreview
    {
        let objects = try await workspace.run { workspace in
            try ids.map { name in
                let object = try workspace.object(name)
                try grants.require(.read, entity: object.entity)
                return object.objectID
            }
        }
        let scratch = NSManagedObjectContext(.privateQueue)
        scratch.parent = workspace.context
        return try await scratch.perform { try DeletionPreview(objects, in: scratch, grants: grants) }
    }

    private init(_ ids: [NSManagedObjectID], in scratch: NSManagedObjectContext, grants: Grants) throws {
        let asked = ids.map(scratch.object(with:))
        for object in asked { scratch.delete(object) }
        scratch.processPendingChanges()
        let deleted = scratch.deletedObjects
        let cascaded = deleted.subtracting(asked)
        let changed = scratch.updatedObjects.subtracting(deleted)
        var denials: [StudioValue] = []
        for object in deleted {
            do { try object.validateForDelete() } catch {
                for problem in SaveProblem.problems(of: error) {
                    denials.append([
                        "object": Self.link(problem.object ?? object, grants: grants),
                        "message": .text(problem.message),
                    ])
                }
            }
        }
        entities = Set(deleted.compactMap(\.entity.name))
        isDenied = !denials.isEmpty
        value = [
            "asked": Self.list(asked, grants: grants), "cascaded": Self.list(Array(cascaded), grants: grants),
            "nullified": Self.list(Array(changed), grants: grants) { $0.changedValues().keys.sorted() },
            "denied": [
                "count": .integer(denials.count), "objects": .list(Array(denials.prefix(Self.shown))),
            ],
        ]
    }

    private static func list(
        _ objects: [NSManagedObject], grants: Grants, keys: (NSManagedObject) -> [String] = { _ in [] }
    ) -> StudioValue {
        let sorted = objects.sorted {
            ($0.entity.name ?? "", $0.objectID.rowNumber ?? 0) < (
                $1.entity.name ?? "", $1.objectID.rowNumber ?? 0
            )
        }
        let shown = sorted.prefix(Self.shown).map { object in
            link(object, grants: grants).with(
                "keys", value: .texts(keys(object).compactMap { object.entity.propertiesByName[$0]?.label }))
        }
        return ["count": .integer(objects.count), "objects": .list(shown)]
    }

    private static func link(_ object: NSManagedObject, grants: Grants) -> StudioValue {
        let isReadable = grants.has(.read, entity: object.entity)
        let number = object.objectID.rowNumber.map { " \($0)" } ?? ""
        return [
            "title": .text(isReadable ? object.title : ""),
            "name": .text((object.entity.name ?? "") + number), "entity": .text(object.entity.name ?? ""),
        ]
    }
}
