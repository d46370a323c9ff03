// The problems that keep changes from being saved, one thing at a time.

import CoreData
import StoreTools

/// A sentence about an object and, mostly, one of its properties.
struct SaveProblem {
    let object: NSManagedObject?
    let key: String?
    let message: String

    /// The problems that an error names: those of several objects come as one error.
    static func problems(of error: any Error) -> [SaveProblem] {
        let error = error as NSError
        if let details = error.userInfo[NSDetailedErrorsKey] as? [NSError], !details.isEmpty {
            return details.flatMap(problems(of:))
        }
        if error.code == NSManagedObjectConstraintMergeError,
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        {
            return conflicts.flatMap(problems(of:))
        }
        let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        let key = error.userInfo[NSValidationKeyErrorKey] as? String
        return [SaveProblem(object: object, key: key, message: sentence(error, object: object, key: key))]
    }

    /// The property under the name that the page shows.
    private static func sentence(_ error: NSError, object: NSManagedObject?, key: String?) -> String {
        let text = readable(error)
        guard let object, let key, let property = object.entity.propertiesByName[key] else { return text }
        return text.replacingOccurrences(
            of: "\"\(key)\" of \"\(object.entity.name ?? "")\"", with: property.label)
    }

    private static func problems(of conflict: NSConstraintConflict) -> [SaveProblem] {
        let keys = conflict.constraint.joined(separator: ", ")
        let values = conflict.constraint.map { PrintedValue(any: conflict.constraintValues[$0]).cell }
        let shown = String(values.joined(separator: ", ").prefix(200))
        let other = conflict.databaseObject.map {
            " \($0.entity.name ?? "") \($0.objectID.rowNumber ?? 0) has it."
        }
        return conflict.conflictingObjects.map { object in
            SaveProblem(
                object: object, key: conflict.constraint.first,
                message: "\(keys) must be unique, and “\(shown)” is taken.\(other ?? "")")
        }
    }

    func value(in workspace: DataWorkspace) -> StudioValue {
        [
            "message": .text(message), "key": .optional(key),
            "label": .optional(key.flatMap { object?.entity.propertiesByName[$0]?.label }),
            "object": workspace.link(object),
        ]
    }
}
