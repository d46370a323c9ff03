// The snapshot of whoever writes none of their own.

import Synchronization

/// The values of a model at one moment, whatever its class.
///
/// Encoded it has the identifier and the values under the names of their properties. Decoding finds the types of the values by the
/// identifier's entity, of the containers that are or were open.
public struct DefaultSnapshot: DataStoreSnapshot {
    public let persistentIdentifier: PersistentIdentifier
    private let values: [String: Value]

    /// The value of one property. Unchecked because values are copied out of models and never change.
    private struct Value: @unchecked Sendable {
        let content: any Codable
    }

    /// The values of a model.
    ///
    /// - Parameters:
    ///   - backingData: the values as a context holds them.
    ///   - relatedBackingDatas: isn't asked: relationships are identifiers.
    public init(
        from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        guard let object = (backingData as? any ObjectBacked)?.object else {
            preconditionFailure("\(type(of: backingData)) is no backing data of a context's model")
        }
        self.init(object)
    }

    init(_ object: _ModelObject) {
        persistentIdentifier = PersistentIdentifier(object)
        var values: [String: Value] = [:]
        for form in object.bound.binding.storedForms {
            if let value = form.value(of: object) { values[form.name] = Value(content: value) }
        }
        self.values = values
    }

    private init(_ identifier: PersistentIdentifier, _ values: [String: Value]) {
        persistentIdentifier = identifier
        self.values = values
    }

    /// Returns the snapshot with other identifiers.
    ///
    /// - Parameters:
    ///   - persistentIdentifier: the model's identifier.
    ///   - remappedIdentifiers: those that take the place of others in relationships.
    public func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> DefaultSnapshot {
        guard let remappedIdentifiers else { return DefaultSnapshot(persistentIdentifier, values) }
        let remapped = values.mapValues { value -> Value in
            switch value.content {
            case let one as PersistentIdentifier: Value(content: remappedIdentifiers[one] ?? one)
            case let many as [PersistentIdentifier]:
                Value(content: many.map { remappedIdentifiers[$0] ?? $0 })
            default: value
            }
        }
        return DefaultSnapshot(persistentIdentifier, remapped)
    }

    /// Reads a snapshot.
    ///
    /// - Throws: a `DecodingError`, also for an entity of no container.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        let identifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
        guard let type = SnapshotTypes.type(of: identifier.entityName) else {
            throw DecodingError.dataCorruptedError(
                forKey: .persistentIdentifier, in: container,
                debugDescription: "no container has a class for the entity \(identifier.entityName)")
        }
        var values: [String: Value] = [:]
        for form in type._$modelClass.properties.compactMap(StoredForm.init) {
            if let value = try form.decode(container) { values[form.name] = Value(content: value) }
        }
        self.init(identifier, values)
    }

    /// Writes the identifier and the values.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        for (name, value) in values { try container.encode(value.content, forKey: .modeledProperty(name)) }
    }
}

extension ModelBinding {
    /// The properties that stores keep.
    var storedForms: [StoredForm] { properties.compactMap(StoredForm.init) }
}

extension _ModelObject {
    /// The object's values as a model of its class has them.
    var backingData: any BackingData {
        let type = bound.binding.modelClass.type
        return type.backingData(of: self)
    }
}

extension PersistentModel {
    fileprivate static func backingData(of object: _ModelObject) -> any BackingData {
        ObjectBackingData<Self>(object)
    }
}

/// The classes of entities, for snapshots that are decoded.
enum SnapshotTypes {
    private static let types = Mutex<[String: any PersistentModel.Type]>([:])

    static func register(_ schema: Schema) {
        types.withLock { known in
            for type in schema.types { known[SchemaBuilder.entityName(of: type)] = type }
        }
    }

    static func type(of entity: String) -> (any PersistentModel.Type)? { types.withLock { $0[entity] } }
}
