// The object's identity and place, and the state that it shows.

import CoreDataSchema
import Foundation
import Synchronization

extension NSManagedObject {
    /// The object's identity: temporary until the first save.
    ///
    /// ```swift
    /// let id = hero.objectID
    /// await container.viewContext.perform {
    ///     let same = container.viewContext.object(with: id)
    ///     print(same.isFault)
    /// }
    /// ```
    public final var objectID: NSManagedObjectID {
        identity ?? madeObjectID()
    }

    /// Makes the ID. Apps ask for the IDs of one context's objects on queues of others, so one thread makes it.
    private final func madeObjectID() -> NSManagedObjectID {
        Self.makingIDs.withLock { _ in
            if let identity { return identity }
            let made = NSManagedObjectID(
                runtime, primaryKey: primaryKey == 0 ? TemporaryKeys.next() : primaryKey, store: store)
            identity = made
            return made
        }
    }

    private static let makingIDs = Mutex(())

    /// The ID that was made; `nil` until somebody asks for it, and again when a key becomes a permanent one.
    final var identity: NSManagedObjectID? {
        get { knownID.load(ordering: .acquiring)?.takeUnretainedValue() }
        set {
            // Mostly there is none to forget, and an exchange is slow.
            if newValue == nil, knownID.load(ordering: .relaxed) == nil { return }
            knownID.exchange(newValue.map(Unmanaged.passRetained), ordering: .acquiringAndReleasing)?
                .release()
        }
    }

    /// The object's entity, to which each use counts a reference.
    @inline(__always)
    final var runtime: ManagedEntity { entityReference._withUnsafeGuaranteedRef { $0 } }

    /// The address of the object's entity, to tell entities apart.
    @inline(__always)
    final var entityAddress: UInt { UInt(bitPattern: entityReference.toOpaque()) }

    /// Calls the closure with the object's entity, and counts no reference to it: for what is done to each of many objects.
    @inline(__always)
    final func withEntity<Result>(_ body: (ManagedEntity) throws -> Result) rethrows -> Result {
        try entityReference._withUnsafeGuaranteedRef(body)
    }

    /// Calls the closure with the object's context, if there is one, and counts no reference to it.
    @inline(__always)
    final func withContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result? {
        guard let context = uncounted(.passUnretained(registry), { $0.contextReference }) else { return nil }
        return try uncounted(context, body)
    }

    /// The entity of the object.
    public final var entity: NSEntityDescription { runtime.description }

    /// The context that the object is registered with; `nil` for a standalone object or once the context is gone.
    public final var managedObjectContext: NSManagedObjectContext? {
        state.isOutside ? nil : registry.context
    }

    /// Indicates whether the object will be inserted by the next save.
    public final var isInserted: Bool {
        noteStatusAccess("isInserted")
        return state.showsInserted
    }
    /// Indicates whether the object has changes that the next save will write.
    public final var isUpdated: Bool {
        noteStatusAccess("isUpdated")
        return state.showsUpdated
    }
    /// Indicates whether the object will be deleted by the next save.
    public final var isDeleted: Bool {
        noteStatusAccess("isDeleted")
        return state.showsDeleted
    }
    /// Indicates whether the object's values are yet to be read.
    public final var isFault: Bool {
        noteStatusAccess("isFault")
        return state.isFault
    }

    /// The store of a saved object.
    final var store: NSPersistentStore? {
        primaryKey > 0 ? registry.context?.store(ofTable: Int(table)) : nil
    }

    /// Frees the memory that the object owns alone.
    final func releaseRows() {
        if state.ownsRow { withEntity { OwnedRow.destroy(row, layout: $0.layout) } }
        if state.ownsCommitted, let committed { OwnedRow.destroy(committed, layout: runtime.layout) }
        var next = state
        next.rows(.release)
        next.mark(.release)
        state = next
    }

    /// Registers a class for the entities that name it without its module, which can't be looked up off Apple's
    /// systems, and for entities that name it differently. Generated code does this.
    public static func registerClass(named name: String? = nil) {
        ObjectClasses.register(self, name: name)
    }

    /// States custom accessors and validators of this class from outside its body.
    public static func registerKeys(_ registration: @escaping @Sendable (inout KeyRegistry) -> Void) {
        KeyRegistry.add(for: self, registration)
    }
}
