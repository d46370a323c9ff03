// The receiver of a controller's changes. Every method may be left out.

public import Foundation

/// Receives the changes of a fetched results controller's results.
///
/// For each event: `controllerWillChangeContent`, while the controller still has the old results; then new sections, first
/// first; then the changes of objects; then sections that vanished, last first; then `controllerDidChangeContent`.
/// Indexes of vanished sections and `at` refer to the results before the event, indexes of new sections and
/// `newIndexPath` to the results after it. A delegate with the method for snapshots gets only these, also after
/// `performFetch()`.
///
/// Any class may conform, where Apple's asks for an `NSObject`: test cases, which are objects there, aren't off Apple's systems.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
    /// An object was inserted, deleted, moved or updated.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - anObject: the object.
    ///   - indexPath: its place before the event; nil for an insertion.
    ///   - type: what happened.
    ///   - newIndexPath: its place after the event; nil for a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// A section appeared or vanished: `type` is `insert` or `delete`.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - sectionInfo: the section.
    ///   - sectionIndex: its place: before the event for a deletion, after it for an insertion.
    ///   - type: `insert` or `delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// Changes follow.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// All changes of an event were told.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Returns the title of a section in the index; nil for none. Without it, the capitalised first letter of
    /// the name.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - sectionName: the section's name.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?

    /// The whole results, after each event and after `performFetch()`.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - snapshot: the IDs of all results, by section.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: FetchedResultsSnapshot)

    /// Insertions, deletions and moves of a controller without sections, after each event.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - diff: the changes of the list of IDs, to be applied to that of before.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)
}

extension NSFetchedResultsControllerDelegate {
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    public func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    public func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        SectionNaming.indexTitle(of: sectionName)
    }

    // Only calling these two tells whether a class has them.

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: FetchedResultsSnapshot
    ) {
        controller.tracker.delegateTakesSnapshots = false
    }

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.tracker.delegateTakesDifferences = false
    }
}
