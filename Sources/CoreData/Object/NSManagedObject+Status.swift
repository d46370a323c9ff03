// The object's identity and place, and the state that it shows.

import CoreDataSchema
import Foundation

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
        if let identity { return identity }
        let made = NSManagedObjectID(
            runtime, primaryKey: primaryKey == 0 ? TemporaryKeys.next() : primaryKey, store: store)
        identity = made
        return made
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
        if state.ownsRow { OwnedRow.destroy(row, layout: runtime.layout) }
        if state.ownsCommitted, let committed { OwnedRow.destroy(committed, layout: runtime.layout) }
        var next = state
        next.rows(.release)
        next.mark(.end)
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
