// The example of the document on fetched results.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private final class Shelf: NSObject, NSFetchedResultsControllerDelegate {
    let controller: NSFetchedResultsController<NSManagedObject>
    private(set) var lines: [String] = []

    init(_ context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [
            NSSortDescriptor(key: "level", ascending: true), NSSortDescriptor(key: "name", ascending: true),
        ]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "level", cacheName: nil)
        super.init()
        controller.delegate = self
        try controller.performFetch()
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert: lines.append("new at \(newIndexPath ?? [])")
        case .delete: lines.append("gone from \(indexPath ?? [])")
        case .move: lines.append("from \(indexPath ?? []) to \(newIndexPath ?? [])")
        case .update: lines.append("changed at \(newIndexPath ?? [])")
        }
    }
}

@Suite struct FetchedResultsExampleTests {
    @Test func theExampleTellsOfEachChange() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let shelf = try Shelf(stack.context)
            let ada = stack.context.make("Person", ["name": "Ada", "level": 1])
            stack.context.processPendingChanges()
            ada.setValue(2, forKey: "level")
            stack.context.processPendingChanges()
            ada.setValue(3, forKey: "visits")
            stack.context.processPendingChanges()
            stack.context.delete(ada)
            stack.context.processPendingChanges()
            expect(
                shelf.lines,
                equals: [
                    "new at [0, 0]", "from [0, 0] to [0, 0]", "changed at [0, 0]", "gone from [0, 0]",
                ])
        }
    }
}
