// The values of a model at one moment.

/// A value that a snapshot holds of a property: of an attribute its own, of a relationship one or several identifiers.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The values of a model at one moment, as they travel between a context and a store.
///
/// A type of a client's own is read by its encoding: contexts encode it with keys of `DataStoreSnapshotCodingKey`.
public protocol DataStoreSnapshot: Codable, Sendable {
    /// The identifier of the model.
    var persistentIdentifier: PersistentIdentifier { get }

    /// A snapshot of what a context holds of a model.
    ///
    /// - Parameters:
    ///   - backingData: the values.
    ///   - relatedBackingDatas: those of other models of the same save or fetch, by identifier.
    init(
        from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

    /// Returns the snapshot with other identifiers.
    ///
    /// - Parameters:
    ///   - persistentIdentifier: the model's identifier.
    ///   - remappedIdentifiers: those that take the place of others in relationships.
    func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> Self
}

extension DataStoreSnapshot {
    /// Returns the snapshot with another identifier, and its relationships as they are.
    public func copy(persistentIdentifier: PersistentIdentifier) -> Self {
        copy(persistentIdentifier: persistentIdentifier, remappedIdentifiers: nil)
    }
}

/// The keys of an encoded snapshot.
public enum DataStoreSnapshotCodingKey: CodingKey, Hashable, Sendable {
    /// The identifier of the model.
    case persistentIdentifier
    /// The value of the property of this name.
    case modeledProperty(String)

    private static let identifierText = "persistentIdentifier"

    /// The name as it is encoded.
    public var stringValue: String {
        switch self {
        case .persistentIdentifier: Self.identifierText
        case .modeledProperty(let name): name
        }
    }

    /// The key of a name.
    public init?(stringValue: String) {
        self = stringValue == Self.identifierText ? .persistentIdentifier : .modeledProperty(stringValue)
    }

    /// Nil: keys are names.
    public var intValue: Int? { nil }

    /// Nil: keys are names.
    public init?(intValue: Int) { nil }
}
