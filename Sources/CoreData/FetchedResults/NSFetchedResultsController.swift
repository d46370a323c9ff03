// The fetched results controller: a fetch whose results follow what happens in the context.

import CoreDataSupport
public import Foundation

/// Keeps the results of a fetch request, divided into sections, up to date with the changes of its context.
///
/// Changes are followed while there is a delegate or somebody reads `changes` or `snapshots`. A controller belongs to
/// its context's queue.
///
/// ```swift
/// let request = NSFetchRequest<Hero>(entityName: "Hero")
/// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
/// let controller = NSFetchedResultsController(
///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
/// try controller.performFetch()
/// print(controller.fetchedObjects?.count ?? 0)
/// ```
nonisolated open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
    // The layout must not depend on the type of the results (`erased`).

    /// The request that is fetched. After a change, `performFetch()` must be called again.
    open var fetchRequest: NSFetchRequest<ResultType> { request }
    private let request: NSFetchRequest<ResultType>
    final let tracker: ResultTracker

    /// The delegate that is told of changes.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet {
            tracker.delegateTakesSnapshots = nil
            tracker.delegateTakesDifferences = true
        }
    }

    /// A controller for a request, which must have an entity and sort descriptors, be it none (`[]`).
    ///
    /// - Parameters:
    ///   - fetchRequest: what to fetch; its first sort descriptor must bring objects of one section together.
    ///   - context: where to fetch, and whose changes to follow.
    ///   - sectionNameKeyPath: the path to the value that names an object's section; `nil` for a single section. It
    ///     may lead to transient properties and to getters of the class.
    ///   - name: under which name the sections are kept on disk; `nil` for not at all.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        guard fetchRequest.sortDescriptors != nil else {
            raise(
                .invalidArgument,
                "An instance of NSFetchedResultsController requires a fetch request with sort descriptors")
        }
        if fetchRequest.resultType == .countResultType {
            raise(.invalidArgument, "NSFetchedResultsController does not support fetch requests for counts")
        }
        request = fetchRequest
        tracker = ResultTracker(context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
        super.init()
        tracker.audience = self
    }

    /// The context that the objects come from.
    open var managedObjectContext: NSManagedObjectContext { tracker.context }
    /// The path to the value that names an object's section.
    open var sectionNameKeyPath: String? { tracker.sectionNameKeyPath }
    /// The name of the cache on disk.
    open var cacheName: String? { tracker.cacheName }

    /// Removes the sections that controllers with this cache name keep on disk; those of all names for `nil`.
    open class func deleteCache(withName name: String?) {
        SectionCache.delete(name)
    }

    /// Executes the request, the first time or anew. No changes are told; a delegate for snapshots gets one.
    ///
    /// - Throws: what the fetch throws, and `NSCoreDataError` if the objects of a section don't stand together.
    open func performFetch() throws { try fetchAnew() }

    /// All results in order; `nil` before the first fetch.
    open var fetchedObjects: [ResultType]? { allResults }

    /// Returns the object at a path of section and item. Raises if there is none.
    open func object(at indexPath: IndexPath) -> ResultType { result(at: indexPath) }

    /// Returns where an object is; nil if it isn't among the results.
    open func indexPath(forObject object: ResultType) -> IndexPath? { tracker.list?.indexPath(of: object) }

    /// The sections; `nil` before the first fetch. Without a section name key path there is one, else none is empty.
    open var sections: [any NSFetchedResultsSectionInfo]? { tracker.list?.sections }

    /// The titles of the sections, one for those that follow each other with the same.
    open var sectionIndexTitles: [String] { titledSections.map(\.title) }

    /// Returns the title of a section: the delegate's, or the capitalised first letter of the name. May be
    /// overridden.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? { title(of: sectionName) }

    /// Returns the section that an entry of `sectionIndexTitles` stands for. Raises if there is no such
    /// entry.
    ///
    /// - Parameters:
    ///   - title: the entry.
    ///   - sectionIndex: the entry's place among the titles.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        number(of: title, at: sectionIndex)
    }
}
