// Routes to what happened: persistent history, and the SQL of the last actions.

import CoreData
import StoreTools

extension DataRoutes {
    private struct Statement: Codable, Sendable {
        var action: Int
        var statement: Int
    }

    func addRecords(to routes: inout StudioRoutes) {
        routes.get("data/history") { call in
            try await call.allow(.history)
            let before = try call.number("before", default: Int(Int32.max), in: 0...Int(Int32.max))
            let author = call.optionalText("author")
            let object = call.optionalText("object")
            let grants = await Grants([.read], call)
            return try await call.workspace.run { workspace in
                try workspace.history(
                    before: Int64(before), author: author, object: object, limit: 50, grants)
            }
        }
        routes.get("data/statements") { call in
            try await call.allow(.sql)
            return StudioValue.list(try call.workspace.log.recent.reversed().map(Self.value))
        }
        routes.post("data/statements/plan") { call in
            try await call.allow(.sql)
            let wanted = try call.body(Statement.self)
            let workspace = try call.workspace
            // Only what ran here is planned: the page sends no SQL.
            guard let action = workspace.log.recent.first(where: { $0.number == wanted.action }),
                action.runs.indices.contains(wanted.statement)
            else { throw StudioProblem(status: 404, "That statement is forgotten by now.") }
            return StudioValue.texts(workspace.coordinator.plan(ofSQL: action.runs[wanted.statement].sql))
        }
    }

    private static func value(_ action: SQLLog.Action) -> StudioValue {
        [
            "number": .integer(action.number), "title": .text(action.title),
            "date": .text(Timestamp.text(of: action.date)), "milliseconds": .double(action.duration * 1000),
            "count": .integer(action.count), "statements": .list(action.runs.map(\.value)),
        ]
    }
}

extension DataWorkspace {
    private static let changesShown = 100

    /// Transactions, the latest first.
    func history(before: Int64, author: String?, object: String?, limit: Int, _ grants: Grants) throws
        -> StudioValue
    {
        guard keepsHistory else {
            throw StudioProblem(
                status: 404,
                "The store keeps no history: it was never opened with NSPersistentHistoryTrackingKey.")
        }
        let all = try transactions(nil, .transactionsOnly)
        let concerned = try object.map { try numbers(concerning: $0) }
        let wanted = all.reversed().lazy.filter { transaction in
            transaction.transactionNumber < before
                && (author == nil || (transaction.author ?? "") == author)
                && concerned?.contains(transaction.transactionNumber) != false
        }
        let page = wanted.prefix(limit + 1).map(\.transactionNumber)
        let shown = page.prefix(limit)
        return [
            "transactions": .list(try withChanges(Array(shown)).map { value($0, grants) }),
            "authors": .texts(Set(all.map { $0.author ?? "" }).sorted()),
            "isLast": .bool(page.count <= limit),
        ]
    }

    /// Changes are read of those transactions only that are shown.
    private func withChanges(_ numbers: [Int64]) throws -> [NSPersistentHistoryTransaction] {
        guard let low = numbers.last, let high = numbers.first else { return [] }
        let range = NSPredicate(
            format: "transactionNumber >= %lld AND transactionNumber <= %lld", low, high)
        let found = try transactions(range, .transactionsAndChanges)
        let wanted = Set(numbers)
        return found.filter { wanted.contains($0.transactionNumber) }.reversed()
    }

    private func transactions(
        _ predicate: NSPredicate?, _ type: NSPersistentHistoryResultType
    ) throws -> [NSPersistentHistoryTransaction] {
        try history(NSPersistentHistoryTransaction.fetchRequest, predicate, type)
    }

    /// The transactions that changed an object.
    private func numbers(concerning name: String) throws -> Set<Int64> {
        let id = try object(name).objectID
        let changes: [NSPersistentHistoryChange] = try history(
            NSPersistentHistoryChange.fetchRequest, NSPredicate(format: "changedObjectID == %@", id),
            .changesOnly)
        return Set(changes.compactMap { $0.transaction?.transactionNumber })
    }

    private func history<Part>(
        _ fetch: NSFetchRequest<any NSFetchRequestResult>?, _ predicate: NSPredicate?,
        _ type: NSPersistentHistoryResultType
    ) throws -> [Part] {
        guard let fetch else { return [] }
        fetch.predicate = predicate
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = type
        let result = try fetching { try context.execute(request) } as? NSPersistentHistoryResult
        return result?.result as? [Part] ?? []
    }

    private func value(_ transaction: NSPersistentHistoryTransaction, _ grants: Grants) -> StudioValue {
        let changes = (transaction.changes ?? []).filter { grants.has(.read, $0.changedObjectID.entity) }
        return [
            "number": .integer(transaction.transactionNumber),
            "date": .text(Timestamp.text(of: transaction.timestamp)),
            "author": .optional(transaction.author), "context": .optional(transaction.contextName),
            "process": .text(transaction.processID), "count": .integer(changes.count),
            "changes": .list(changes.prefix(Self.changesShown).map(value)),
        ]
    }

    private func value(_ change: NSPersistentHistoryChange) -> StudioValue {
        let id = change.changedObjectID
        let kind =
            switch change.changeType {
            case .insert: "inserted"
            case .update: "updated"
            case .delete: "deleted"
            }
        let object = change.changeType == .delete ? nil : try? context.existingObject(with: id)
        let kept = change.tombstone.map { tombstone in
            Dictionary(tombstone.map { ("\($0.key)", $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        return [
            "kind": .text(kind), "id": .text(names.name(of: id)), "entity": .text(id.entity.name ?? ""),
            "title": .text(object?.title ?? ""), "isThere": .bool(object != nil),
            "properties": .texts((change.updatedProperties ?? []).map(\.label).sorted()),
            "kept": .optional(
                kept.flatMap { $0.isEmpty ? nil : String(PrintedValue(any: $0).cell.prefix(300)) }),
        ]
    }
}
