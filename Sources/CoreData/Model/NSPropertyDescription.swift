// A property of an entity: what attributes, relationships, fetched properties and expressions share.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// A property of an entity.
///
/// A description can be changed until its model is in use; a change after that stops the process, as Apple's
/// framework raises. Once in use it may be read from any thread.
open class NSPropertyDescription: NSObject, NSCopying, NSCoding {
    /// The property's name, the key of its value.
    open var name = "" { willSet { assertMutable() } }

    /// Indicates whether an object may be saved without a value. True by default.
    open var isOptional = true { willSet { assertMutable() } }

    /// Indicates whether the value lives in memory only. False by default.
    open var isTransient = false { willSet { assertMutable() } }

    /// Asks for a database index over this property alone. Superseded by `NSEntityDescription.indexes`.
    open var isIndexed = false { willSet { assertMutable() } }

    /// Indicates whether a search index is to contain the value. Kept for the model
    /// file, without effect here.
    open var isIndexedBySpotlight = false { willSet { assertMutable() } }

    /// Asks for record files beside the store. Kept for the model file, without effect here.
    open var isStoredInExternalRecord = false { willSet { assertMutable() } }

    /// Free use: what the model says beside.
    open var userInfo: [AnyHashable: Any]? = [:] { willSet { assertUserInfoMutable() } }

    /// Text that goes into the version hash: set it when the meaning of the values changes though the
    /// declaration doesn't.
    open var versionHashModifier: String? { willSet { assertMutable() } }

    final var ownRenamingIdentifier: String? { willSet { assertMutable() } }
    final var validation: [(predicate: NSPredicate, warning: Any)] = [] { willSet { assertMutable() } }

    /// The entity that declares the property. Weak, because the entity owns its properties.
    private final var ownerReference: EntityReference?
    final var owner: NSEntityDescription? {
        get { ownerReference?.entity }
        set { ownerReference = newValue?.reference }
    }
    final private(set) var isFrozen = false

    public override init() {
        super.init()
    }

    /// Reads a description that was archived alone: it belongs to no entity, and a relationship knows only
    /// the names of where it led.
    public required init?(coder: NSCoder) {
        super.init()
        guard let archived = DescriptionArchive.decodeProperty(coder), takeFields(from: archived) else {
            return nil
        }
    }

    /// Archives the description alone.
    open func encode(with coder: NSCoder) {
        DescriptionArchive.encode(EntitySchema(archiving: [self]), with: coder)
    }

    /// Returns a copy that belongs to no entity and can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).makeByMetatype()
        copy.takeFields(from: self)
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return self === other || isStructurallyEqual(to: other)
    }

    open override var hash: Int { name.hashValue }

    /// Copies every value but the owner. Subclasses add theirs; false if `other` is of another kind.
    @discardableResult
    func takeFields(from other: NSPropertyDescription) -> Bool {
        name = other.name
        isOptional = other.isOptional
        isTransient = other.isTransient
        isIndexed = other.isIndexed
        isIndexedBySpotlight = other.isIndexedBySpotlight
        isStoredInExternalRecord = other.isStoredInExternalRecord
        userInfo = other.userInfo
        versionHashModifier = other.versionHashModifier
        ownRenamingIdentifier = other.ownRenamingIdentifier
        validation = other.validation
        return true
    }

    open override var description: String { text }

    /// Makes the description unchangeable. Called by `NSManagedObjectModel.freeze()`.
    func freeze() {
        isFrozen = true
    }

    func assertUserInfoMutable() { assertMutable() }

    final func assertMutable() {
        if isFrozen { raise(.internalInconsistency, "Can't modify an immutable model.") }
        ModelChanges.note()
    }

    /// The entity that declares the property; a property that belongs to none has no answer to this.
    open var entity: NSEntityDescription {
        guard let owner else {
            raise(.internalInconsistency, "The property \"\(name)\" doesn't belong to an entity.")
        }
        return owner
    }

    /// The name under which an older model knew the property: how migration recognises it. The name, if none
    /// is set.
    open var renamingIdentifier: String? {
        get { ownRenamingIdentifier ?? name }
        set { ownRenamingIdentifier = newValue }
    }

    /// The predicates that a value must satisfy.
    open var validationPredicates: [NSPredicate] { validation.map(\.predicate) }

    /// For each predicate, what to say when the value doesn't satisfy it: a text, or the number of a
    /// validation error.
    open var validationWarnings: [Any] { validation.map(\.warning) }

    /// Sets the predicates together with their warnings, as many of the one as of the other.
    ///
    /// - Parameters:
    ///   - validationPredicates: predicates over the property's value, which they call `SELF`.
    ///   - validationWarnings: a text for each predicate, which the error of a save describes.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        let predicates = validationPredicates ?? []
        let warnings = validationWarnings ?? []
        guard predicates.count == warnings.count else {
            raise(
                .invalidArgument,
                "\(predicates.count) validation predicates and \(warnings.count) warnings for \"\(name)\".")
        }
        validation = zip(predicates, warnings).map { (predicate: $0, warning: $1) }
    }

    /// The property's part in its entity's version hash; empty for fetched properties and expressions, which
    /// have no part in it.
    open var versionHash: Data {
        isKindOfEntityProperty ? VersionHash.hash(of: PropertySchema(self)) ?? Data() : Data()
    }
}
