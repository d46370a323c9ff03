// A model class as the library knows it.

@_spi(SwiftData) public import CoreData
import Foundation
import Synchronization

/// The library's knowledge of a model class. `@Model` makes one for each class.
///
/// Unchecked because everything that changes is behind a lock.
public final class _ModelClass: @unchecked Sendable {
    let type: any PersistentModel.Type
    let superclass: _ModelClass?
    /// Unchecked because key paths never change.
    private struct State: @unchecked Sendable {
        /// The entity of the container that was made last, or of a schema of the class's own.
        var binding: ModelBinding?
        var names: [AnyKeyPath: String]?
    }
    private let state = Mutex(State())

    /// The knowledge of a class.
    public init<Model: PersistentModel>(_ type: Model.Type) {
        self.type = type
        superclass = SchemaBuilder.modelSuperclass(of: type)?._$modelClass
    }

    /// The name of the class's entity.
    var entityName: String { SchemaBuilder.entityName(of: type) }

    /// The properties that superclasses state.
    private(set) lazy var inheritedCount: Int = superclass.map { $0.inheritedCount + $0.ownCount } ?? 0

    /// The bytes between the beginning of a model and the storage that the class declares.
    private(set) lazy var storageOffset: Int? = Self.storageOffset(type)

    /// The properties that the class itself states.
    private lazy var ownCount: Int = type.schemaMetadata.count { $0.statement == nil }

    /// All properties, inherited ones first.
    var properties: [Schema.PropertyMetadata] {
        (superclass?.properties ?? []) + type.schemaMetadata.filter { $0.statement == nil }
    }

    /// The names of all properties by their key paths.
    var propertyNames: [AnyKeyPath: String] {
        if let known = state.withLock({ $0.names }) { return known }
        let names = Dictionary(
            properties.flatMap(Self.names), uniquingKeysWith: { first, _ in first })
        state.withLock { $0.names = names }
        return names
    }

    /// The name of a property, and those of the fields of a composite one.
    private static func names(_ property: Schema.PropertyMetadata) -> [(AnyKeyPath, String)] {
        let fields = CompositeForm.of(property)?.fields ?? []
        return [(property.keypath, property.name)]
            + fields.compactMap { field in
                property.keypath.appending(path: field.keyPath).map { ($0, property.name + "." + field.name) }
            }
    }

    /// The name of the property that a key path reads, or of several one after the other, joined with dots.
    func key(for keyPath: AnyKeyPath) -> String? {
        if let name = propertyNames[keyPath] { return name }
        guard let found = KeyPathReader.path(keyPath, type) else { return nil }
        state.withLock { $0.names?[keyPath] = found }
        return found
    }

    /// Returns true if this is a class or inherits from it.
    func inherits(from other: _ModelClass) -> Bool {
        self === other || superclass?.inherits(from: other) == true
    }

    /// The entity that new models are made for, as long as no context has them.
    var binding: ModelBinding {
        if let known = state.withLock({ $0.binding }) { return known }
        let bindings = ModelSet.of(Schema([type])).bindings
        guard let found = bindings.first(where: { $0.modelClass === self }) else {
            brokenContract("the schema of \(type) has no entity for it")
        }
        state.withLock { $0.binding = $0.binding ?? found }
        return found
    }

    /// Makes new models those of a container's entity.
    func use(_ binding: ModelBinding) { state.withLock { $0.binding = binding } }
}

/// A model class as an entity of one managed object model.
///
/// Unchecked because nothing changes once it is made; the prototype is only copied.
final class ModelBinding: @unchecked Sendable {
    let modelClass: _ModelClass
    let entity: NSEntityDescription
    /// An object of no context.
    let prototype: _ModelObject
    /// The places of all properties, inherited ones first.
    let places: UnsafeMutablePointer<_Place>
    let properties: [Schema.PropertyMetadata]
    /// The elements of composite properties.
    let composites: [CompositeForm?]
    /// Sound because model sets live on.
    unowned(unsafe) let set: ModelSet

    init(_ modelClass: _ModelClass, _ entity: NSEntityDescription, _ set: ModelSet) {
        self.modelClass = modelClass
        self.set = set
        self.entity = entity
        properties = modelClass.properties
        composites = properties.map { CompositeForm.of($0) }
        prototype = _ModelObject(entity: entity, insertInto: nil)
        places = .allocate(capacity: properties.count)
        for (number, property) in properties.enumerated() {
            (places + number).initialize(to: _Place(property.name, in: entity))
        }
        prototype.bind(self)
    }

    deinit {
        places.deinitialize(count: properties.count)
        places.deallocate()
    }

    /// Makes an object of no context.
    func makeObject() -> _ModelObject {
        let object = _ModelObject(entity: entity, insertInto: nil)
        object.bind(self)
        return object
    }

    /// The value that stands for nil in a property that can't be nil.
    func defaultValue(_ number: Int) -> Any? { properties[number].defaultValue }
}

/// The place of a property in the rows of an entity.
@frozen
public struct _Place {
    /// The handle of an attribute.
    @usableFromInline let attribute: ManagedAttribute
    let relationship: ManagedRelationship

    init(_ name: String, in entity: NSEntityDescription) {
        attribute = entity.place(ofAttribute: name) ?? ManagedAttribute("")
        relationship = entity.place(ofRelationship: name) ?? ManagedRelationship("")
    }
}
