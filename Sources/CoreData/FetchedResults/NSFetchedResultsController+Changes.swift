// Telling changes: to the delegate and to asynchronous sequences.

import CoreDataSupport
import Foundation

extension NSFetchedResultsController: ResultAudience {
    /// The changes of each event from now on. Ends with the controller.
    public final var changes: AsyncStream<FetchedResultsChanges> { tracker.changeStreams.stream() }

    /// The results as they are, if they were fetched, and after each event. Ends with the controller.
    public final var snapshots: AsyncStream<FetchedResultsSnapshot> {
        tracker.snapshotStreams.stream(first: tracker.snapshot())
    }

    final var isListening: Bool {
        delegate != nil || !tracker.changeStreams.isEmpty || !tracker.snapshotStreams.isEmpty
    }

    final func resultsAreThere() {
        deliverSnapshot(changed: [])
    }

    final func resultsWillChange() {
        guard let delegate else { return }
        // A delegate that came after the fetch gets its first snapshot now, if it takes any.
        if tracker.delegateTakesSnapshots == nil, let snapshot = tracker.snapshot() {
            offer(snapshot, to: delegate)
        }
        if tracker.delegateTakesSnapshots != true { delegate.controllerWillChangeContent(erased) }
    }

    final func resultsDidChange(_ changes: ResultChangeSet) {
        if let delegate, tracker.delegateTakesSnapshots != true { tell(changes, delegate: delegate) }
        deliverSnapshot(changed: changes.updates.map(\.object) + changes.moves.map(\.object))
        if !tracker.changeStreams.isEmpty { tracker.changeStreams.yield(FetchedResultsChanges(changes)) }
    }

    private final func tell(_ changes: ResultChangeSet, delegate: any NSFetchedResultsControllerDelegate) {
        for section in changes.insertedSections {
            delegate.controller(erased, didChange: section, atSectionIndex: section.number, for: .insert)
        }
        changes.forEach { object, from, type, to in
            delegate.controller(erased, didChange: object, at: from, for: type, newIndexPath: to)
        }
        // Apple's documentation has all sections come first; public test suites that pass on its systems expect this.
        for section in changes.deletedSections {
            delegate.controller(erased, didChange: section, atSectionIndex: section.number, for: .delete)
        }
        delegate.controllerDidChangeContent(erased)
        if sectionNameKeyPath == nil, tracker.delegateTakesDifferences, let difference = changes.difference {
            delegate.controller(erased, didChangeContentWith: difference)
        }
    }

    private final func deliverSnapshot(changed: [AnyObject]) {
        let receiver = tracker.delegateTakesSnapshots == false ? nil : delegate
        guard receiver != nil || !tracker.snapshotStreams.isEmpty,
            let snapshot = tracker.snapshot(reloaded: changed)
        else { return }
        if let receiver { offer(snapshot, to: receiver) }
        tracker.snapshotStreams.yield(snapshot)
    }

    private final func offer(
        _ snapshot: FetchedResultsSnapshot, to delegate: any NSFetchedResultsControllerDelegate
    ) {
        tracker.delegateTakesSnapshots = true
        delegate.controller(erased, didChangeContentWith: snapshot)
    }
}
