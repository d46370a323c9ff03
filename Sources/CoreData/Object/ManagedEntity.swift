// An entity of a model in use with its description and the class of its objects.

import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// The knowledge of objects and contexts about an entity beside the contents of rows.
///
/// Unchecked because everything is set before the model's runtime is handed out, but for the class, which is
/// behind a lock.
final class ManagedEntity: EntityRuntime, @unchecked Sendable {
    /// Sound because the model's description, which `model` holds, owns it.
    let descriptionReference: Unmanaged<NSEntityDescription>
    var description: NSEntityDescription { descriptionReference._withUnsafeGuaranteedRef { $0 } }
    /// Owns the entity: sound because whoever has an entity holds its model, as `ObjectRegistry` and `IDOrigin` do, which the
    /// address sanitizer watches (Scripts/test --long).
    private let modelReference: Unmanaged<ManagedModel>
    var model: ManagedModel { modelReference._withUnsafeGuaranteedRef { $0 } }
    /// The properties' descriptions, by the properties' numbers.
    let descriptions: [NSPropertyDescription]
    /// The key path that stands for each property in Swift's Observation.
    let observationPaths: [KeyPath<NSManagedObject, Any?>]
    private let retired = Mutex<[ClassBinding]>([])
    private let classBinding = Atomic<Unmanaged<ClassBinding>?>(nil)
    private let warnedOfFields = Atomic(false)
    /// The traits of the class in `classBinding`.
    private let boundTraits = Atomic<UInt32>(ObjectTraits.layoutMismatch.rawValue)

    /// The address of the class that was last found to stand for the entity; 0 for none.
    private let notedClass = Atomic<UInt>(0)

    /// The class of an entity's objects with what it states by key.
    final class ClassBinding: Sendable {
        let objectClass: NSManagedObject.Type
        let initializer: ObjectInitializer
        /// Custom accessors and validators. Unsafe only in name: never changed after `init`.
        nonisolated(unsafe) let keys: [String: KeyRegistry.Entry]
        let cache: KeyCache
        let overrides: ClassOverrides
        /// The properties whose values a save must look at: not those for which neither the model nor the class can
        /// object to any value.
        let validated: [PropertyRuntime]
        /// For each property whose row shows that it is valid, what to look at.
        let sightChecks: [SightCheck?]
        /// Those of `validated`, if there are no others among these.
        private let allSightChecks: [SightCheck]?
        /// Indicates whether a delete rule may forbid that an object is deleted.
        let mayDeny: Bool
        /// The class's answers for the keys that were observed.
        private let affecting = Mutex<[String: Set<String>]>([:])
        /// The traits that objects of the class start with: `layoutMismatch` unless its accessors fit the entity.
        let traits: ObjectTraits

        init(_ objectClass: NSManagedObject.Type, entity: ManagedEntity) {
            self.objectClass = objectClass
            initializer = ObjectInitializer(of: objectClass)
            let registry = KeyRegistry.of(objectClass)
            let keys = registry.entries
            let overrides = ClassOverrides(of: objectClass)
            self.keys = keys
            cache = KeyCache(keys: keys.count + entity.properties.count)
            self.overrides = overrides
            validated = entity.properties.filter { property in
                overrides.contains(.validateValue) || !property.acceptsAnything
                    || keys[property.name]?.validate != nil
            }
            let sightChecks = entity.properties.map { property in
                overrides.contains(.validateValue) || !property.schema.validation.isEmpty
                    || keys[property.name]?.validate != nil ? nil : SightCheck(property)
            }
            self.sightChecks = sightChecks
            let checks = validated.compactMap { sightChecks[$0.number] }
            allSightChecks = checks.count == validated.count ? checks : nil
            mayDeny = entity.relations.contains { $0.traits.deleteRule == .deny }
            let fits = objectClass.asksForPlaces || registry.fits(entity, objectClass: objectClass)
            traits = fits ? [] : .layoutMismatch
        }

        /// Returns whether the row alone shows that all of an object's values are valid.
        func areValidAtSight(_ row: UnsafeMutablePointer<UInt64>) -> Bool {
            allSightChecks?.allSatisfy { $0.holds(for: row) } ?? false
        }

        /// Returns whether a call that a save makes to each object does anything for this class.
        func answers(_ call: ClassOverrides) -> Bool {
            if overrides.contains(call) { return true }
            return switch call {
            case .validateForInsert, .validateForUpdate: !validated.isEmpty
            case .validateForDelete: mayDeny
            default: false
            }
        }

        /// The key paths whose changes change the value of a key, directly or through others. The class is asked once.
        func pathsAffecting(_ key: String) -> Set<String> {
            if let known = affecting.withLock({ $0[key] }) { return known }
            var found: Set<String> = []
            var work = objectClass.keyPathsForValuesAffectingValue(forKey: key)
            while let next = work.popFirst() {
                guard found.insert(next).inserted, !next.contains(".") else { continue }
                work.formUnion(objectClass.keyPathsForValuesAffectingValue(forKey: next))
            }
            found.remove(key)
            affecting.withLock { $0[key] = found }
            return found
        }
    }

    init(_ entity: ModelIndex.Entity, number: Int, description: NSEntityDescription, model: ManagedModel) {
        descriptionReference = .passUnretained(description)
        modelReference = .passUnretained(model)
        let byName = description.propertiesByName
        let names = PropertyRuntime.names(of: entity)
        descriptions = names.compactMap { byName[$0] }
        invariant(descriptions.count == names.count, "each property of a model in use has its description")
        observationPaths = names.map { \NSManagedObject[$0] }
        super.init(entity, number: number, model: model)
        for slot in layout.slots {
            guard let value = slot.attribute?.defaultValue, value != .null else { continue }
            SlotValue.store(value, slot: slot, in: defaultRow)
        }
        description.runtime = self
    }

