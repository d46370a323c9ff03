// The predicate of a fetch request on the history, for one store.

import CoreDataPredicate
import CoreDataSQL
import CoreDataStores
import CoreDataSupport
import Foundation

/// Judges transactions or changes.
struct HistoryFilter {
    let entity: HistoryEntity
    private let tree: PredicateTree?
    private let evaluator = Evaluator(bindings: nil)

    /// Indicates that there is no predicate.
    var takesAll: Bool { tree == nil }

    /// Throws for keys that the entity lacks, and `NSPersistentHistoryTokenExpiredError` for a token from before
    /// the store's first transaction.
    init(
        _ request: NSFetchRequest<any NSFetchRequestResult>, store: NSPersistentStore,
        reader: any HistoryReader
    ) throws {
        let entity = try HistoryEntity.of(request)
        self.entity = entity
        for key in request.sortDescriptors ?? [] { try Self.check(key.key ?? "", entity: entity) }
        tree = try request.predicate?.tree.rewriting { (expression, _) throws(any Error) -> ExpressionTree? in
            switch expression {
            case .keyPath(.evaluatedObject, let path):
                try Self.check(path, entity: entity)
                return nil
            case .constant(let value):
                return .constant(try Self.translated(value, store: store, reader: reader))
            default: return nil
            }
        }
    }

    private static func check(_ path: String, entity: HistoryEntity) throws {
        if entity.keys.contains(path) { return }
        throw CoreDataError.make(
            NSCoreDataError, description: "The history can't be fetched with this request.",
            userInfo: [
                CoreDataError.Key.reason:
                    "Transactions and changes: keypath \(path) not found in \(entity.name)."
            ])
    }

    /// Tokens, entities and objects as the numbers and IDs that the rows hold.
    private static func translated(
        _ value: Value, store: NSPersistentStore, reader: any HistoryReader
    ) throws -> Value {
        switch value {
        case .array(let values):
            return .array(try values.map { try translated($0, store: store, reader: reader) })
        case .set(let values):
            return .set(Set(try values.map { try translated($0, store: store, reader: reader) }))
        case .object(let reference):
            switch reference.object {
            case let token as NSPersistentHistoryToken:
                guard let number = token.numbers[store.identifier], number > 0 else {
                    throw HistoryFetch.expired(store)
                }
                return .integer(number)
            case let entity as NSEntityDescription:
                return .integer(entity.name.flatMap(reader.number) ?? -1)
            case let object as NSManagedObject: return .object(ObjectReference(object.objectID))
            case let transaction as NSPersistentHistoryTransaction:
                return .integer(transaction.transactionNumber)
            default: return value
            }
        default: return value
        }
    }

    func matches(_ record: HistoryRecord) throws -> Bool {
        guard let tree else { return true }
        return try evaluate(tree, values: record.values)
    }

    func matches(_ row: HistoryChangeRow, id: NSManagedObjectID) throws -> Bool {
        guard let tree else { return true }
        return try evaluate(tree, values: row.values(id))
    }

    private func evaluate(_ tree: PredicateTree, values: Value) throws -> Bool {
        do {
            return try evaluator.matches(tree, object: values)
        } catch let failure as EvaluationFailure {
            throw CoreDataError.make(
                NSCoreDataError, description: "The history can't be fetched with this predicate.",
                userInfo: [CoreDataError.Key.reason: failure.reason])
        }
    }
}

extension HistoryRecord {
    /// The values that predicates and sort descriptors can name.
    var values: Value {
        func text(_ text: HistoryLayout.Text) -> Value { row.texts[text].map(Value.string) ?? .null }
        return .dictionary([
            .string("author"): text(.author), .string("bundleID"): text(.bundleID),
            .string("contextName"): text(.contextName), .string("processID"): text(.processID),
            .string("storeID"): .string(storeID), .string("timestamp"): .date(timestamp),
            .string("token"): .integer(row.number), .string("transactionNumber"): .integer(row.number),
        ])
    }
}

extension HistoryChangeRow {
    /// Returns the values that predicates and sort descriptors can name.
    func values(_ id: NSManagedObjectID) -> Value {
        .dictionary([
            .string("changeID"): .integer(number), .string("changedID"): .integer(primaryKey),
            .string("changedEntity"): .integer(entity), .string("changeType"): .integer(kind.rawValue),
            .string("changedObjectID"): .object(ObjectReference(id)),
        ])
    }
}
