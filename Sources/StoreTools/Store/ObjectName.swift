// The names that people give objects: `Entity/12`, or the URI of the object ID.

public import CoreData

/// The text for an object: `Entity/12`.
public struct ObjectName {
    /// Returns the name of an object: its entity and number.
    public static func text(of id: NSManagedObjectID) -> String {
        let entity = id.entity.name ?? ""
        return id.rowNumber.map { "\(entity)/\($0)" } ?? id.uriRepresentation().absoluteString
    }
}

extension NSManagedObject {
    /// The object's name, as commands take it.
    public var printedName: String { ObjectName.text(of: objectID) }
}

extension NSManagedObjectContext {
    /// The object of an ID; nil if its store has none. A store that can't be read says nothing of that kind: its error is thrown.
    package func objectIfThere(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        do {
            return try existingObject(with: id)
        } catch CocoaError.managedObjectReferentialIntegrity {
            return nil
        }
    }
}

extension OpenStore {
    /// Returns the object that a text names. Throws if the text is no name or there is no such object.
    ///
    /// - Throws: `ToolFailure` if the text is no name, or there is no such object.
    public func object(named text: String) throws -> NSManagedObject {
        let id = try objectID(named: text)
        guard let object = try context.objectIfThere(id) else {
            throw ToolFailure("There is no object \(text).")
        }
        return object
    }

    private func objectID(named text: String) throws -> NSManagedObjectID {
        if text.lowercased().hasPrefix("x-coredata:") {
            if let id = coordinator.managedObjectID(for: text) { return id }
            throw ToolFailure(
                "\"\(text)\" is not the URI of an object in this store (\(store.identifier ?? "")).")
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let digits = parts.last.map { $0.hasPrefix("p") ? $0.dropFirst() : $0 }
        guard parts.count == 2, let digits, let number = Int64(digits), number > 0 else {
            throw ToolFailure("\"\(text)\" names no object: write ENTITY/NUMBER, as in Person/12, or a URI.")
        }
        let entity = try model.requiredEntity(String(parts[0]))
        let uri = "x-coredata://\(store.identifier ?? "")/\(entity.name ?? "")/p\(number)"
        guard let id = coordinator.managedObjectID(for: uri) else {
            throw ToolFailure("There is no object \(text).")
        }
        return id
    }
}
