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
    open var name: String? { willSet { assertMutable() } }

    /// Indicates that objects of the entity itself can't be made, only of those that inherit from it.
    open var isAbstract = false { willSet { assertMutable() } }

    /// Free use: what the model says beside.
    open var userInfo: [AnyHashable: Any]? = [:] { willSet { assertMutable() } }

    /// The indexes that a database is to keep, the entity's own.
    open var indexes: [NSFetchIndexDescription] = [] {
        willSet { assertMutable() }
        didSet { for index in indexes { index.entity = self } }
    }

    /// Text that goes into the version hash: set it when the meaning of the data changes though the
    /// declaration doesn't.
    open var versionHashModifier: String? { willSet { assertMutable() } }

    /// Indexes over several properties as models before 2017 state them: lists of names or descriptions.
    open var compoundIndexes: [[Any]] = [] { willSet { assertMutable() } }

    /// The expression for what a search index shows for an object. Kept for the model file.
    open var coreSpotlightDisplayNameExpression: NSExpression? { willSet { assertMutable() } }

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
    final private(set) var entityReference: Unmanaged<ManagedEntity>?
    final var runtime: ManagedEntity? {
        get { entityReference.map { $0._withUnsafeGuaranteedRef { $0 } } }
        set { entityReference = newValue.map(Unmanaged.passUnretained) }
    }
    /// Look-ups that are built once, when the model comes into use.
    final private(set) var caches: EntityCaches?

    public override init() {
        super.init()
        reference.entity = self
    }

    deinit {
        reference.entity = nil
    }

    /// The model that the entity belongs to; an entity that belongs to none has no answer to this.
    open var managedObjectModel: NSManagedObjectModel {
        guard let owningModel else {
            raise(.internalInconsistency, "The entity \"\(name ?? "")\" doesn't belong to a model.")
        }
        return owningModel
    }

    /// The name of the class of the entity's objects.
    open var managedObjectClassName: String! {
        get { ownClassName ?? "NSManagedObject" }
        set { ownClassName = newValue == "NSManagedObject" ? nil : newValue }
    }

    /// The name under which an older model knew the entity: how migration recognises it. The name, if none is
    /// set.
    open var renamingIdentifier: String? {
        get { ownRenamingIdentifier ?? name }
        set { ownRenamingIdentifier = newValue }
    }

    /// The entity that this one inherits from. Set by the superentity's `subentities`.
    open var superentity: NSEntityDescription? { parent }

    /// The entities that inherit directly from this one. Setting them makes this their superentity.
    open var subentities: [NSEntityDescription] {
        get { children }
        set { setChildren(newValue) }
    }

    /// The entities that inherit directly from this one, by name.
    open var subentitiesByName: [String: NSEntityDescription] {
        var byName: [String: NSEntityDescription] = [:]
        for child in children { child.name.map { byName[$0] = child } }
        return byName
    }

    /// Returns whether this is `entity` or inherits from it. Entities of two equal models count as the same.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        if self === entity { return true }
        if let caches, caches.lineage.contains(ObjectIdentifier(entity)) { return true }
        return ancestry.contains { $0 === entity || ($0.name == entity.name && $0.isEqual(entity)) }
    }

    /// The properties, inherited ones first. An inherited property is the superentity's own description.
    /// Setting the list sets the entity's own; inherited ones in it are passed over.
    open var properties: [NSPropertyDescription] {
        get { caches?.properties ?? joinedProperties() }
        set { setProperties(newValue) }
    }

    /// The properties by name, inherited ones too.
    open var propertiesByName: [String: NSPropertyDescription] {
        if let caches { return caches.propertiesByName }
        return Dictionary(joinedProperties().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The attributes by name, inherited ones too.
    open var attributesByName: [String: NSAttributeDescription] {
        caches?.attributesByName ?? propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    }

    /// The relationships by name, inherited ones too.
    open var relationshipsByName: [String: NSRelationshipDescription] {
        caches?.relationshipsByName ?? propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
    }

    /// Returns the relationships, inherited ones too, that lead to `entity` itself.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
    }

    /// Attributes whose values, taken together, no two objects may share: lists of names. Names or attribute
    /// descriptions may be set.
    open var uniquenessConstraints: [[Any]] {
        get { constraints }
        set {
            constraints = newValue.map { $0.map { Self.propertyName($0, purpose: "uniqueness constraint") } }
        }
    }

    /// Returns the entity of a name in the model of the context's coordinator.
    ///
    /// The name may be that of a class with its module, as `NSStringFromClass` gives it: its last part counts
    /// then.
    ///
    /// - Parameters:
    ///   - entityName: the entity's name.
    ///   - context: a context with a coordinator, or with a parent that has one.
    open class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        context.runtime.entity(spelled: entityName)?.description
    }

    /// Makes an object of the named entity and inserts it. Raises if the model has no such entity, or it is abstract: for a
    /// name from outside there is `insertNewObject(checkingEntityName:into:)`.
    ///
    /// ```swift
    /// let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
    /// hero.setValue("Ann", forKey: "name")
    /// ```
    ///
    /// - Parameters:
    ///   - entityName: the entity's name.
    ///   - context: the context that the object will belong to.
    /// - Returns: the new object.
    open class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject { newObject(entityName, in: context) }

    /// The hash by which a store recognises the entity: 32 bytes over everything that shapes its data.
    open var versionHash: Data { computedVersionHash }

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

    open override var description: String { text }

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
