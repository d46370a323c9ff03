// Which object stands for which row in a context: the identity map, safe against objects that are released on
// another thread.

import CSwiftRuntime
import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// Looks up and registers the objects of one context. Objects own it, so that the last release of an object finds
/// it alive even when the context is gone.
///
/// Unchecked because the tables are only touched under the lock; `context` is cleared under it too.
final class ObjectRegistry: @unchecked Sendable {
    let model: ModelRuntime
    /// `nil` for objects outside any context and once the context is gone.
    unowned(unsafe) private(set) var context: NSManagedObjectContext?
    private let lock = RegistryLock()
    private var tables: [KeyTable.Box] = []
    private var temporary = KeyTable.Box()
    /// A store's tables follow each other, one for each entity number; the store of table `t` is number
    /// `t / model.entities.count`.
    private var stores: [NSPersistentStore] = []

    init(model: ModelRuntime, context: NSManagedObjectContext?) {
        self.model = model
        self.context = context
    }

    func detachContext() {
        lock.lock()
        context = nil
        lock.unlock()
    }

    /// Where the objects of a root entity in a store are. A store gets its tables the first time it is asked for.
    func tableNumber(store: NSPersistentStore, root: Int) -> Int {
        lock.lock()
        defer { lock.unlock() }
        let number: Int
        if let known = stores.firstIndex(where: { $0 === store }) {
            number = known
        } else {
            number = stores.count
            stores.append(store)
            for _ in model.entities { tables.append(KeyTable.Box()) }
        }
        return number * model.entities.count + root
    }

    /// The store that a table belongs to.
    func store(ofTable table: Int) -> NSPersistentStore? {
        lock.lock()
        defer { lock.unlock() }
        let number = table / max(model.entities.count, 1)
        return stores.indices.contains(number) ? stores[number] : nil
    }

    /// The registered object of a row, kept alive by the result.
    func object(table: Int, primaryKey: Int64) -> NSManagedObject? {
        lock.lock()
        defer { lock.unlock() }
        return retained((primaryKey < 0 ? temporary : tables[table]).table.find(primaryKey))
    }

    /// Gives every row of a slab its object: a registered one, or what `make` returns.
    func resolve(
        slab: RowSlab, table: Int,
        existing: (NSManagedObject, Int) -> Void, make: (Int) -> NSManagedObject,
        append: (NSManagedObject) -> Void
    ) {
        lock.lock()
        defer { lock.unlock() }
        let box = tables[table]
        box.table.reserveCapacity(slab.count)
        for row in 0..<slab.count {
            let place = box.table.reserve(slab.primaryKeys[row])
            if let address = place.pointee, let object = retained(address) {
                existing(object, row)
                append(object)
            } else {
                let object = make(row)
                place.pointee = Unmanaged.passUnretained(object).toOpaque()
                append(object)
            }
        }
    }

    func register(_ object: NSManagedObject, table: Int, primaryKey: Int64) {
        lock.lock()
        defer { lock.unlock() }
        let box = primaryKey < 0 ? temporary : tables[table]
        box.table.reserve(primaryKey).pointee = Unmanaged.passUnretained(object).toOpaque()
    }

    func unregister(_ object: NSManagedObject, table: Int, primaryKey: Int64) {
        guard primaryKey != 0 else { return }
        lock.lock()
        defer { lock.unlock() }
        let box = primaryKey < 0 ? temporary : tables[table]
        box.table.remove(primaryKey, Unmanaged.passUnretained(object).toOpaque())
    }

    /// All registered objects.
    func all() -> [NSManagedObject] {
        lock.lock()
        defer { lock.unlock() }
        var objects: [NSManagedObject] = []
        for box in tables + [temporary] {
            box.table.forEach { address in
                if let object = retained(address) { objects.append(object) }
            }
        }
        return objects
    }

    /// Retains an object unless its last release is already under way on some thread. The address is valid either
    /// way: an object leaves the table, under the lock, before its memory goes.
    private func retained(_ address: UnsafeMutableRawPointer?) -> NSManagedObject? {
        guard let address, let alive = swift_tryRetain(address) else { return nil }
        return Unmanaged<NSManagedObject>.fromOpaque(alive).takeRetainedValue()
    }
}

extension KeyTable {
    /// A table that can be kept in an array.
    final class Box {
        var table = KeyTable()
    }
}

/// A lock without a value: `Mutex` holds its value inline and can't guard a whole class.
private struct RegistryLock: ~Copyable {
    private let mutex = Mutex<Void>(())

    borrowing func lock() { mutex._unsafeLock() }
    borrowing func unlock() { mutex._unsafeUnlock() }
}
