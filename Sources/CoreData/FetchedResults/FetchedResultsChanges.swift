// The changes of one event as a value.

public import Foundation

/// The changes of one event in the results of a fetched results controller, for any thread.
///
/// To bring an older list up to date: take out the objects that were deleted or moved away and then the deleted
/// sections, by their old places and last first; put in the new sections, and then the objects that were inserted
/// or moved, by their new places and first first.
public struct FetchedResultsChanges: Sendable, Hashable {
    /// A section that appeared or vanished.
    public struct SectionChange: Sendable, Hashable {
        /// `insert` or `delete`.
        public let type: NSFetchedResultsChangeType
        /// The section's name.
        public let name: String
        /// Its place: before the event for a deletion, after it for an insertion.
        public let index: Int

        /// A section's change.
        ///
        /// - Parameters:
        ///   - type: `insert` or `delete`.
        ///   - name: the section's name.
        ///   - index: its place: before the event for a deletion, after it for an insertion.
        public init(type: NSFetchedResultsChangeType, name: String, index: Int) {
            self.type = type
            self.name = name
            self.index = index
        }
    }

    /// An object that came, went, moved or changed.
    public struct ObjectChange: Sendable, Hashable {
        /// The type of the change.
        public let type: NSFetchedResultsChangeType
        /// The ID of the object that changed.
        public let objectID: NSManagedObjectID
        /// Its place before the event; `nil` for an insertion.
        public let indexPath: IndexPath?
        /// Its place after the event; `nil` for a deletion.
        public let newIndexPath: IndexPath?

        /// An object's change.
        ///
        /// - Parameters:
        ///   - type: what happened.
        ///   - objectID: the object's ID.
        ///   - indexPath: its place before the event; nil for an insertion.
        ///   - newIndexPath: its place after the event; nil for a deletion.
        public init(
            type: NSFetchedResultsChangeType, objectID: NSManagedObjectID, indexPath: IndexPath?,
            newIndexPath: IndexPath?
        ) {
            self.type = type
            self.objectID = objectID
            self.indexPath = indexPath
            self.newIndexPath = newIndexPath
        }
    }

    /// Deletions, last first, then insertions, first first.
    public let sections: [SectionChange]
    /// Deletions, last first, then insertions, moves and updates, first first.
    public let objects: [ObjectChange]

    init(_ changes: ResultChangeSet) {
        sections =
            changes.deletedSections.map { SectionChange(type: .delete, name: $0.name, index: $0.number) }
            + changes.insertedSections.map { SectionChange(type: .insert, name: $0.name, index: $0.number) }
        var objects: [ObjectChange] = []
        changes.forEach { object, from, type, to in
            guard let object = object as? NSManagedObject else { return }
            objects.append(
                ObjectChange(type: type, objectID: object.objectID, indexPath: from, newIndexPath: to))
        }
        self.objects = objects
    }
}

extension ResultChangeSet {
    /// The objects' changes in the order in which they are told.
    func forEach(
        _ body: (_ object: AnyObject, IndexPath?, NSFetchedResultsChangeType, IndexPath?) -> Void
    ) {
        for (object, from) in deletes { body(object, from, .delete, nil) }
        for (object, to) in inserts { body(object, nil, .insert, to) }
        for (object, from, to) in moves { body(object, from, .move, to) }
        for (object, from, to) in updates { body(object, from, .update, to) }
    }
}
