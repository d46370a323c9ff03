import CoreData
import Foundation

/// A list's data: sections and rows of a results controller, told in steps.
public class ListDataSource<Delegate: ListDataSourceDelegate>: NSObject, NSFetchedResultsControllerDelegate {
    public typealias Object = Delegate.Object

    fileprivate let controller: NSFetchedResultsController<Object>
    fileprivate weak var delegate: Delegate!

    public required init(controller: NSFetchedResultsController<Object>, delegate: Delegate) {
        self.controller = controller
        self.delegate = delegate
        super.init()
        controller.delegate = self
        do { try controller.performFetch() } catch { fatalError("fetch failed: \(error)") }
    }

    public func object(at indexPath: IndexPath) -> Object { controller.object(at: indexPath) }

    public var titles: [String] { controller.sections?.map(\.name) ?? [] }

    public func reconfigure(_ configure: (NSFetchRequest<Object>) -> Void) {
        NSFetchedResultsController<NSFetchRequestResult>.deleteCache(withName: controller.cacheName)
        configure(controller.fetchRequest)
        do { try controller.performFetch() } catch { fatalError("fetch request failed") }
    }

    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        delegate.steps.append("begin")
    }

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        delegate.steps.append("end")
    }

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert:
            guard let indexPath = newIndexPath else { fatalError("Index path should be not nil") }
            delegate.steps.append("insert \(indexPath.section).\(indexPath.row)")
        case .update:
            guard let indexPath else { fatalError("Index path should be not nil") }
            let object = self.object(at: indexPath)
            delegate.steps.append("update \(delegate.title(of: object))")
        case .move:
            delegate.steps.append("move \(indexPath!.item) to \(newIndexPath!.item)")
        case .delete:
            delegate.steps.append("delete \(indexPath!.section).\(indexPath!.row)")
        @unknown default: fatalError()
        }
    }

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        let indexSet = IndexSet(integer: sectionIndex)
        switch type {
        case .insert: delegate.steps.append("section \(sectionInfo.name) at \(indexSet.first!)")
        case .delete: delegate.steps.append("no section \(sectionInfo.name)")
        default: break
        }
    }
}

public protocol ListDataSourceDelegate: AnyObject {
    associatedtype Object: NSManagedObject
    var steps: [String] { get set }
    func title(of object: Object) -> String
}

public final class EntryList: ListDataSourceDelegate {
    public var steps: [String] = []
    public private(set) lazy var source = ListDataSource(controller: controller, delegate: self)
    private let controller: NSFetchedResultsController<Entry>

    public init(_ context: NSManagedObjectContext) {
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Entry.date, ascending: true),
            NSSortDescriptor(
                key: #keyPath(Entry.text), ascending: true,
                selector: #selector(NSString.caseInsensitiveCompare(_:))),
        ]
        request.fetchBatchSize = 20
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context,
            sectionNameKeyPath: #keyPath(Entry.section), cacheName: nil)
    }

    public func title(of object: Entry) -> String { object.text }
}

/// Tells when one object changes or goes.
public final class ObjectObserver {
    public enum Change {
        case update, delete
    }

    private var token: NSObjectProtocol!

    public init?(_ object: NSManagedObject, _ handler: @escaping (Change) -> Void) {
        guard let context = object.managedObjectContext else { return nil }
        token = NotificationCenter.default.addObserver(
            forName: NSNotification.Name.NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            let info = note.userInfo ?? [:]
            let deleted = info[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
            let keys = [NSUpdatedObjectsKey, NSRefreshedObjectsKey]
            if deleted.contains(where: { $0 === object }) || info[NSInvalidatedAllObjectsKey] != nil {
                handler(.delete)
            } else if keys.contains(where: { (info[$0] as? Set<NSManagedObject>)?.contains(object) == true })
            {
                handler(.update)
            }
        }
    }

    deinit { NotificationCenter.default.removeObserver(token!) }
}

/// Saves of a context one after another.
public func saves(of context: NSManagedObjectContext) -> AsyncStream<Int> {
    AsyncStream { continuation in
        let observer = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
        ) { note in
            let ids =
                note.userInfo?[NSManagedObjectContext.NotificationKey.insertedObjects.rawValue]
                as? Set<NSManagedObject>
            continuation.yield(ids?.count ?? 0)
        }
        continuation.onTermination = { _ in NotificationCenter.default.removeObserver(observer) }
    }
}
