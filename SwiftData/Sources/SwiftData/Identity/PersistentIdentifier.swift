// The identity of models across contexts and processes.

@_spi(SwiftData) import CoreData
import Foundation
import Synchronization

/// The identity of a model. It may be passed between actors, and encoded once it is permanent.
///
/// A model has a temporary one until it is saved.
///
/// Unchecked because object IDs don't change.
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

    /// The identity itself.
    public let id: ID
    let objectID: NSManagedObjectID?

    init(_ objectID: NSManagedObjectID) {
        self.objectID = objectID
        let uri = objectID.uriRepresentation()
        id = ID(
            storeIdentifier: objectID.isTemporaryID ? nil : uri.host, entityName: objectID.entity.name ?? "",
            key: uri.lastPathComponent)
    }

    init(_ object: _ModelObject) { self.init(object.objectID) }

    init(id: ID) {
        self.id = id
        objectID = nil
    }

    /// The name of the model's entity.
    public var entityName: String { id.entityName }
    /// The identifier of the store that has the model; nil for a temporary one.
    public var storeIdentifier: String? { id.storeIdentifier }
    /// Indicates that the model was never saved.
    var isTemporary: Bool { id.storeIdentifier == nil }

    public static func == (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
        left.id == right.id
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Orders identifiers by entity and key.
    ///
    /// - Parameters:
    ///   - left: the one identifier.
    ///   - right: the other.
    public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
        left.id < right.id
    }

    public init(from decoder: any Decoder) throws { self.init(id: try ID(from: decoder)) }

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
