// The part of a fetched results controller that doesn't depend on the type of its results: what was fetched, and
// how events change it.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// The receiver of changes: the controller, for its delegate.
protocol ResultAudience: SectionTitling {
    /// Indicates whether anybody wants to know.
    var isListening: Bool { get }
    func resultsWillChange()
    func resultsDidChange(_ changes: ResultChangeSet)
    /// The results are there whole, or objects got their permanent IDs.
    func resultsAreThere()
}

/// Fetched results and their changes. Belongs to the context's queue, as the controller does.
final class ResultTracker: ContextEventListener {
    let context: NSManagedObjectContext
    let sectionNameKeyPath: String?
    let cacheName: String?
    weak var audience: (any ResultAudience)?
    /// The fetched list; `nil` before the fetch.
    private(set) var list: ResultList?
    private var fetch: ResolvedFetch?
    private var events: ContextEvents?
    /// New objects that the fetch may have found before observers were told of them.
    private var untold: Set<ObjectIdentifier> = []

    let changeStreams = ResultStreams<FetchedResultsChanges>()
    let snapshotStreams = ResultStreams<FetchedResultsSnapshot>()
    /// Indicates whether the delegate has the method for snapshots; `nil` until it was called.
    var delegateTakesSnapshots: Bool?
    var delegateTakesDifferences = true

    init(_ context: NSManagedObjectContext, sectionNameKeyPath: String?, cacheName: String?) {
        self.context = context
        self.sectionNameKeyPath = sectionNameKeyPath
        self.cacheName = cacheName
    }

    deinit {
        changeStreams.finish()
        snapshotStreams.finish()
    }

    /// Takes what was fetched. Throws `NSCoreDataError` if objects of one section don't stand together.
    func load(_ objects: [AnyObject], fetch: ResolvedFetch) throws {
        if let sectionNameKeyPath {
            let sections = try SectionReader(fetch, keyPath: sectionNameKeyPath, cacheName: cacheName)
                .sections(
                    of: objects, in: context)
            list = ResultList(objects, sections: sections, titles: audience)
        } else {
            list = ResultList(objects, titles: audience)
        }
        let isTracked = fetch.fields.resultType == .managedObjectResultType
        self.fetch = isTracked ? fetch : nil
        untold = Set(context.changes.pending.lazy.filter { $0.state.isNew }.map(ObjectIdentifier.init))
        if isTracked, audience?.isListening == true { list?.indexObjects() }
        if isTracked && events == nil {
            events = ContextEvents.of(context)
            events?.add(self)
        }
    }

    /// The context forgot all its objects: nothing is tracked until the next fetch.
    func suspend() {
        fetch = nil
    }

    /// New objects were saved and have other IDs now.
    func didSave(_ inserted: Set<NSManagedObject>) {
        guard let audience, audience.isListening, let list, fetch != nil else { return }
        if inserted.contains(where: list.contains) { audience.resultsAreThere() }
    }

    /// Carries an event's changes out and tells them.
    func process(_ event: ContextEvent) {
        let known = untold
        untold = []
        guard let audience, audience.isListening, let list, let fetch else { return }
        let order = ResultOrder(fetch)
        var candidates = ResultJudge(fetch, context: context).candidates(event, list: list)
        if !known.isEmpty {
            candidates.staying.removeAll {
                known.contains(ObjectIdentifier($0)) && isInPlace($0, list: list, order: order)
            }
        }
        if candidates.isEmpty { return }
        audience.resultsWillChange()
        var update = ResultUpdate(list, order: order, sectionName: sectionName)
        audience.resultsDidChange(update.apply(candidates))
    }

    /// Tells if an object of the list stands at the place that its values ask for.
    private func isInPlace(_ object: AnyObject, list: ResultList, order: ResultOrder) -> Bool {
        guard let path = list.indexPath(of: object) else { return false }
        let section = list.sections[path.section]
        if list.isSectioned, section.name != sectionName(object) { return false }
        let before = path.item > 0 ? section[path.item - 1] : nil
        let after = path.item + 1 < section.numberOfObjects ? section[path.item + 1] : nil
        return order.allows(before, before: object) && order.allows(object, before: after)
    }

    /// Looks at rows that another context changed, where this context had no object or a fault: a merge changes
    /// neither, so no event told of them.
    func processMerged(_ updated: Set<NSManagedObjectID>) {
        guard let audience, audience.isListening, let fetch else { return }
        let judge = ResultJudge(fetch, context: context)
        let coordinator = context.requiredCoordinator
        let objects = updated.filter {
            judge.isOfEntity($0.runtime) && coordinator.store(identifier: $0.storeIdentifier) != nil
        }.map(context.object)
        if !objects.isEmpty { process(ContextEvent(changed: objects)) }
    }

    private func sectionName(_ object: AnyObject) -> String {
        sectionNameKeyPath.map { SectionNaming.name(of: object, keyPath: $0) } ?? ""
    }

    /// The results as a value.
    func snapshot(reloaded: [AnyObject] = []) -> FetchedResultsSnapshot? {
        guard let list, fetch != nil else { return nil }
        func ids(_ objects: [AnyObject]) -> [NSManagedObjectID] {
            objects.compactMap { ($0 as? NSManagedObject)?.objectID }
        }
        return FetchedResultsSnapshot(
            sectionIdentifiers: list.sections.map(\.name), items: list.sections.map { ids($0.contents) },
            reloadedItemIdentifiers: ids(reloaded))
    }
}
