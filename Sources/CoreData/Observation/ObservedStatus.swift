// The flags of an object that may be observed like properties.

import Foundation

/// The flags of an object, as its observers last saw them.
struct ObservedStatus: Equatable {
    var isFault = false
    var isInserted = false
    var isUpdated = false
    var isDeleted = false
    var hasChanges = false
    var primaryKey: Int64 = 0

    init() {}

    init(_ object: NSManagedObject) {
        let state = object.state
        isFault = state.isFault
        isDeleted = state.isToDelete
        isInserted = state.isToInsert
        isUpdated = state.isToUpdate
        hasChanges = state.hasChanges
        primaryKey = object.primaryKey
    }

    static let keys: Set<String> = [
        "isFault", "isInserted", "isUpdated", "isDeleted", "hasChanges", "objectID",
    ]

    /// The keys of the flags that differ.
    func keys(differingFrom other: ObservedStatus) -> [String] {
        var keys: [String] = []
        if isFault != other.isFault { keys.append("isFault") }
        if isInserted != other.isInserted { keys.append("isInserted") }
        if isUpdated != other.isUpdated { keys.append("isUpdated") }
        if isDeleted != other.isDeleted { keys.append("isDeleted") }
        if hasChanges != other.hasChanges { keys.append("hasChanges") }
        if primaryKey != other.primaryKey { keys.append("objectID") }
        return keys
    }

    /// The value that a flag had.
    func value(_ key: String) -> Any? {
        switch key {
        case "isFault": NSNumber(value: isFault)
        case "isInserted": NSNumber(value: isInserted)
        case "isUpdated": NSNumber(value: isUpdated)
        case "isDeleted": NSNumber(value: isDeleted)
        case "hasChanges": NSNumber(value: hasChanges)
        default: nil
        }
    }
}
