// The managed object: its fields and everything that subclasses may override. The code behind each member is in
// the `+Topic` file of its name.

import CoreDataSchema
import CoreDataSupport
public import Foundation
import Synchronization

/// An object whose values a context tracks and a store keeps.
///
/// Objects belong to their context's queue. Subclasses are made for an entity whose class name they bear.
///
/// ```swift
/// final class Rival: NSManagedObject {
///     @NSManaged var name: String?
///
///     override func awakeFromInsert() {
///         super.awakeFromInsert()
///         name = "nameless"
///     }
/// }
/// ```
nonisolated open class NSManagedObject: NSObject, NSFetchRequestResult, KeyValueObserving {
    // The fields that accessors read stand first, in one line of the processor's cache.

    /// The address of `row`, plus the bits that `ObjectState.tagged` adds: all that inlined accessors look
    /// at. A whole word, which a context's queue reads and writes one after the other: a check at each access
    /// would cost more than the access. This and the other unchecked fields are sound because only the
    /// context's queue uses an object, which `checkQueue` watches in contexts that check
    /// (ConcurrencyDebugTests), and because no accessor calls a client's code while it changes one. That row,
    /// tags and state agree, `checkInvariants()` watches in debug builds.
    @exclusivity(unchecked)
    @usableFromInline final var taggedRow: UInt
    /// The state, which changes together with the tags of `taggedRow`.
    @exclusivity(unchecked)
    final private var untaggedState: ObjectState
    /// Number of the object's table in the registry.
    @exclusivity(unchecked)
    final var table: Int32 = 0
    /// Keeps the identity map alive that the object leaves in `deinit`.
    @exclusivity(unchecked)
    final var registry: ObjectRegistry
    /// The object's entity. Not counted, for each of many objects: `registry` holds the model that owns it, which
    /// `checkInvariants()` watches.
    @exclusivity(unchecked)
    final var entityReference: Unmanaged<ManagedEntity>
    /// The last values known to be in the store; `nil` for a fault or an object that was never saved.
    @exclusivity(unchecked)
    final var committed: UnsafeMutablePointer<UInt64>?
    /// Owner of the memory that `committed` and references in `row` lie in.
    @exclusivity(unchecked)
    final var slab: RowSlab?
    @exclusivity(unchecked)
    final var extras: ObjectExtras?
    /// The object's ID, once there is one, counted. One thread makes it, and all may read it.
    final let knownID = Atomic<Unmanaged<NSManagedObjectID>?>(nil)
    /// Z_PK in the store; negative before the first save; 0 outside any context.
    @exclusivity(unchecked)
    final var primaryKey: Int64 = 0

    /// Makes an object of an entity with the model's default values and inserts it into a context, if there is one.
    ///
    /// `NSManagedObject(entity:insertInto:)` makes an object of the entity's own class, as Apple's does, unless that has stored
    /// properties: then the object is a plain one, and a warning is logged.
    ///
    /// - Parameters:
    ///   - entity: the entity, which must not be abstract.
    ///   - context: the context; nil for an object that no save sees.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        if let context, let shell = context.shellReference {
            context.shellReference = nil
            registry = context.registry
            entityReference = shell
            let (traits, nullRow) = uncounted(shell) { ($0.classTraits, $0.nullRow) }
            untaggedState = ObjectState(isFault: true, context.freshTraits.union(traits))
            taggedRow = untaggedState.tagged(nullRow)
            super.init()
            return
        }
        if context == nil, type(of: self).asksForPlaces, let known = entity.runtime {
            registry = known.model.standaloneRegistry
            entityReference = .passUnretained(known)
            untaggedState = ObjectState(isFault: false, .untracked)
            taggedRow = untaggedState.tagged(OwnedRow.copy(known.defaultRow, layout: known.layout))
            super.init()
            return
        }
        registry = context?.registry ?? ManagedModel.of(entity.managedObjectModel).standaloneRegistry
        guard let found = uncounted(.passUnretained(registry), { $0.model.reference(to: entity) }) else {
            raise(
                .invalidArgument,
                "entity \"\(entity.name ?? "")\" is not in the model of the context's coordinator")
        }
        entityReference = found
        let (objectClass, newRow) = found._withUnsafeGuaranteedRef {
            ($0.classToTake(insteadOf: Self.self), OwnedRow.copy($0.defaultRow, layout: $0.layout))
        }
        let traits = found._withUnsafeGuaranteedRef { $0.traits(of: objectClass) }
        untaggedState = ObjectState(isFault: false, (context?.freshTraits ?? []).union(traits))
        taggedRow = untaggedState.tagged(newRow)
        super.init()
        if objectClass != Self.self { become(objectClass) }
        guard let reference = context.map(Unmanaged.passUnretained) else { return }
        uncounted(reference) { $0.insert(fresh: self) }
    }

    /// Makes an object of the entity that bears this class's name, in the model of the context's coordinator, and inserts it
    /// into the context. Raises if no entity has the class.
    ///
    /// ```swift
    /// let hero = Hero(context: context)
    /// hero.name = "Ann"
    /// ```
    public convenience init(context moc: NSManagedObjectContext) {
        self.init(entity: Self.entity(in: moc), insertInto: moc)
    }

    /// Makes an object outside any context, which no save sees, and logs that the designated initialiser wasn't called:
    /// `init(context:)` makes an object to save.
    ///
    /// Apple's gives an object whose properties can't be used. Here they are those of `entity()`; an object of a class
    /// without an entity in the models in use has none.
    public convenience override init() {
        let (entity, model) = Self.entityOutsideContext()
        self.init(entity: entity, insertInto: nil)
        withExtendedLifetime(model) {}  // An entity doesn't hold its model; the object does from here on.
    }

    deinit {
        endEvent()
        identity = nil
        uncounted(.passUnretained(registry)) {
            $0.unregister(self, table: Int(table), primaryKey: primaryKey)
        }
        releaseRows()
    }

    // MARK: Members that subclasses may override

    /// Indicates that the class's accessors ask each entity for the places that they use, so that they fit every entity, and
    /// that objects of no context are made only while their model is in use: then nothing is looked up for them.
    @_spi(SwiftData)
    open class var asksForPlaces: Bool { false }

    /// Indicates whether a change of a property that the model doesn't know is no reason to
    /// mark the object as changed.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    /// Returns the entity of this class in the models in use; an empty description, and a warning, if there
    /// is none.
    open class func entity() -> NSEntityDescription { entityInUse() }
    /// Returns a request for all objects of the entity of this class.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(entityName: entity().name ?? String(describing: self))
    }

    /// States custom getters, setters and validators of the class by key. Subclasses call `super`.
    ///
    /// ```swift
    /// final class Ruler: NSManagedObject {
    ///     var title: String { "King " + (value(forKey: "name") as? String ?? "") }
    ///
    ///     override class func registerKeys(in keys: inout KeyRegistry) {
    ///         super.registerKeys(in: &keys)
    ///         keys.getter("title") { (ruler: Ruler) in ruler.title }
    ///     }
    /// }
    /// ```
    open class func registerKeys(in keys: inout KeyRegistry) {}

    /// Returns the key paths of whose values a key's value is made: whoever observes the key is told of their changes.
    ///
    /// The class's own are those of `registerKeys(in:)`, and of methods such as `keyPathsForValuesAffectingFullName()` that
    /// the build plugin finds. A key path goes through to-one relationships only.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        KeyRegistry.of(self).entries[key]?.dependsOn ?? []
    }

    /// Returns false: setting a property of the entity's tells observers, in every way of setting it, and a class tells of others itself.
    /// Nothing asks a subclass that overrides it.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }

    /// Returns the key, or several joined with dots, that a Swift key path on this class reads; nil if it
    /// reads none.
    ///
    /// Found by reading the key path on an object made for that. A class that knows better overrides it.
    open class func key(for keyPath: AnyKeyPath) -> String? { probedKey(for: keyPath) }

    /// Called once, when the object was inserted and has its defaults.
    open func awakeFromInsert() {}
    /// Called each time the object's values came from the store.
    open func awakeFromFetch() {}
    /// Called when undo, rollback, refresh or a merge replaced the values.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Called before the object is saved. It may change itself; it is then called again.
    open func willSave() {}
    /// Called after the object was saved, while `isInserted`, `isUpdated` and `isDeleted` still tell what the save did.
    open func didSave() {}
    /// Called when the object is deleted, while its relationships are still there. `isDeleted` says so already.
    open func prepareForDeletion() {}
    /// Called before the object becomes a fault.
    open func willTurnIntoFault() {}
    /// Called after the object became a fault.
    open func didTurnIntoFault() {}

    /// Checks the object before its first save.
    ///
    /// - Throws: the error of the one problem, such as `NSValidationMissingMandatoryPropertyError` (1570);
    ///   `NSValidationMultipleErrorsError` (1560) with all of them under `NSDetailedErrorsKey` if there are
    ///   more.
    open func validateForInsert() throws { try validateAll() }
    /// Checks a changed object before it is saved.
    ///
    /// - Throws: what `validateForInsert()` throws.
    open func validateForUpdate() throws { try validateAll() }
    /// Checks an object before it is deleted: delete rules that deny.
    ///
    /// - Throws: `NSValidationRelationshipDeniedDeleteError` (1600) where a relationship's rule denies.
    open func validateForDelete() throws { try validateDeletion() }
    /// Checks one value for a key, which the model or a registered validator may replace.
    ///
    /// - Parameters:
    ///   - value: the value, which may be replaced.
    ///   - key: the property's name.
    /// - Throws: the validator's own error, or one of the codes from `NSManagedObjectValidationError` (1550)
    ///   on, with object, key and value in the user info.
    open func validateValue(_ value: inout Any?, forKey key: String) throws {
        try validateOrPoint(to: &value, forKey: key)
    }
    /// Checks one value for a key, at the place that Apple's method takes: a subclass may override either of the two. The
    /// value stands there as an object.
    ///
    /// - Parameters:
    ///   - value: the place of the value, which may be replaced.
    ///   - key: the property's name.
    /// - Throws: what the other one throws.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws
    {
        try value.validating { try validateModelled(&$0, forKey: key) }
    }

    /// Returns the value of a property: a custom getter's, else the stored one.
    ///
    /// Fires the fault. `value(checkingKeyPath:)` is for keys from outside, `fulfillFault(forKey:)` for
    /// reading with an error.
    ///
    /// ```swift
    /// let name = hero.value(forKey: "name") as? String
    /// print(name ?? "nameless")
    /// ```
    open func value(forKey key: String) -> Any? { modelledValue(forKey: key) }
    /// Sets a property through its custom setter, else as stored.
    ///
    /// Any numeric type fits a numeric attribute; a value of another type raises: `setValues(checking:)` is
    /// for values from outside.
    ///
    /// ```swift
    /// hero.setValue("Ann", forKey: "name")
    /// hero.setValue(nil, forKey: "birthdate")
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the property's name.
    open func setValue(_ value: Any?, forKey key: String) { setModelledValue(value, forKey: key) }
    /// Called for a key that neither the model nor the class knows. Raises `NSUnknownKeyException`.
    ///
    /// - Returns: what a subclass has for the key.
    open func value(forUndefinedKey key: String) -> Any? { raiseUnknown(key) }
    /// Called for a key that neither the model nor the class knows. Raises `NSUnknownKeyException`.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the key.
    open func setValue(_ value: Any?, forUndefinedKey key: String) { raiseUnknownToSet(key) }

    /// Called by `setValue(_:forKey:)` for nil where the class has a setter of its own that takes a number or a Boolean.
    /// Raises `NSInvalidArgumentException`; a class may set another value instead.
    ///
    /// Not called for properties whose accessors the library supplies (`@NSManaged var count: Int32`): nil is stored, and
    /// read as 0. `setValues(checking:)` throws where this would raise.
    ///
    /// - Parameters:
    ///   - key: the property's name.
    open func setNilValueForKey(_ key: String) { raiseNil(forKey: key) }
    /// Returns the stored value, past custom accessors. A to-many relationship's is an `NSMutableSet` or `NSMutableOrderedSet`;
    /// accessors may change it between `willChangeValue(forKey:)` and `didChangeValue(forKey:)`, which takes the change over.
    ///
    /// Apple's set is the relationship itself; a change without `didChangeValue(forKey:)` isn't taken over here.
    open func primitiveValue(forKey key: String) -> Any? { storedValue(forKey: key) }
    /// Sets the stored value without marking the object as changed. The other side of a to-one relationship follows between
    /// `willChangeValue(forKey:)` and `didChangeValue(forKey:)` only, that of a to-many relationship always.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the property's name.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { setStoredValue(value, forKey: key) }

    /// Called by hand-written getters before they read; fires the fault.
    open func willAccessValue(forKey key: String?) { prepareToRead(.key(key)) }
    /// Called by hand-written getters after they read.
    open func didAccessValue(forKey key: String?) {}
    /// Called by hand-written setters before they write primitively.
    open func willChangeValue(forKey key: String) {
        if marksChange(of: key) { prepareToChange() }
        beginAnnouncedChange(of: key)
        observersWill(key)
    }
    /// Called by hand-written setters after they wrote. The other side of a relationship follows what they set primitively
    /// since `willChangeValue(forKey:)`, or changed in its primitive set.
    open func didChangeValue(forKey key: String) {
        endAnnouncedChange(of: key)
        completeAnnouncedChange(of: key)
    }

    /// Indicates whether the object has changes that are not saved.
    open var hasChanges: Bool {
        noteStatusAccess("hasChanges")
        return state.showsChanges
    }
    /// The state of the object's values: 0 when they are there, non-zero for a fault.
    /// For dependent calculations.
    open var faultingState: Int { isFault ? 1 : 0 }

    /// Returns the values that differ from the last saved ones, by key.
    ///
    /// For a new object: every value that isn't nil. Empty for an object that isn't marked as changed: what
    /// was only set primitively doesn't count.
    ///
    /// ```swift
    /// hero.name = "Ann"
    /// print(hero.changedValues())  // ["name": "Ann"]
    /// ```
    open func changedValues() -> [String: Any] { valuesToSave() }
    /// Returns the values, before the current event, of what the event changed, by key; `NSNull` stands for
    /// nil. An event ends when changes are processed. An insertion has no values before.
    open func changedValuesForCurrentEvent() -> [String: Any] { valuesBeforeEvent() }
    /// Indicates whether there are changes that a save would write: of other than transient properties.
    open var hasPersistentChangedValues: Bool { hasValuesToSave }
    /// Returns the last fetched or saved values of these keys (all if `nil`); `NSNull` stands for nil. Empty
    /// for an object that was never saved.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { savedValues(of: keys) }
    /// Returns whether a relationship's objects are yet to be read. Doesn't fire the fault.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isUnread(key) }
    /// Returns the IDs on the other side of a relationship. Members that weren't read yet are read as IDs alone, and the
    /// relationship stays a fault.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { memberIDs(key) }
    /// Called by hand-written to-many accessors before they change the set primitively.
    ///
    /// - Parameters:
    ///   - inKey: the relationship's name.
    ///   - inMutationKind: how the set will change.
    ///   - inObjects: the objects that it will change by.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) { beginMutation(forKey: inKey, withSetMutation: inMutationKind, using: inObjects) }
    /// Called by hand-written to-many accessors after they changed the set primitively.
    ///
    /// - Parameters:
    ///   - inKey: the relationship's name.
    ///   - inMutationKind: how the set changed.
    ///   - inObjects: the objects that it changed by.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) { endMutation(forKey: inKey, withSetMutation: inMutationKind, using: inObjects) }

    open func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {}

    open override func isEqual(_ object: Any?) -> Bool { isReference(self, in: object) }
    open override var hash: Int { Int(bitPattern: ObjectIdentifier(self)) }
    open override var description: String { fullDescription }
}

extension NSManagedObject {
    /// The present state of the object.
    @inline(__always)
    final var state: ObjectState {
        get { untaggedState }
        set {
            taggedRow = newValue.retagged(taggedRow, from: untaggedState)
            untaggedState = newValue
        }
    }

    /// The current values: shared with `slab` or `committed` until the first change.
    @inline(__always)
    final var row: UnsafeMutablePointer<UInt64> {
        // An address of a row, which is never 0.
        get { UnsafeMutablePointer(bitPattern: taggedRow & ~3).unsafelyUnwrapped }
        set { taggedRow = UInt(bitPattern: newValue) | taggedRow & 3 }
    }
}
