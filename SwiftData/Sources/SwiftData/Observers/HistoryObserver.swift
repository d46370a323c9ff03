// New transactions, counted as they come.

import CoreData
import Dispatch
public import Observation
import Synchronization

/// Counts the saves of a container's stores, by this process and others, as far as they concern some types of models and some authors.
///
/// `eventCounter` rises when there are new transactions of interest; reading it in `withObservationTracking` is tracked. The
/// transactions themselves are `ModelContext.fetchHistory(_:)`'s. Of the history only what came after the last look is read.
/// Stores of clients' own are not observed.
///
/// Unchecked because types are constant, and the rest is behind locks.
public final class HistoryObserver: Observable, @unchecked Sendable {
    /// The types whose changes count; those of every type if empty.
    public let observedModels: [any PersistentModel.Type]
    /// The authors whose saves count; everybody's if empty.
    public let authors: Set<String>
    /// The container whose stores are observed.
    public let modelContainer: ModelContainer
    private let registrar = ObservationRegistrar()
    private let state: Mutex<State>
    /// Looks at the history one after the other, and not on the thread of a save.
    private let queue = DispatchQueue(label: "SwiftData.HistoryObserver")
    private let notifications = Mutex<StoreNotifications?>(nil)

    private struct State {
        var counter = 0
        /// The place up to which the history was looked at.
        var token: DefaultHistoryToken
    }

    /// Begins to observe.
    ///
    /// - Parameters:
    ///   - historyTokens: the places, by identifiers of stores, after which transactions count; from now on if nil.
    ///   - observedModels: the types whose changes count; those of every type if empty.
    ///   - authors: the authors whose saves count; everybody's if empty.
    ///   - modelContainer: the container whose stores are observed.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: an error of a store that can't be asked for its history.
    public convenience init(
        historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
        authors: Set<String> = [], modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        let numbers = historyTokens?.values.compactMap { ($0 as? DefaultHistoryToken)?.numbers } ?? []
        let stated = numbers.reduce(into: [:]) { all, one in all.merge(one) { max($0, $1) } }
        self.init(
            DefaultHistoryToken(historyTokens == nil ? modelContainer.currentHistoryNumbers : stated),
            observedModels, authors, modelContainer)
        // In turn with what notifications ask for already: two looks at once would count a transaction twice.
        if historyTokens != nil { try queue.sync { try look() } }
    }

    private init(
        _ token: DefaultHistoryToken, _ models: [any PersistentModel.Type], _ authors: Set<String>,
        _ container: ModelContainer
    ) {
        state = Mutex(State(token: token))
        observedModels = models
        self.authors = authors
        modelContainer = container
        let observed = StoreNotifications(container.coordinator) { [weak self] in
            self?.queue.async { [weak self] in try? self?.look() }
        }
        notifications.withLock { $0 = observed }
    }

    /// The number of times that there were new transactions of interest.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return state.withLock { $0.counter }
    }

    /// Reads what is new.
    private func look() throws {
        let last = state.withLock { $0.token }
        let found: [DefaultHistoryTransaction]
        do {
            found = try ModelContext(modelContainer).transactions(HistoryScope(after: last))
        } catch let error where SwiftDataError.historyTokenExpired ~= error {
            // What was deleted can't be looked at: it may have been of interest.
            return advance(to: DefaultHistoryToken(modelContainer.currentHistoryNumbers), counts: true)
        }
        guard !found.isEmpty else { return }
        let numbers = found.reduce(into: last.numbers) { all, one in
            all.merge(one.token.numbers) { max($0, $1) }
        }
        advance(to: DefaultHistoryToken(numbers), counts: found.contains(where: isOfInterest))
    }

    private func advance(to token: DefaultHistoryToken, counts: Bool) {
        guard counts else { return state.withLock { $0.token = token } }
        registrar.withMutation(of: self, keyPath: \.eventCounter) {
            state.withLock { state in
                state.token = token
                state.counter += 1
            }
        }
    }

    private func isOfInterest(_ transaction: DefaultHistoryTransaction) -> Bool {
        if !authors.isEmpty, !authors.contains(transaction.author ?? "") { return false }
        if observedModels.isEmpty { return true }
        return transaction.changes.contains { change in
            observedModels.contains { change.isOf($0) }
        }
    }
}

extension HistoryChange {
    /// Returns whether the model that changed is of a type, or of one that inherits from it.
    fileprivate func isOf<Wanted: PersistentModel>(_ type: Wanted.Type) -> Bool {
        switch self {
        case .insert(let change): change.modelType is Wanted.Type
        case .update(let change): change.modelType is Wanted.Type
        case .delete(let change): change.modelType is Wanted.Type
        }
    }
}

extension HistoryInsert {
    fileprivate var modelType: any PersistentModel.Type { Model.self }
}

extension HistoryUpdate {
    fileprivate var modelType: any PersistentModel.Type { Model.self }
}

extension HistoryDelete {
    fileprivate var modelType: any PersistentModel.Type { Model.self }
}
