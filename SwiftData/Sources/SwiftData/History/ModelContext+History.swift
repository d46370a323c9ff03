// Fetching and deleting history.

@_spi(SwiftData) import CoreData
import Foundation

extension ModelContext {
    /// Returns the transactions of the container's stores that a descriptor finds.
    ///
    /// ```swift
    /// let all = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    /// ```
    ///
    /// - Throws: `SwiftDataError.historyTokenExpired` where the history doesn't reach back to a token, `unsupportedPredicate` if the
    ///   condition can't be asked; the stores' errors.
    public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        var found: [T] = []
        for store in container.clientStores { found += try store.bridge.history(descriptor) ?? [] }
        guard let own = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else { return found }
        let scope = HistoryScope(own.predicate)
        let read = try transactions(scope)
        do {
            return try found + (own.applied(to: read) as? [T] ?? [])
        } catch {
            throw SwiftDataError.unsupportedPredicate.because("\(error)")
        }
    }

    /// Deletes the transactions of the container's stores that a descriptor finds, as far as they are the oldest ones: a history has no
    /// gaps. Those before the first transaction that the descriptor doesn't find go.
    ///
    /// - Throws: what `fetchHistory(_:)` throws.
    public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        for store in container.clientStores { _ = try store.bridge.deleteHistory(descriptor) }
        guard let own = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else { return }
        for store in container.historyStores {
            let request = try deletion(own, in: store)
            request.affectedStores = [store]
            _ = try managed.execute(request)
        }
    }

    /// A request for the deletion of one store's oldest transactions.
    private func deletion(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, in store: NSPersistentStore
    ) throws -> NSPersistentHistoryChangeRequest {
        let next = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        next.resultType = .transactionsOnly
        next.affectedStores = [store]
        let all = try transactions(next).map { transaction($0, changes: []) }
        let goes = Set(try descriptor.applied(to: all).map(\.id))
        guard let stays = all.first(where: { !goes.contains($0.id) }) else {
            return NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
        }
        let token = NSPersistentHistoryToken(numbersByStore: [
            stays.storeIdentifier: stays.transactionIdentifier
        ])
        return NSPersistentHistoryChangeRequest.deleteHistory(before: token)
    }

    /// The places in the histories of the container's stores, by their identifiers.
    var historyTokens: [String: any HistoryToken] {
        var tokens: [String: any HistoryToken] = managed.tokens
        for (store, number) in container.currentHistoryNumbers {
            tokens[store] = DefaultHistoryToken([store: number])
        }
        return tokens
    }

    // MARK: Reading

    /// The transactions within bounds, with their changes. Stores read no more than that.
    func transactions(_ scope: HistoryScope) throws -> [DefaultHistoryTransaction] {
        let stores = container.historyStores
        if stores.isEmpty { return [] }
        let request: NSPersistentHistoryChangeRequest
        if let token = scope.token {
            request = .fetchHistory(after: NSPersistentHistoryToken(numbersByStore: token.numbers))
        } else if let since = scope.since {
            // The bound itself belongs to it.
            request = .fetchHistory(after: since.addingTimeInterval(-0.001))
        } else {
            request = .fetchHistory(after: nil as NSPersistentHistoryToken?)
        }
        if let author = scope.author {
            let fetch = NSPersistentHistoryTransaction.fetchRequest
            fetch?.predicate = NSPredicate(format: "author == %@", author)
            request.fetchRequest = fetch
        }
        request.affectedStores = stores
        do {
            return try transactions(request).map { one in
                transaction(
                    one, changes: (one.changes ?? []).compactMap { change($0, one.transactionNumber) })
            }
        } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
            throw SwiftDataError.historyTokenExpired.because(error.localizedDescription)
        }
    }

    private func transactions(
        _ request: NSPersistentHistoryChangeRequest
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try managed.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    private func transaction(
        _ transaction: NSPersistentHistoryTransaction, changes: [HistoryChange]
    ) -> DefaultHistoryTransaction {
        DefaultHistoryTransaction(
            author: transaction.author, bundleIdentifier: transaction.bundleID,
            processIdentifier: transaction.processID, changes: changes, storeIdentifier: transaction.storeID,
            timestamp: transaction.timestamp, token: DefaultHistoryToken(transaction.token.numbersByStore),
            transactionIdentifier: transaction.transactionNumber)
    }

    /// The change as one of its class; nil for an entity that the container has no class for.
    private func change(_ change: NSPersistentHistoryChange, _ transaction: Int64) -> HistoryChange? {
        guard let name = change.changedObjectID.entity.name,
            let type = container.schema.types.first(where: { SchemaBuilder.entityName(of: $0) == name })
        else { return nil }
        return Self.change(change, transaction, type)
    }

    private static func change<Model: PersistentModel>(
        _ change: NSPersistentHistoryChange, _ transaction: Int64, _ type: Model.Type
    ) -> HistoryChange {
        let identifier = PersistentIdentifier(change.changedObjectID)
        switch change.changeType {
        case .insert:
            return .insert(
                DefaultHistoryInsert<Model>(
                    changeIdentifier: change.changeID, changedPersistentIdentifier: identifier,
                    transactionIdentifier: transaction))
        case .update:
            let names = Set((change.updatedProperties ?? []).map(\.name))
            return .update(
                DefaultHistoryUpdate<Model>(
                    changeIdentifier: change.changeID, changedPersistentIdentifier: identifier,
                    transactionIdentifier: transaction, updatedAttributes: Model.sendableKeyPaths(of: names)))
        case .delete:
            let tombstone = HistoryTombstone<Model>(change.tombstone ?? [:])
            return .delete(
                DefaultHistoryDelete<Model>(
                    changeIdentifier: change.changeID, changedPersistentIdentifier: identifier,
                    transactionIdentifier: transaction, tombstone: tombstone))
        }
    }
}

extension PersistentModel {
    /// The key paths of some properties, in the order of their declarations.
    fileprivate static func sendableKeyPaths(of names: Set<String>) -> [any PartialKeyPath<Self> & Sendable] {
        // A key path to a property of a class holds nothing that could change. One of a superclass reads this class's models as well,
        // which the type system can't say.
        _$modelClass.properties.filter { names.contains($0.name) }.map {
            unsafeBitCast($0.keypath, to: (any PartialKeyPath<Self> & Sendable).self)
        }
    }
}

extension HistoryTombstone {
    /// The values that a history kept, as the types that properties have.
    fileprivate init(_ stored: [AnyHashable: Any]) {
        var values: [String: any Sendable] = [:]
        for form in Model._$modelClass.properties.compactMap(StoredForm.init) {
            guard let value = stored[form.name].flatMap(form.modelValue) else { continue }
            // A value that was read from a store is nobody else's.
            values[form.name] = unsafeBitCast(value as Any, to: (any Sendable).self)
        }
        self.init(values)
    }
}

extension ModelContainer {
    /// The stores that keep a history of Core Data's.
    var historyStores: [NSPersistentStore] {
        coordinator.persistentStores.filter { store in
            let option = store.options?[NSPersistentHistoryTrackingKey]
            return (option as? NSNumber)?.boolValue ?? (option != nil)
        }
    }

    /// The numbers of the last transactions, by identifiers of stores.
    var currentHistoryNumbers: [String: Int64] {
        coordinator.currentPersistentHistoryToken(fromStores: historyStores)?.numbersByStore ?? [:]
    }
}
