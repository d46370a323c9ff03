// The objects of a context by their rows: the identity map, safe against objects that are
// released on another thread.

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
    let model: ManagedModel
    /// `nil` for objects outside any context and once the context is gone. Not weak, which would slow down every use of a
    /// context: sound because a context detaches its registry in `deinit`, under the lock; ObjectLifetimeTests watch
    /// objects that outlive their context.
    @exclusivity(unchecked)
    private(set) var contextReference: Unmanaged<NSManagedObjectContext>?
    var context: NSManagedObjectContext? { contextReference?._withUnsafeGuaranteedRef { $0 } }
    private let lock = RegistryLock()
    // The lock guards what follows: a check at each access would cost every object several times. Sound because each access is
    // under the lock, which the thread sanitizer watches in ConcurrencyUnderLoadTests (Scripts/test --long).

    /// Table 0 of the first store may stay empty; the table of objects that were never saved is apart.
    @exclusivity(unchecked)
    private var tables: [UnsafeMutablePointer<KeyPages>] = []
    private let temporary = ObjectRegistry.makeTable()
    /// A store's tables follow each other, one for each entity number; the store of table `t` is number
    /// `t / model.entities.count`.
    @exclusivity(unchecked)
    private var stores: [NSPersistentStore] = []
    /// Those of the stores that are told of registered objects, by number; empty if none is.
    @exclusivity(unchecked)
    private var watchers: [Int: RegistrationNotes] = [:]

    /// Strings that objects gave lately, from the first long one on. Not under the lock, and unchecked: sound because the
    /// context's queue alone reads objects that have one, which `checkQueue` watches (ConcurrencyDebugTests). Objects without
    /// a context, which belong to nobody's queue, keep nothing.
    @exclusivity(unchecked)
    private var keptTexts: KeptTexts?
    /// Indicates that there is a context: asked for each text, where a look at the context would count references to it.
    @exclusivity(unchecked)
    private var keepsTexts: Bool

    /// Objects that left. Not under the lock, as texts aren't: the context's queue alone sees to them, and its end.
    @exclusivity(unchecked)
    private var departed = DepartedObjects()

    init(model: ManagedModel, context: NSManagedObjectContext?) {
        self.model = model
        contextReference = context.map(Unmanaged.passUnretained)
        keepsTexts = context != nil
    }

    deinit {
        for table in tables + [temporary] {
            table.deinitialize(count: 1)
            table.deallocate()
        }
    }

    // MARK: Texts

    /// The string of a text in the memory of a row, kept for the next time where that is worth while.
    @inline(__always)
    func text(_ bytes: UnsafeRawBufferPointer) -> String {
        guard KeptTexts.keeps(length: bytes.count), keepsTexts else {
            return String(decoding: bytes, as: UTF8.self)
        }
        if let text = keptTexts?.text(bytes) { return text }
        keptTexts = KeptTexts()
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func makeTable() -> UnsafeMutablePointer<KeyPages> {
        let table = UnsafeMutablePointer<KeyPages>.allocate(capacity: 1)
        table.initialize(to: KeyPages())
        return table
    }

    @inline(__always)
    private func table(_ number: Int, primaryKey: Int64) -> UnsafeMutablePointer<KeyPages> {
        primaryKey < 0 ? temporary : tables[number]
    }

    func detachContext() {
        letGoOfDeparted()
        lock.lock()
        contextReference = nil
        keepsTexts = false
        let watchers = watchers
        self.watchers = [:]
        lock.unlock()
        if watchers.isEmpty { return }
        for object in all() {
            watchers[Int(object.table) / max(model.entities.count, 1)]?
                .append(object.runtime, primaryKey: object.primaryKey, isRegistered: false)
        }
    }

    /// Returns the number of the table of a root entity's objects in a store. A store gets its tables the
    /// first time it is asked for.
    func tableNumber(store: NSPersistentStore, root: Int) -> Int {
        lock.lock()
        defer { lock.unlock() }
        let number: Int
        if let known = stores.firstIndex(where: { $0 === store || $0.current === store }) {
            number = known
        } else {
            number = stores.count
            stores.append(store)
            if let store = store as? NSIncrementalStore { watchers[number] = store.registrations }
            for _ in model.entities { tables.append(Self.makeTable()) }
        }
        return number * model.entities.count + root
    }

    /// The store that a table belongs to.
    func store(ofTable table: Int) -> NSPersistentStore? {
        lock.lock()
        defer { lock.unlock() }
        let number = table / max(model.entities.count, 1)
        guard stores.indices.contains(number) else { return nil }
        // Most often asked for, so without counting references to a store that weak references make slow.
        if stores[number].hasMoved { stores[number] = stores[number].current }
        return stores[number]
    }

    /// The registered object of a row, kept alive by the result.
    func object(table number: Int, primaryKey: Int64) -> NSManagedObject? {
        lock.lock()
        defer { lock.unlock() }
        return retained(table(number, primaryKey: primaryKey).pointee.find(primaryKey))
    }

    /// Looks up the objects of a slab's rows. Addresses of those that are registered come back retained.
    func find(
        _ slab: RowSlab, table number: Int, into found: UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>
    ) {
        lock.lock()
        defer { lock.unlock() }
        let table = tables[number]
        if table.pointee.count == 0 && temporary.pointee.count == 0 {
            found.update(repeating: nil)
            return
        }
        for row in 0..<slab.count {
            // In a child, rows of objects that its parent hasn't saved are among them.
            let key = slab.primaryKeys[row]
            found[row] = (key < 0 ? temporary : table).pointee.find(key).flatMap { swift_tryRetain($0) }
        }
    }

    /// Registers the objects at these addresses, where there is one, as those of a slab's rows. `false` if rows of the
    /// slab have one key, of which one object is registered.
    func register(
        _ slab: RowSlab, table number: Int, objects: UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>
    ) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        let table = tables[number]
        let before = table.pointee.count + temporary.pointee.count
        var made = 0
        for row in 0..<slab.count {
            let key = slab.primaryKeys[row]
            if let object = objects[row] {
                (key < 0 ? temporary : table).pointee.insert(key, address: object)
                made += 1
            }
        }
        for row in 0..<slab.count where !watchers.isEmpty && objects[row] != nil {
            note(
                model.entities[Int(slab.entities[row])], table: number, primaryKey: slab.primaryKeys[row],
                isRegistered: true)
        }
        return table.pointee.count + temporary.pointee.count == before + made
    }

    func register(_ object: NSManagedObject, table number: Int, primaryKey: Int64) {
        lock.lock()
        defer { lock.unlock() }
        table(number, primaryKey: primaryKey).pointee.insert(
            primaryKey, address: Unmanaged.passUnretained(object).toOpaque())
        if !watchers.isEmpty {
            note(object.runtime, table: number, primaryKey: primaryKey, isRegistered: true)
        }
    }

    /// Registers objects that were never saved under the permanent keys that they have got, with IDs yet to be made.
    func rekey(_ objects: [Unmanaged<NSManagedObject>], from temporaries: [Int64], table number: Int) {
        lock.lock()
        defer { lock.unlock() }
        let table = tables[number]
        // All that was never saved is saved: there is nothing to keep.
        let isAll = temporary.pointee.count == objects.count
        if isAll { temporary.pointee.removeAll() }
        var place = 0
        objects.each { object in
            let address = Unmanaged.passUnretained(object).toOpaque()
            object.identity = nil
            if !isAll { temporary.pointee.remove(temporaries[place], address: address) }
            table.pointee.insert(object.primaryKey, address: address)
            if !watchers.isEmpty {
                note(object.runtime, table: number, primaryKey: object.primaryKey, isRegistered: true)
            }
            place += 1
        }
    }

    /// Under the lock.
    @inline(__always)
    private func note(_ entity: ManagedEntity, table: Int, primaryKey: Int64, isRegistered: Bool) {
        if watchers.isEmpty { return }
        watchers[table / max(model.entities.count, 1)]?
            .append(entity, primaryKey: primaryKey, isRegistered: isRegistered)
    }

    func unregister(_ object: NSManagedObject, table number: Int, primaryKey: Int64) {
        guard primaryKey != 0 else { return }
        lock.lock()
        defer { lock.unlock() }
        noteRemoval(of: object, number: number, primaryKey: primaryKey)
        table(number, primaryKey: primaryKey).pointee.remove(
            primaryKey, address: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Unregisters an object that leaves the context as it is.
    func depart(_ object: NSManagedObject) {
        unregister(object, table: Int(object.table), primaryKey: object.primaryKey)
        departed.note(object)
    }

    /// Ends what objects that left before hold of each other.
    func letGoOfDeparted() {
        if departed.isEmpty { return }
        let objects = departed
        departed = DepartedObjects()
        objects.letGo()
    }

    /// Under the lock: an object that isn't registered leaves nothing.
    private func noteRemoval(of object: NSManagedObject, number: Int, primaryKey: Int64) {
        guard !watchers.isEmpty, primaryKey > 0,
            table(number, primaryKey: primaryKey).pointee.find(primaryKey)
                == Unmanaged.passUnretained(object).toOpaque()
        else { return }
        note(object.runtime, table: number, primaryKey: primaryKey, isRegistered: false)
    }

    /// Unregisters an object that nobody but the caller refers to any more. `false` if somebody does.
    func forget(_ object: inout NSManagedObject) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard isKnownUniquelyReferenced(&object) else { return false }
        if object.primaryKey != 0 {
            noteRemoval(of: object, number: Int(object.table), primaryKey: object.primaryKey)
            table(Int(object.table), primaryKey: object.primaryKey).pointee
                .remove(object.primaryKey, address: Unmanaged.passUnretained(object).toOpaque())
        }
        return true
    }

    /// The registered objects of root entities, by number, in all stores.
    func objects(ofRoots roots: Set<Int>) -> [NSManagedObject] {
        lock.lock()
        defer { lock.unlock() }
        var objects: [NSManagedObject] = []
        for number in tables.indices where roots.contains(number % max(model.entities.count, 1)) {
            tables[number].pointee.forEach { address in
                if let object = retained(address) { objects.append(object) }
            }
        }
        return objects
    }

    /// The number of registered objects, about to be released or not.
    var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return tables.reduce(temporary.pointee.count) { $0 + $1.pointee.count }
    }

    /// All registered objects.
    func all() -> [NSManagedObject] {
        lock.lock()
        defer { lock.unlock() }
        var objects: [NSManagedObject] = []
        for table in tables + [temporary] {
            table.pointee.forEach { address in
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

/// A lock without a value: `Mutex` holds its value inline and can't guard a whole class.
private struct RegistryLock: ~Copyable {
    private let mutex = Mutex<Void>(())

    borrowing func lock() { mutex._unsafeLock() }
    borrowing func unlock() { mutex._unsafeUnlock() }
}

/// Objects that left a context and may hold each other.
///
/// A client who has one can look at its relationships until the context saves, rolls back or resets the next time, or goes.
/// Then each lets go of the others: a cycle of them would stay for ever, and their store with it.
private struct DepartedObjects {
    private struct Departed {
        weak var object: NSManagedObject?
    }

    private var objects: [Departed] = []

    var isEmpty: Bool { objects.isEmpty }

    mutating func note(_ object: NSManagedObject) {
        guard let extras = object.extras, extras.relations.contains(where: Self.mayHold) else { return }
        objects.append(Departed(object: object))
    }

    /// Returns whether what a relationship leads to may hold the object: whoever stays in the context was told to let go.
    private static func mayHold(_ related: AnyObject?) -> Bool {
        guard let related else { return false }
        guard let object = related as? NSManagedObject else { return true }
        return object.state.isDeleted || object.state.isNew || object.state.isGone
    }

    /// Ends the relationships of those that didn't come back.
    func letGo() {
        for departed in objects {
            guard let object = departed.object, object.state.isGone else { continue }
            object.extras?.forgetRelations()
        }
    }
}
