// The changes of an event in the results, by object.

import Foundation

/// The changes of one event. Index paths named `from` and numbers of deleted sections refer to the list before it,
/// all others to the list after it.
struct ResultChangeSet {
    typealias Moved = (object: AnyObject, from: IndexPath, to: IndexPath)

    /// Last first, so that a list may apply them one by one.
    var deletedSections: [ResultSection] = []
    /// First first, as all others but `deletes`.
    var insertedSections: [ResultSection] = []
    var deletes: [(object: AnyObject, from: IndexPath)] = []
    var inserts: [(object: AnyObject, to: IndexPath)] = []
    var moves: [Moved] = []
    var updates: [Moved] = []

    /// The change of a list without sections.
    var difference: CollectionDifference<NSManagedObjectID>? {
        typealias Change = CollectionDifference<NSManagedObjectID>.Change
        func id(_ object: AnyObject) -> NSManagedObjectID? { (object as? NSManagedObject)?.objectID }
        var changes: [Change] = []
        for (object, from) in deletes {
            if let id = id(object) {
                changes.append(.remove(offset: from.item, element: id, associatedWith: nil))
            }
        }
        for (object, to) in inserts {
            if let id = id(object) {
                changes.append(.insert(offset: to.item, element: id, associatedWith: nil))
            }
        }
        for (object, from, to) in moves {
            guard let id = id(object) else { continue }
            changes.append(.remove(offset: from.item, element: id, associatedWith: to.item))
            changes.append(.insert(offset: to.item, element: id, associatedWith: from.item))
        }
        return CollectionDifference(changes)
    }
}

/// The possible changes of an event in the results, before they are carried out.
struct ResultCandidates {
    /// In the list, and not to stay.
    var leaving: [NSManagedObject] = []
    /// In the list, and changed.
    var staying: [NSManagedObject] = []
    /// Not in the list, and to come.
    var entering: [NSManagedObject] = []

    var isEmpty: Bool { leaving.isEmpty && staying.isEmpty && entering.isEmpty }
}
