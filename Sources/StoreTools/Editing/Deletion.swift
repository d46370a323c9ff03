// The effects that deleting some objects would have on others.

public import CoreData

/// Objects marked as deleted in a context, and what follows from it.
public struct Deletion {
    /// The objects that were asked for.
    public let named: [String]
    /// The objects that go with them, by the delete rules.
    public let cascaded: [String]
    /// The objects that only forget the deleted ones.
    public let changed: [String]

    /// Marks the objects as deleted; saving the context does it.
    ///
    /// - Parameters:
    ///   - objects: the objects.
    ///   - store: their store.
    public init(_ objects: [NSManagedObject], in store: OpenStore) {
        named = Self.names(objects)
        for object in objects { store.context.delete(object) }
        store.context.processPendingChanges()
        let asked = Set(objects)
        cascaded = Self.names(store.context.deletedObjects.subtracting(asked))
        changed = Self.names(store.context.updatedObjects.subtracting(store.context.deletedObjects))
    }

    /// One line each for what is deleted, what goes with it and what forgets it.
    public var lines: [String] {
        [("delete", named), ("with them", cascaded), ("changed", changed)].compactMap { label, names in
            if names.isEmpty { return nil }
            let shown = names.prefix(20).joined(separator: ", ")
            return "\(label): \(names.count) (\(shown)\(names.count > 20 ? ", …" : ""))"
        }
    }

    private static func names(_ objects: some Collection<NSManagedObject>) -> [String] {
        objects.map { ($0.entity.name ?? "", $0.objectID.rowNumber ?? 0, $0.printedName) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}
