// The decision whether an object belongs to the results of a fetch.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Judges changed objects by entity, store and predicate.
struct ResultJudge {
    private let fetch: ResolvedFetch
    private let context: NSManagedObjectContext
    private let evaluator = Evaluator(bindings: nil)

    init(_ fetch: ResolvedFetch, context: NSManagedObjectContext) {
        self.fetch = fetch
        self.context = context
    }

    /// Returns the possible changes of an event in a list.
    func candidates(_ event: ContextEvent, list: ResultList) -> ResultCandidates {
        var candidates = ResultCandidates()
        for object in event.deleted where list.contains(object) { candidates.leaving.append(object) }
        for object in event.changed where isOfEntity(object.runtime) && isReadable(object) {
            switch (list.contains(object), belongs(object)) {
            case (true, true): candidates.staying.append(object)
            case (true, false): candidates.leaving.append(object)
            case (false, true): candidates.entering.append(object)
            case (false, false): break
            }
        }
        return candidates
    }

    /// Returns whether the object's values can be read; if not it stays where it is.
    private func isReadable(_ object: NSManagedObject) -> Bool {
        if object.isFault, object.state.isLive,
            object.registry === context.registry
        {
            object.prepareToRead()
        }
        return !object.state.isUnreadable
    }

    func isOfEntity(_ entity: ManagedEntity) -> Bool {
        fetch.fields.includesSubentities
            ? entity.isKind(of: fetch.entity) : entity.number == fetch.entity.number
    }

    private func belongs(_ object: NSManagedObject) -> Bool {
        if object.isDeleted || object.state.isGone || object.registry !== context.registry {
            return false
        }
        if let store = context.store(of: object)?.underlying,
            !fetch.stores.contains(where: { $0.underlying === store })
        {
            return false
        }
        return matches(object) && !object.state.isInaccessible
    }

    private func matches(_ object: NSManagedObject) -> Bool {
        guard let predicate = fetch.storeFetch.predicate else { return true }
        do {
            return try evaluator.matches(predicate, object: .object(ObjectReference(object)))
        } catch {
            raise(
                .invalidArgument, "the predicate can't be evaluated on a changed object: \(error)",
                instead: "NSPredicate.evaluate(checking:)")
        }
    }
}
