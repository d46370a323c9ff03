// Batches between requests and stores.

import CoreDataSchema
import CoreDataStores
import Foundation

extension BatchChanges {
    /// The rows as a result gives them: each once, though a batch may have written one again and again.
    func objectIDs(in store: NSPersistentStore, _ model: ModelRuntime) -> [NSManagedObjectID] {
        var seen = updated.isEmpty ? [] : Set(inserted)
        let others = updated.filter { seen.insert($0).inserted }
        return (inserted + others + deleted).map {
            NSManagedObjectID(model.runtimes[Int($0.entity)], primaryKey: $0.primaryKey, store: store)
        }
    }
}

extension BatchInsert.Conflicts {
    init(_ policy: NSMergePolicyType) {
        self =
            switch policy {
            case .errorMergePolicyType: .refused
            case .mergeByPropertyObjectTrumpMergePolicyType: .update(whole: false)
            case .overwriteMergePolicyType: .update(whole: true)
            case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .skip
            }
    }
}

extension BatchProgress {
    /// Asks a store so that cancelling stops it. The store looks for itself: a progress tells of its cancelling on a thread
    /// that may have to wait.
    func asking<Result>(_ store: NSPersistentStore, body: () throws -> Result) throws -> Result {
        guard let isCancelled else { return try body() }
        do {
            try check()
            return try store.stopping(when: isCancelled, body)
        } catch {
            try check()
            throw error
        }
    }
}
