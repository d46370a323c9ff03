// An entity of a model.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// An entity: what managed objects of one kind have.
///
/// An entity can be changed until its model is in use; a change after that stops the process, as Apple's
/// framework raises. Once in use it may be read from any thread.
open class NSEntityDescription: NSObject, NSCopying, NSCoding {
    /// The name, unique in the model.
    public var name: String? { willSet { assertMutable() } }

    /// Indicates that objects of the entity itself can't be made, only of those that inherit from it.
    public var isAbstract = false { willSet { assertMutable() } }

    /// Free use: what the model says beside.
    public var userInfo: [AnyHashable: Any]? = [:] { willSet { assertMutable() } }

    /// The indexes that a database is to keep, the entity's own.
    public var indexes: [NSFetchIndexDescription] = [] {
        willSet { assertMutable() }
        didSet { for index in indexes { index.entity = self } }
    }

    /// Text that goes into the version hash: set it when the meaning of the data changes though the
    /// declaration doesn't.
    public var versionHashModifier: String? { willSet { assertMutable() } }

    /// Indexes over several properties as models before 2017 state them: lists of names or descriptions.
    public var compoundIndexes: [[Any]] = [] { willSet { assertMutable() } }

    /// The expression for what a search index shows for an object. Kept for the model file.
    public var coreSpotlightDisplayNameExpression: NSExpression? { willSet { assertMutable() } }

    final var ownClassName: String? { willSet { assertMutable() } }
    final var ownRenamingIdentifier: String? { willSet { assertMutable() } }
    final var constraints: [[Any]] = [] { willSet { assertMutable() } }
    final var ownProperties: [NSPropertyDescription] = [] { willSet { assertMutable() } }
    final var children: [NSEntityDescription] = [] { willSet { assertMutable() } }

    /// A setting of source models only, carried along for writing.
    final var classModule: String?
    final var codeGeneration: String?
    /// The hash that came with the model, where the formula can't settle it.
    final var recordedVersionHash: Data? { willSet { ModelChanges.note() } }

    /// Weak, because the superentity owns its subentities and the model its entities.
    private final var parentReference: EntityReference?
    final var parent: NSEntityDescription? {
        get { parentReference?.entity }
        set { parentReference = newValue?.reference }
    }
    /// The reference through which others refer back to this entity.
    final let reference = EntityReference()
    final weak var owningModel: NSManagedObjectModel?

    /// The things that objects of the entity need at run time. Set by the object layer once the model is in use.
    /// Sound because it is set while a `ManagedModel` of the model is alive, which owns it and sets it to nil when it goes
    /// (`ManagedEntity.detach`); ObjectLifetimeTests watch entities that outlive their model.
    final unowned(unsafe) var runtime: ManagedEntity?
    /// Look-ups that are built once, when the model comes into use.
    final private(set) var caches: EntityCaches?

    public override init() {
        super.init()
        reference.entity = self
    }

    deinit {
        reference.entity = nil
    }

    /// Reads an entity that was archived alone: it belongs to no model, inherits from nothing, and its
    /// relationships know only the names of where they led. Archive the model to keep all of it.
    public required init?(coder: NSCoder) {
        super.init()
        reference.entity = self
        guard let schema = DescriptionArchive.decodeSingleEntity(coder),
            let name = schema.entities.first?.name
        else {
            return nil
        }
        ModelBuilder(schema, using: [name: self]).fill(NSManagedObjectModel())
    }

    /// Archives the entity alone.
    open func encode(with coder: NSCoder) {
        var entity = EntitySchema(self)
        entity.superentityName = nil
        DescriptionArchive.encode(entity, with: coder)
    }

    /// Returns a copy with copies of the entity's own properties. It belongs to no model, has neither
    /// superentity nor subentities, and can be changed; its relationships lead where the original's do.
    open func copy(with zone: NSZone? = nil) -> Any {
        DescriptionCopier().copy(self)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return self === other || isStructurallyEqual(to: other)
    }

    open override var hash: Int { (name ?? "").hashValue }

    package final var isFrozen: Bool { caches != nil }

    /// Makes the entity unchangeable and builds its look-ups. Called by `NSManagedObjectModel.freeze()`, the
    /// superentity first.
    final func freeze() {
        guard caches == nil else { return }
        for property in ownProperties { property.freeze() }
        for index in indexes { index.freeze() }
        caches = EntityCaches(self)
    }

    final func assertMutable() {
        if caches != nil { raise(.internalInconsistency, "Can't modify an immutable model.") }
        ModelChanges.note()
    }
}
