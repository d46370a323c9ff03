// One observer for each context with fetched results: takes a notification apart once and hands it to all.

import CoreDataSupport
import Foundation

/// The objects of one `NSManagedObjectContextObjectsDidChange`.
struct ContextEvent {
    /// Inserted, updated, refreshed or invalidated.
    var changed: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []

    init(changed: [NSManagedObject]) {
        self.changed = changed
    }

    init(_ info: [AnyHashable: Any]) {
        func objects(_ key: String) -> Set<NSManagedObject> { info[key] as? Set<NSManagedObject> ?? [] }
        let all = [
            NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey,
        ].map(objects).filter { !$0.isEmpty }
        let gone = objects(NSDeletedObjectsKey)
        deleted = Array(gone)
        let first = all.first ?? []
        let union = all.dropFirst().reduce(first) { $0.union($1) }
        changed = gone.isEmpty ? Array(union) : Array(union.subtracting(gone))
    }
}

/// A list of a context's objects that is kept in step with it.
protocol ContextEventListener: AnyObject {
    /// The context forgot all its objects.
    func suspend()
    func process(_ event: ContextEvent)
    /// Rows changed elsewhere of which no event told.
    func processMerged(_ updated: Set<NSManagedObjectID>)
    /// New objects have permanent IDs now.
    func didSave(_ inserted: Set<NSManagedObject>)
}

/// Watches a context as long as somebody has fetched results of it.
///
/// Unchecked because it is used on the context's queue, where contexts post.
final class ContextEvents: @unchecked Sendable {
    private var members: [Member] = []
    private var tokens: [any NSObjectProtocol] = []

    private struct Member {
        weak var listener: (any ContextEventListener)?
    }

    /// The watch of a context, made if there is none.
    static func of(_ context: NSManagedObjectContext) -> ContextEvents {
        if let known = context.resultEvents { return known }
        let made = ContextEvents(context)
        context.resultEvents = made
        return made
    }

    private init(_ context: NSManagedObjectContext) {
        let center = NotificationCenter.default
        func observe(
            _ name: Notification.Name, _ body: @escaping @Sendable (ContextEvents, Notification) -> Void
        ) {
            tokens.append(
                center.addObserver(forName: name, object: context, queue: nil) { [weak self] note in
                    if let self { body(self, note) }
                })
        }
        observe(.NSManagedObjectContextObjectsDidChange) { $0.didChange($1.userInfo ?? [:]) }
        observe(.NSManagedObjectContextDidMergeChangesObjectIDs) { $0.didMerge($1.userInfo ?? [:]) }
        observe(.NSManagedObjectContextDidSave) { $0.didSave($1.userInfo ?? [:]) }
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    func add(_ listener: any ContextEventListener) {
        members.removeAll { $0.listener == nil }
        members.append(Member(listener: listener))
    }

    private func didChange(_ info: [AnyHashable: Any]) {
        if info[NSInvalidatedAllObjectsKey] != nil {
            for member in members { member.listener?.suspend() }
            return
        }
        let event = ContextEvent(info)
        if event.changed.isEmpty && event.deleted.isEmpty { return }
        for member in members { member.listener?.process(event) }
    }

    private func didMerge(_ info: [AnyHashable: Any]) {
        guard let updated = info[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> else { return }
        // Those that were refreshed were told of with the event before; whether an object is a fault by now says
        // nothing, because a look at the list may have filled it.
        let told = info[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
        let untold = updated.subtracting(told)
        if !untold.isEmpty { for member in members { member.listener?.processMerged(untold) } }
    }

    private func didSave(_ info: [AnyHashable: Any]) {
        guard let inserted = info[NSInsertedObjectsKey] as? Set<NSManagedObject>, !inserted.isEmpty else {
            return
        }
        for member in members { member.listener?.didSave(inserted) }
    }
}
