import CoreData
import Foundation

/// A list that a view shows: rows of sections, and what changed in them.
public final class ListSource<Item: NSManagedObject>: NSObject, NSFetchedResultsControllerDelegate {
    public private(set) var events: [String] = []
    public var didChange: (() -> Void)?

    private let controller: NSFetchedResultsController<Item>

    public init(
        _ request: NSFetchRequest<Item>, sectionsBy key: String? = nil, in context: NSManagedObjectContext
    ) throws {
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: key, cacheName: nil)
        super.init()
        controller.delegate = self
        try controller.performFetch()
    }

    public var items: [Item] { controller.fetchedObjects ?? [] }
    public var sections: [String] { (controller.sections ?? []).map { "\($0.name):\($0.numberOfObjects)" } }

    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        events.append("begin")
    }

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let title = (anObject as? Chore)?.title ?? "nobody"
        switch type {
        case .insert: events.append("insert \(title) at \(newIndexPath!.item)")
        case .delete: events.append("delete \(title) at \(indexPath!.item)")
        case .move: events.append("move \(title) from \(indexPath!.item) to \(newIndexPath!.item)")
        case .update: events.append("update \(title)")
        @unknown default: events.append("unknown")
        }
    }

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        events.append("\(type == .insert ? "open" : "close") \(sectionInfo.name)")
    }

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        events.append("end")
        didChange?()
    }
}

/// Watches one key of an object, in the oldest manner.
public final class TitleWatcher: NSObject {
    public private(set) var titles: [String] = []
    private let chore: Chore

    public init(_ chore: Chore) {
        self.chore = chore
        super.init()
        chore.addObserver(self, forKeyPath: #keyPath(Chore.title), options: [.new], context: nil)
    }

    deinit {
        chore.removeObserver(self, forKeyPath: #keyPath(Chore.title))
    }

    public override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        guard keyPath == #keyPath(Chore.title) else {
            return super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
        }
        titles.append(change?[.newKey] as? String ?? "none")
    }
}

/// Counts what a context tells, by selector as older code does.
public final class ChangeCounter: NSObject {
    public private(set) var changes = 0
    public private(set) var saves: [Notification] = []
    private var done: NSKeyValueObservation?
    public private(set) var states: [Bool] = []

    public init(_ context: NSManagedObjectContext) {
        super.init()
        NotificationCenter.default.addObserver(
            self, selector: #selector(objectsChanged(_:)),
            name: .NSManagedObjectContextObjectsDidChange, object: context)
        NotificationCenter.default.addObserver(
            self, selector: #selector(saved), name: NSNotification.Name.NSManagedObjectContextDidSave,
            object: context)
    }

    public func follow(_ chore: Chore) {
        done = chore.observe(\.isDone, options: [.initial, .new]) { [weak self] chore, change in
            self?.states.append(change.newValue ?? false)
        }
    }

    @objc private func objectsChanged(_ notification: Notification) {
        changes += 1
    }

    @objc private func saved(_ notification: Notification) {
        saves.append(notification)
    }
}
