// The places where objects tell their observers: around each change, around what replaces all values, and at reads.
// All of it is behind one flag, which objects without observers don't have.

import CoreDataSchema
import CoreDataSupport
import Foundation
public import Observation

/// Objects of a context with `tracksObservation` take part in Swift's Observation; others never say anything.
extension NSManagedObject: Observable {}

extension NSManagedObject {
    // MARK: One change

    /// Called before the value of a key changes.
    @inline(__always)
    final func observersWill(
        _ key: @autoclosure () -> String, mutation: @autoclosure () -> KeyMutation = .setting
    ) {
        if state.traits.contains(.observed) {
            extras?.observers?.willChange(key(), mutation: mutation(), object: self)
        }
    }

    /// Called after the value of a key changed.
    @inline(__always)
    final func observersDid(_ key: @autoclosure () -> String) {
        if state.traits.contains(.observed) { extras?.observers?.didChange(key(), object: self) }
    }

    /// Called when flags such as `isDeleted` may have changed.
    @inline(__always)
    final func announceStatus() {
        if state.traits.contains(.observed) { extras?.observers?.announceStatus(of: self) }
    }

    /// Called while both sides of a relationship are set, which observers see as one change.
    @inline(__always)
    final func asOneChange(_ body: () -> Void) {
        guard let delivery = withContext({ $0.delivery }) else { return body() }
        delivery.begin()
        body()
        delivery.end()
    }

    // MARK: All values at once

    /// Replaces values as a refresh, a rollback or a merge does, and tells observers once of each that differs
    /// afterwards.
    final func replacingValues(_ body: () -> Void) {
        let before = beginReplacing()
        body()
        endReplacing(before)
    }

    /// Holds observers back while values are replaced; what `endReplacing` compares with, `nil` if nobody observes.
    final func beginReplacing() -> ReplacedValues? {
        guard state.traits.contains(.observed), !state.isFault, let observers = extras?.observers,
            !observers.isReplacing
        else { return nil }
        observers.signal?.send()
        let values = ReplacedValues(
            comparable: comparableValues(observers.keys), observed: observers.oldValues(self))
        observers.isReplacing = true
        return values
    }

    /// Tells observers once of each value that differs by now.
    final func endReplacing(_ before: ReplacedValues?) {
        guard let before, let observers = extras?.observers else { return announceStatus() }
        observers.isReplacing = false
        let keys = observers.keys
        let changed: Set<String>
        if state.isFault {
            // Indicates whether a value differs isn't known before it is read.
            changed = keys.subtracting(ObservedStatus.keys)
        } else {
            let after = comparableValues(keys)
            changed = Set(
                before.comparable.keys.filter {
                    !Self.areSame(before.comparable[$0] ?? nil, and: after[$0] ?? nil)
                })
        }
        observers.changed(changed, from: before.observed, object: self)
        observers.announceStatus(of: self)
    }

    /// Changes values that hand-written code tells observers of itself.
    final func withoutTelling(_ body: () -> Void) {
        guard let observers = extras?.observers, !observers.isReplacing else { return body() }
        observers.isReplacing = true
        body()
        observers.isReplacing = false
    }

    /// Stored values of modelled keys; of to-many relationships only what was read or changed.
    private final func comparableValues(_ keys: Set<String>) -> [String: Any?] {
        var values: [String: Any?] = [:]
        for key in keys {
            guard let property = runtime.property(key) else { continue }
            switch property.kind {
            case .toMany(let relation):
                let members = extras?.relations[relation.number] as? ToMany
                values[key] = .some(members.flatMap(KnownMembers.init))
            case .fetched: break
            default: values[key] = .some(storedValue(property))
            }
        }
        return values
    }

    private static func areSame(_ left: Any?, and right: Any?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left as KnownMembers, let right as KnownMembers): left == right
        case (let left as NSManagedObject, let right as NSManagedObject): left === right
        case (let left?, let right?): Value(left) == Value(right)
        default: false
        }
    }

    // MARK: Reads

    /// Called by the slow path of every read.
    final func noteAccess(_ access: PropertyAccess) {
        if let probe = extras?.probe { return probe.note(access, of: self) }
        guard let context = registry.context, context.tracksObservation, let key = key(of: access) else {
            return
        }
        observers.access(key, object: self)
    }

    /// Called by getters of flags.
    @inline(__always)
    final func noteStatusAccess(_ key: @autoclosure () -> String) {
        if state.traits.contains(.observed) { noteAccess(.key(key())) }
    }

    /// Returns the key path that stands for a key in Swift's Observation.
    final func observationPath(_ key: String) -> KeyPath<NSManagedObject, Any?> {
        runtime.propertyNumbers[key].map { runtime.observationPaths[$0] } ?? \NSManagedObject[key]
    }

    // MARK: The observers

    /// The object's observers, made when first asked for.
    final var observers: ObjectObservers {
        let extras = ensureExtras()
        if let observers = extras.observers { return observers }
        let made = ObjectObservers()
        made.status = ObservedStatus(self)
        extras.observers = made
        return made
    }

    /// Marks the object as tracked if it must report its reads and changes.
    final func updateTracking() {
        let isTracked = registry.context?.tracksObservation == true || extras?.observers?.isEmpty == false
        if isTracked { state.insert(.observed) } else { state.remove(.observed) }
    }
}

/// The facts that are known of a to-many relationship's members without reading them.
private struct KnownMembers: Equatable {
    private var order: [ObjectIdentifier] = []
    private var members: Set<ObjectIdentifier> = []
    private var removed: Set<ObjectIdentifier> = []
    private let isLoaded: Bool

    /// `nil` if nothing was read or changed.
    init?(_ relationship: ToMany) {
        isLoaded = relationship.isLoaded
        if !isLoaded {
            if !relationship.isChanged { return nil }
            members = Set(relationship.added.map(ObjectIdentifier.init))
            removed = Set(relationship.removed.map(ObjectIdentifier.init))
        } else if relationship.relation.isOrdered {
            order = relationship.objects.map(ObjectIdentifier.init)
        } else {
            members = Set(relationship.objects.map(ObjectIdentifier.init))
        }
    }
}

extension NSManagedObjectContext {
    /// Indicates whether reads and changes of the context's objects take part in Swift's Observation.
    /// `withObservationTracking` then tracks whatever its first closure reads of them: values, relationships
    /// and flags such as `isDeleted`. False by default, and then costs nothing.
    ///
    /// To observe a few objects without this, see `observe(_:options:changeHandler:)` of `NSManagedObject`.
    public final var tracksObservation: Bool {
        get { freshTraits.contains(.observed) }
        set {
            if newValue == tracksObservation { return }
            freshTraits.formSymmetricDifference(.observed)
            for object in registeredIfAny { object.updateTracking() }
        }
    }
}
