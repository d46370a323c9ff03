// Snapshots: as values, for delegates, and as sequences.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FetchedResultsSnapshotTests {
    /// A delegate for snapshots, which must hear of nothing else.
    private final class Snapshots: NSObject, NSFetchedResultsControllerDelegate {
        var all: [FetchedResultsSnapshot] = []
        var others = 0

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith snapshot: FetchedResultsSnapshot
        ) { all.append(snapshot) }

        func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            others += 1
        }

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
            at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) { others += 1 }
    }

    @Test func aSnapshotAnswersByNameAndPlace() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let controller = list.controller(sort: ["level", "name"], section: "level")
            let snapshots = Snapshots()
            controller.delegate = snapshots
            try controller.performFetch()
            let snapshot = try #require(snapshots.all.first)
            let ids = try #require(controller.fetchedObjects).map(\.objectID)
            #expect(snapshot.sectionIdentifiers == ["1", "2", "3"] && snapshot.numberOfSections == 3)
            #expect(snapshot.itemIdentifiers == ids && snapshot.numberOfItems == 4)
            expect(snapshot.itemIdentifiers(inSection: "1"), equals: Array(ids[..<2]))
            #expect(snapshot.itemIdentifiers(inSection: "9").isEmpty)
            #expect(
                snapshot.numberOfItems(inSection: "1") == 2 && snapshot.numberOfItems(inSection: "9") == 0)
            #expect(snapshot.indexOfItem(ids[2]) == 2 && snapshot.indexOfSection("3") == 2)
            expect(snapshot.sectionIdentifier(containingItem: ids[3]), equals: "3")
            #expect(snapshot.reloadedItemIdentifiers.isEmpty)
            let other = list.context.make("Company").objectID
            #expect(
                snapshot.indexOfItem(other) == nil && snapshot.sectionIdentifier(containingItem: other) == nil
            )
            let same = FetchedResultsSnapshot(
                sectionIdentifiers: ["1", "2", "3"], items: [Array(ids[..<2]), [ids[2]], [ids[3]]])
            expect(same, equals: snapshot)
        }
    }

    @Test func aDelegateForSnapshotsHearsOfNothingElse() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let controller = list.controller()
            try controller.performFetch()
            let snapshots = Snapshots()
            controller.delegate = snapshots
            let (ada, bob) = (try list.person("Ada"), try list.person("Bob"))
            ada.setValue("Zoe", forKey: "name")
            bob.setValue(3, forKey: "visits")
            list.context.processPendingChanges()
            // The results as they were when the delegate came, then as they are.
            #expect(snapshots.all.map { $0.indexOfItem(ada.objectID) } == [0, 3] && snapshots.others == 0)
            expect(snapshots.all[1].reloadedItemIdentifiers.count, equals: 2)
            let eve = list.context.make("Person", ["name": "Eve"])
            try list.context.save()
            // The insertion, then the same with the ID that the object has since.
            #expect(snapshots.all.count == 4 && snapshots.others == 0)
            expect(snapshots.all[3].indexOfItem(eve.objectID), equals: 3)
            #expect(snapshots.all[2].itemIdentifiers[3].isTemporaryID)
        }
    }

    @Test func aSnapshotNeedsAListForEachSection() async {
        await #expect(processExitsWith: .failure) {
            _ = FetchedResultsSnapshot(sectionIdentifiers: ["a"], items: [])
        }
    }

    @Test func sequencesDeliverChangesAndSnapshots() async throws {
        let list = try PeopleList(PeopleList.some)
        nonisolated(unsafe) let controller = list.controller(sort: ["level", "name"], section: "level")
        let (changes, snapshots) = try list.context.performAndWait { () throws in
            try controller.performFetch()
            return (controller.changes, controller.snapshots)
        }
        let id = try list.context.performAndWait { () throws in
            let dan = try list.person("Dan")
            dan.setValue(2, forKey: "level")
            list.context.processPendingChanges()
            return dan.objectID
        }
        var (change, snapshot) = (changes.makeAsyncIterator(), snapshots.makeAsyncIterator())
        let first = try #require(await change.next())
        expect(first.sections, equals: [.init(type: .delete, name: "3", index: 2)])
        expect(
            first.objects,
            equals: [
                .init(type: .move, objectID: id, indexPath: [2, 0], newIndexPath: [1, 1])
            ])
        await expect(snapshot.next()?.sectionIdentifiers, equals: ["1", "2", "3"])
        let second = try #require(await snapshot.next())
        expect(second.itemIdentifiers(inSection: "2").last, equals: id)
        expect(second.reloadedItemIdentifiers, equals: [id])
    }

    @Test func sequencesEndWithTheController() async throws {
        let list = try PeopleList([])
        let changes = try list.context.performAndWait { () throws in
            let controller = list.controller()
            try controller.performFetch()
            return controller.changes
        }
        for await _ in changes { Issue.record("nothing changed") }
    }
}
