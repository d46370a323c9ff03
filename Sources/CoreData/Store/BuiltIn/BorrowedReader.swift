// Reading while another thread has the coordinator's lock.

import CoreDataStores
import Foundation

/// The source that one question to the stores reads from, while another thread has the coordinator's lock.
final class BorrowedReader {
    private var readers: [(store: NSPersistentStore, source: any StoreReader)] = []

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// That of the question that this thread is asking.
    private static var current: BorrowedReader? {
        pthread_getspecific(key).map { Unmanaged<BorrowedReader>.fromOpaque($0).takeUnretainedValue() }
    }

    static var isHeld: Bool { pthread_getspecific(key) != nil }

    /// Returns the file that this thread must read from; `nil` if it must take turns.
    static func source(of store: NSPersistentStore) -> (any StoreReader)? {
        guard let borrowed = current else { return nil }
        return borrowed.readers.first { $0.store === store }?.source
    }

    /// Runs the closure with a reader of each store; `nil`, without running it, if there isn't one for each.
    static func reading<Result>(
        _ stores: [AttachedStore], from take: (any RowStore) throws -> (any StoreReader)?,
        body: () throws -> Result
    ) rethrows -> Result? {
        let borrowed = BorrowedReader()
        defer { borrowed.end() }
        for entry in stores {
            guard let engine = entry.store.rowStore, let reader = try? take(engine) else { return nil }
            borrowed.readers.append((entry.store, reader))
        }
        pthread_setspecific(key, Unmanaged.passUnretained(borrowed).toOpaque())
        defer { pthread_setspecific(key, nil) }
        return try body()
    }

    private func end() {
        for reader in readers { reader.source.giveBack() }
        readers = []
    }
}
