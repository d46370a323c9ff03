// The protocol of model classes.

@_spi(SwiftData) import CoreData
import Foundation
public import Observation

/// A class whose objects a store keeps. `@Model` writes the conformance.
///
/// Two models are equal when they are the same object: a context has one object for each model of a store.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype,
    KeyPathNaming
{
    /// The properties, unique constraints and indexes that the class itself states.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
    /// The library's knowledge of the class.
    static var _$modelClass: _ModelClass { get }
    /// The place of the model's values.
    var _$modelStorage: _ModelStorage { get set }
    /// What the place leads to, uncounted.
    var _$references: _ModelReferences { get }
    /// Has the values in another place from now on.
    func _$takeObject(_ object: _ModelObject)
    /// A model for the object of a row, which the thread's construction has.
    init(_$object: __shared _ModelObject)
}

extension PersistentModel {
    /// The class itself.
    public typealias Root = Self

    /// The identifier, of which a model has a permanent one once it is saved.
    public var persistentModelID: PersistentIdentifier {
        PersistentIdentifier(_$modelStorage.object(of: self))
    }

    /// The identifier.
    public var id: PersistentIdentifier { persistentModelID }

    /// The context that the model was inserted into or fetched by.
    public var modelContext: ModelContext? { _$references.object.takeUnretainedValue().modelContext }

    /// Indicates whether the model has changes that aren't saved.
    public var hasChanges: Bool { _$references.object.takeUnretainedValue().hasChanges }

    /// Indicates whether the next save deletes the model. False once it did: the model has no context then.
    public var isDeleted: Bool { _$references.object.takeUnretainedValue().isDeleted }

    /// Returns true if both are the same object.
    ///
    /// - Parameters:
    ///   - left: the one model.
    ///   - right: the other.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentModel {
    /// The names of the class's properties, inherited ones too, by their key paths.
    static var propertyNames: [AnyKeyPath: String] { _$modelClass.propertyNames }

    /// Returns the name of a property.
    static func name(of keyPath: PartialKeyPath<Self>) -> String {
        if let name = propertyNames[keyPath] { return name }
        brokenContract("\(keyPath) is no persisted property of \(Self.self)")
    }

    /// Returns the name of the property that a key path of this class reads, for predicates and sort descriptors.
    public static func key(for keyPath: AnyKeyPath) -> String? { _$modelClass.key(for: keyPath) }
}