    /// Returns whether the entity is one of a model's.
    @inline(__always)
    func isOf(_ model: ManagedModel) -> Bool {
        modelReference.toOpaque() == Unmanaged.passUnretained(model).toOpaque()
    }

    func detach() {
        // The model may be in use again, with another runtime.
        if description.runtime === self { description.runtime = nil }
    }

    /// The description of a property.
    func description(ofProperty name: String) -> NSPropertyDescription? {
        propertyNumbers[name].map { descriptions[$0] }
    }

    // MARK: Class

    /// The class of the entity's objects and its custom keys.
    var binding: ClassBinding {
        if let bound = classBinding.load(ordering: .acquiring) { return bound.takeUnretainedValue() }
        return bind(ObjectClasses.find(description))
    }

    /// Returns whether the row alone shows that all values of an object are valid.
    func areValidAtSight(_ row: UnsafeMutablePointer<UInt64>) -> Bool {
        let bound = classBinding.load(ordering: .acquiring) ?? .passUnretained(binding)
        return bound._withUnsafeGuaranteedRef { $0.areValidAtSight(row) }
    }

    /// Returns the property that was kept for a key; valid as long as the entity.
    @inline(__always)
    func kept(_ key: String) -> Unmanaged<KeyedProperty>? {
        classBinding.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.cache.find(key) }
    }

    var objectClass: NSManagedObject.Type { binding.objectClass }

    /// Returns whether the entity's class was asked for already and is this one.
    @inline(__always)
    func isBound(to objectClass: NSManagedObject.Type) -> Bool {
        classBinding.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.objectClass == objectClass }
            ?? false
    }

    /// True once.
    var isFirstWarningOfFields: Bool { !warnedOfFields.exchange(true, ordering: .relaxed) }

    /// The traits that objects of the entity's class start with. Only once the class has been asked for.
    var classTraits: ObjectTraits { ObjectTraits(rawValue: boundTraits.load(ordering: .relaxed)) }

    /// The traits that an object of any class starts with. A client may make one of another than the entity's.
    func traits(of objectClass: NSManagedObject.Type) -> ObjectTraits {
        if let bound = classBinding.load(ordering: .acquiring) {
            let traits = bound._withUnsafeGuaranteedRef { $0.objectClass == objectClass ? $0.traits : nil }
            if let traits { return traits }
        }
        let bound = binding
        if bound.objectClass == objectClass { return bound.traits }
        return retired.withLock { known in
            if let known = known.first(where: { $0.objectClass == objectClass }) { return known.traits }
            let made = ClassBinding(objectClass, entity: self)
            known.append(made)
            return made.traits
        }
    }

    /// Takes note that a class was found to stand for the entity.
    func note(_ objectClass: NSManagedObject.Type) {
        notedClass.store(UInt(bitPattern: ObjectIdentifier(objectClass)), ordering: .releasing)
    }

    /// Returns whether the class is the one that was last found to stand for the entity.
    func isNoted(for objectClass: NSManagedObject.Type) -> Bool {
        notedClass.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(objectClass))
    }

    /// Notes the class that a client uses for the entity, where the model's name alone didn't lead to it.
    func noteClass(_ candidate: NSManagedObject.Type) {
        guard candidate != NSManagedObject.self else { return }
        let bound = classBinding.load(ordering: .acquiring)
        // Asked with every fetch; names of classes cost.
        if let bound, bound._withUnsafeGuaranteedRef({ $0.objectClass != NSManagedObject.self }) { return }
        guard LoadedClasses.name(description.managedObjectClassName, denotes: candidate) else { return }
        if bound == nil, case .found(let objectClass) = ObjectClasses.find(description.managedObjectClassName)
        {
            _ = bind(objectClass)
            return
        }
        _ = bind(candidate)
    }

    /// Bindings are never freed before the runtime: an accessor on another thread may still look at the old one.
    private func bind(_ objectClass: NSManagedObject.Type) -> ClassBinding {
        let binding = ClassBinding(objectClass, entity: self)
        retired.withLock { $0.append(binding) }
        boundTraits.store(binding.traits.rawValue, ordering: .relaxed)
        classBinding.store(Unmanaged.passUnretained(binding), ordering: .releasing)
        return binding
    }
}

extension EntityRuntime {
    /// The entity with its class: each one that objects are made of is a `ManagedEntity`.
    final var managed: ManagedEntity { unsafeDowncast(self, to: ManagedEntity.self) }
}

/// A look at a row that tells whether a value is valid, where presence and width are all that counts.
struct SightCheck {
    private let index: Int
    private let word: Int
    private let kind: SlotKind
    private let mayBeNil: Bool

    /// - Returns: nil for a property whose value isn't in the row alone.
    init?(_ property: PropertyRuntime) {
        switch property.kind {
        case .attribute(let slot):
            (index, word, kind, mayBeNil) = (slot.index, slot.word, slot.kind, property.mayBeNil)
        case .toOne(let slot, let relation):
            (index, word, kind, mayBeNil) = (slot.index, slot.word, slot.kind, relation.isOptional)
        case .composite, .toMany, .fetched: return nil
        }
    }

    @inline(__always)
    func holds(for row: UnsafeMutablePointer<UInt64>) -> Bool {
        if RowPointer(row, slab: nil).isNull(index) { return mayBeNil }
        let value = Int64(bitPattern: row[word])
        return switch kind {
        case .integer16: Int16(exactly: value) != nil
        case .integer32: Int32(exactly: value) != nil
        default: true
        }
    }
}
