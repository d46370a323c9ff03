// The SQL that stores run for a context, for tools that show it: beyond what Apple's class offers.

import CoreDataSQL
import CoreDataStores
import Foundation

extension NSPersistentStoreCoordinator {
    /// Has the stores that are open now and run SQL tell contexts of the statements that they run for them, as
    /// `sqlObserver` asks.
    package func traceSQL() {
        withLock {
            for store in persistentStores {
                (store.rowStore?.inspection as? any StoreTracing)?.observe { [weak self] run in
                    // The lock is held by whoever runs the statement, so the requester lives.
                    if let observer = self?.requester?.sqlObserver { observer(SQLRun(run)) }
                }
            }
        }
    }

    /// The plan by which the database would run a statement of one of the stores, a line for each step; empty for what isn't planned.
    package func plan(ofSQL sql: String) -> [String] {
        withLock {
            for store in persistentStores {
                if let plan = try? store.rowStore?.inspection?.plan(ofSQL: sql) { return plan }
            }
            return []
        }
    }
}

extension NSManagedObjectContext {
    private struct Rehearsed: Error {}

    /// The statements that a save would run now. They run in a transaction that is rolled back, so that the file stays
    /// as it is; neither `willSave` nor validation is called. `nil` unless the context saves to one store, which runs SQL.
    package final func rehearsedSave() throws -> [SQLRun]? {
        checkQueue()
        processChanges()
        let coordinator = requiredCoordinator
        guard parentContext == nil, coordinator.persistentStores.count == 1,
            case let store = coordinator.persistentStores[0], !store.isReadOnly,
            let inspection = store.rowStore?.inspection as? any StoreTracing
        else { return nil }
        propagateDeletes(among: changes.changed)
        processChanges()
        var runs: [SQLRun] = []
        try withStores {
            var set: SaveSet?
            defer { set?.undoKeys() }
            do {
                try inspection.rehearse(telling: { runs.append(SQLRun($0)) }) {
                    let all = try SaveSet(objectsToSave, in: self)
                    set = all
                    try all.write(from: self) { throw Rehearsed() }
                }
            } catch is Rehearsed {}
        }
        return runs.filter { $0.sql != "ROLLBACK" }
    }
}
