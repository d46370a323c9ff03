// The identity of models across contexts and processes.

import CoreData
import Foundation

/// The identity of a model. It may be passed between actors, and encoded once it is permanent.
///
/// A model has a temporary one until it is saved.
public struct PersistentIdentifier: Hashable, Identifiable, Sendable, Codable, Comparable {
    /// The identity itself, as a value of its own.
    public struct ID: Hashable, Sendable, Codable, Comparable {
        let storeIdentifier: String?
        let entityName: String
        let key: String

        /// Orders identifiers by entity and key.
        ///
        /// - Parameters:
        ///   - left: the one identifier.
        ///   - right: the other.
        public static func < (left: ID, right: ID) -> Bool {
            (left.entityName, left.key.count, left.key) < (right.entityName, right.key.count, right.key)
        }
    }

    private enum Content: Sendable {
        case objectID(NSManagedObjectID)
        case stated(ID)
    }

    private let content: Content

    init(_ objectID: NSManagedObjectID) {
        if let store = objectID.persistentStore as? ClientStore {
            content = .stated(store.identifier(of: objectID).id)
        } else {
            content = .objectID(objectID)
        }
    }

    init(_ object: _ModelObject) {
        let id = object.objectID
        // A client that has the identifier may look for the model by it after the save.
        if id.isTemporaryID { object.temporaryID = id }
        self.init(id)
    }

    init(id: ID) { content = .stated(id) }

    /// The object ID, unless the identifier was made of its parts.
    var objectID: NSManagedObjectID? {
        if case .objectID(let id) = content { id } else { nil }
    }

    /// The identity itself.
    public var id: ID {
        switch content {
        case .stated(let id): return id
        case .objectID(let objectID):
            let uri = objectID.uriRepresentation()
            return ID(
                storeIdentifier: objectID.isTemporaryID ? nil : uri.host,
                entityName: objectID.entity.name ?? "",
                key: uri.lastPathComponent)
        }
    }

    /// The name of the model's entity.
    public var entityName: String {
        switch content {
        case .stated(let id): id.entityName
        case .objectID(let objectID): objectID.entity.name ?? ""
        }
    }

    /// The identifier of the store that has the model; nil for a temporary one.
    public var storeIdentifier: String? { id.storeIdentifier }

    /// Indicates that the model was never saved.
    public var isTemporary: Bool {
        switch content {
        case .stated(let id): id.storeIdentifier == nil
        case .objectID(let objectID): objectID.isTemporaryID
        }
    }

    /// Returns the identifier of a model by the key that its store has for it.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the identifier of the store.
    ///   - entityName: the name of the model's entity.
    ///   - primaryKey: the key: for the library's own stores the number of the row, or its text, such as `p12`.
    /// - Throws: what encoding the key throws.
    public static func identifier<T: Codable>(
        for storeIdentifier: String, entityName: String, primaryKey: T
    ) throws -> PersistentIdentifier {
        let key: String
        switch primaryKey {
        case let text as String: key = text
        case let number as any BinaryInteger: key = "p\(number)"
        case let uuid as UUID: key = uuid.uuidString
        default: key = String(decoding: try JSONEncoder().encode(primaryKey), as: UTF8.self)
        }
        return PersistentIdentifier(
            id: ID(storeIdentifier: storeIdentifier, entityName: entityName, key: key))
    }

    /// Returns true if two identifiers mean the same model.
    ///
    /// - Parameters:
    ///   - left: the one identifier.
    ///   - right: the other.
    public static func == (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
        if let one = left.objectID, let other = right.objectID { return one == other }
        return left.id == right.id
    }

    public func hash(into hasher: inout Hasher) {
        switch content {
        case .stated(let id): hasher.combine(id.key)
        case .objectID(let objectID):
            hasher.combine(
                objectID.rowNumber.map { "p\($0)" } ?? objectID.uriRepresentation().lastPathComponent)
        }
    }

    /// Orders identifiers by entity and key.
    ///
    /// - Parameters:
    ///   - left: the one identifier.
    ///   - right: the other.
    public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
        left.id < right.id
    }

    /// Reads an identifier.
    ///
    /// - Throws: a `DecodingError`.
    public init(from decoder: any Decoder) throws { self.init(id: try ID(from: decoder)) }

    /// Writes an identifier.
    ///
    /// - Throws: an `EncodingError` for a temporary one, which means nothing elsewhere.
    public func encode(to encoder: any Encoder) throws {
        if isTemporary {
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "a temporary identifier can't be encoded"))
        }
        try id.encode(to: encoder)
    }
}
