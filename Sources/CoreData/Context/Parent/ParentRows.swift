// The rows that a child context sees: its parent's.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Answers from the parent's view of one store, on the parent's queue. Only the child, on its queue, asks it.
final class ParentRows: RowSource {
    private let first: NSPersistentStore
    /// The real store: another one once its rows were moved there.
    var real: NSPersistentStore { first.current }
    private unowned let parent: NSManagedObjectContext
    private unowned let child: NSManagedObjectContext

    init(_ real: NSPersistentStore, parent: NSManagedObjectContext, child: NSManagedObjectContext) {
        first = real
        self.parent = parent
        self.child = child
    }

    func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws {
        let fetch = fetch.withoutObjects
        for slab in try ask({ try $0.rows(fetch) }) { try body(slab) }
    }

    func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        let fetch = fetch.withoutObjects
        return try ask { try $0.keys(fetch) }
    }

    func fetchCount(_ fetch: StoreFetch) throws -> Int {
        let fetch = fetch.withoutObjects
        return try ask { try $0.count(fetch) }
    }

    func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        let request = fetch.withoutObjects
        return try ask { try $0.dictionaries(request) }
    }

    func fetchDictionaryCount(_ fetch: StoreDictionaryFetch) throws -> Int {
        let request = fetch.withoutObjects
        return try ask { try $0.count(request) }
    }

    func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws {
        let keys = primaryKeys.map(child.permanent)
        for slab in try ask({ try $0.rows(entity.managed, primaryKeys: keys) }) { try body(slab) }
    }

    func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        let key = child.permanent(primaryKey)
        return try ask { try $0.row(entity.managed, primaryKey: key) }
    }

    func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        body: (RelatedRows) throws -> Void
    ) throws {
        let keys = sources.map(child.permanent)
        for rows in try ask({ try $0.related(relation, of: entity.managed, sources: keys) }) {
            try body(rows)
        }
    }

    func fetchRelatedKeys(
        _ relation: RelationRuntime, of entity: EntityRuntime, source: Int64
    ) throws -> StoreKeys {
        let key = child.permanent(source)
        return try ask { try $0.relatedKeys(relation, of: entity.managed, source: key) }
    }

    /// Asks on the parent's queue. Keys that became permanent in the meantime reach the child's objects before the
    /// answer does, so that no row gets two objects.
    func ask<Answer>(_ question: (ParentView) throws -> Answer) throws -> Answer {
        let (answer, keyReplacements) = parent.answer(child) {
            () -> (Result<Answer, any Error>, [KeyReplacement]) in
            var keyReplacements = parent.children.take(for: child)
            let view = ParentView(parent, store: parent.asked(real), keyReplacements: keyReplacements)
            let answer = Result {
                // The parent would answer values that it couldn't read as nil.
                try parent.throwReadError()
                let answer = try question(view)
                try parent.throwReadError()
                return answer
            }
            keyReplacements += parent.children.take(for: child)
            return (answer, keyReplacements)
        }
        child.takeOver(keyReplacements)
        return try answer.get()
    }
}

extension StoreFetch {
    /// The fetch with object IDs in place of managed objects, which belong to their context's queue.
    fileprivate var withoutObjects: StoreFetch {
        guard let predicate else { return self }
        var copy = self
        copy.predicate = predicate.replacingObjects { ($0 as? NSManagedObject)?.objectID }
        return copy
    }
}

extension StoreDictionaryFetch {
    fileprivate var withoutObjects: StoreDictionaryFetch {
        var copy = self
        copy.fetch = fetch.withoutObjects
        return copy
    }
}

extension PredicateTree {
    /// The predicate with some of the objects that it names replaced.
    func replacingObjects(_ change: (AnyObject) -> AnyObject?) -> PredicateTree {
        rewriting { (expression, _) throws(Never) in
            guard case .constant(let value) = expression else { return nil }
            return .constant(value.replacingObjects(change))
        }
    }
}

extension Value {
    fileprivate func replacingObjects(_ change: (AnyObject) -> AnyObject?) -> Value {
        switch self {
        case .object(let reference): change(reference.object).map { .object(ObjectReference($0)) } ?? self
        case .array(let values): .array(values.map { $0.replacingObjects(change) })
        case .set(let values): .set(Set(values.map { $0.replacingObjects(change) }))
        default: self
        }
    }
}
