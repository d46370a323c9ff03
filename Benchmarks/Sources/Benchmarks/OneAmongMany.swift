// The cost of one change among few objects and among many, which should be the same. Contestants differ in
// nothing but how many objects the context has.

import CoreData
import Foundation

enum OneAmongMany {
    static let few = 1_000
    static let many = Scale.rows(100_000)
    private static let repetitions = 200

    static func workloads(in folder: URL) throws -> [Workload] {
        let (_, store) = try FetchIntegers.files(in: folder)
        func workload(_ name: String, _ run: @escaping (URL, Int) throws -> Double) -> Workload {
            Workload(
                name: "one among many: " + name,
                contestants: [few, many].map { count in
                    Contestant(name: "1 among \(count)") {
                        try Staff.withCopy(of: store) { copy in (try run(copy, count), 0) }
                    }
                })
        }
        return [
            workload("save a change", saveOne), workload("hasChanges", askForChanges),
            workload("fetched results follow a change", followOne),
            workload("merge a background save", mergeOne),
        ]
    }

    private static func items(_ count: Int, _ context: NSManagedObjectContext) throws -> [Item] {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "i0", ascending: true)]
        request.fetchLimit = count
        let items = try context.fetch(request)
        for item in items where item.i0 < 0 { item.i1 = 0 }
        return items
    }

    private static func saveOne(_ url: URL, _ count: Int) throws -> Double {
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let items = try items(count, context)
        return try withExtendedLifetime(items) {
            try Clock.measure {
                for number in 0..<repetitions {
                    items[number].i3 += 1
                    try context.save()
                }
            }
        }
    }

    private static func askForChanges(_ url: URL, _ count: Int) throws -> Double {
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let items = try items(count, context)
        var found = 0
        let time = Clock.measure {
            for _ in 0..<repetitions * 1_000 where context.hasChanges { found += 1 }
        }
        precondition(found == 0 && items.count == count, "Nothing was changed.")
        return time
    }

    private static func followOne(_ url: URL, _ count: Int) throws -> Double {
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "i0", ascending: true)]
        request.fetchLimit = count
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let follower = Follower()
        controller.delegate = follower
        try controller.performFetch()
        let items = controller.fetchedObjects ?? []
        let time = Clock.measure {
            for number in 0..<repetitions {
                items[number].i3 += 1
                context.processPendingChanges()
            }
        }
        precondition(follower.changes == repetitions, "Every change was told.")
        return time
    }

    /// Another context's save of one change, taken over by one with many objects.
    private static func mergeOne(_ url: URL, _ count: Int) throws -> Double {
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let items = try items(count, context)
        let background = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        background.persistentStoreCoordinator = context.persistentStoreCoordinator
        let others = try Self.items(few, background)
        // Posted on this thread, while it saves.
        nonisolated(unsafe) var saved: Notification?
        var sum: Int64 = 0
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: background, queue: nil
        ) { saved = $0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        let time = try Clock.measure {
            for number in 0..<repetitions {
                others[number].i3 += 1
                try background.save()
                if let saved { context.mergeChanges(fromContextDidSave: saved) }
                sum += items[number].i3 - others[number].i3
            }
        }
        precondition(sum == 0, "Every change was taken over.")
        return time
    }
}

private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    var changes = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        changes += 1
    }
}
