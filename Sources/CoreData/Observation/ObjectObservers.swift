// The observers of one object: closures by key, and Swift's Observation. Exists for observed objects only.

import CoreDataSchema
import Foundation
import Observation

/// The observers of one object with the changes that are under way.
final class ObjectObservers {
    private(set) var closures: [KeyObserver] = []
    /// Made when somebody first reads while the context tracks observation.
    private(set) var registrar: ObservationRegistrar?
    /// The signal that is sent before any change, whatever its key.
    var signal: ChangeSignal?
    /// The observers that were added with a key path.
    var added: AddedObservers?
    /// Keys that were read since then.
    private(set) var accessed: Set<String> = []
    /// Keys between will and did, outermost only.
    private var changing: [String: Change] = [:]
    /// The mutation of a set or ordered set that hand-written code announced.
    var mutation: KeyMutation?
    /// The flags that observers last saw.
    var status = ObservedStatus()
    /// Indicates that all values are being replaced, which is told as a whole.
    var isReplacing = false

    /// A change between will and did.
    private struct Change {
        var depth = 1
        let mutation: KeyMutation
        let concerned: [(observer: KeyObserver, oldValue: Any?)]
    }

    /// Indicates that a read was told to Swift's Observation though the context doesn't track it.
    var isReadOutside = false

    var isEmpty: Bool { closures.isEmpty && signal == nil && !isReadOutside }

    /// Keys whose changes somebody wants to know of.
    var keys: Set<String> {
        closures.reduce(into: accessed) { keys, observer in
            keys.insert(observer.key)
            keys.formUnion(observer.affecting)
        }
    }

    func add(_ observer: KeyObserver) { closures.append(observer) }

    func remove(_ observer: KeyObserver) {
        observer.end()
        closures.removeAll { $0 === observer }
    }

    // MARK: Changes

    func willChange(_ key: String, mutation: KeyMutation, object: NSManagedObject) {
        // It concerns this change alone, even if nobody is told of it.
        let mutation = self.mutation ?? mutation
        self.mutation = nil
        if isReplacing { return }
        if changing[key] != nil {
            changing[key]?.depth += 1
            return
        }
        signal?.send()
        let concerned = closures.filter { $0.concerns(key) }.map { observer in
            let wantsOld = observer.options.contains(.old)
            return (
                observer,
                wantsOld ? Self.oldValue(observer, key: key, mutation: mutation, object: object) : nil
            )
        }
        changing[key] = Change(mutation: mutation, concerned: concerned)
        if accessed.contains(key) { registrar?.willSet(object, keyPath: object.observationPath(key)) }
        for (observer, oldValue) in concerned where observer.options.contains(.prior) {
            let own = observer.key == key
            observer.call(
                object,
                change: .init(
                    kind: own ? mutation.kind : .setting, newValue: nil, oldValue: oldValue,
                    indexes: own ? mutation.indexes : nil, isPrior: true))
        }
    }

    func didChange(_ key: String, object: NSManagedObject) {
        guard !isReplacing, let change = changing[key] else { return }
        if change.depth > 1 {
            changing[key]?.depth -= 1
            return
        }
        changing[key] = nil
        if accessed.contains(key) { registrar?.didSet(object, keyPath: object.observationPath(key)) }
        if change.concerned.isEmpty { return }
        deliver(object) {
            for (observer, oldValue) in change.concerned {
                Self.tell(observer, key: key, mutation: change.mutation, oldValue: oldValue, object: object)
            }
        }
    }

    private func deliver(_ object: NSManagedObject, call: @escaping () -> Void) {
        if let context = object.registry.context { context.delivery.deliver(call) } else { call() }
    }

    private static func tell(
        _ observer: KeyObserver, key: String, mutation: KeyMutation, oldValue: Any?,
        object: NSManagedObject
    ) {
        let own = observer.key == key
        var newValue: Any?
        if observer.isActive, observer.options.contains(.new) {
            switch own ? mutation : .setting {
            case .setting: newValue = object.value(forKey: observer.key)
            case .insertion(let objects, _): newValue = collection(objects, isOrdered: object.isOrdered(key))
            case .removal, .announced(.removal, _): break
            case .announced(_, let indexes): newValue = members(at: indexes, key: key, object: object)
            }
        }
        observer.call(
            object,
            change: .init(
                kind: own ? mutation.kind : .setting, newValue: newValue, oldValue: oldValue,
                indexes: own ? mutation.indexes : nil, isPrior: false))
    }

    private static func oldValue(
        _ observer: KeyObserver, key: String, mutation: KeyMutation, object: NSManagedObject
    ) -> Any? {
        switch observer.key == key ? mutation : .setting {
        case .setting: object.value(forKey: observer.key)
        case .insertion, .announced(.insertion, _): nil
        case .removal(let objects, _): collection(objects, isOrdered: object.isOrdered(key))
        case .announced(_, let indexes): members(at: indexes, key: key, object: object)
        }
    }

    /// The present members at places of an ordered relationship; places that aren't there are left out.
    private static func members(at indexes: IndexSet, key: String, object: NSManagedObject) -> Any? {
        guard let members = object.value(forKey: key) as? NSOrderedSet else { return nil }
        let places = indexes.filter { $0 < members.count }
        return NSOrderedSet(array: places.map { members.object(at: $0) })
    }

    private static func collection(_ objects: [NSManagedObject], isOrdered: Bool) -> NSObject {
        isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    // MARK: Changes of many values at once

    /// The old values that observers want, before values are replaced.
    func oldValues(_ object: NSManagedObject) -> [ObjectIdentifier: Any] {
        var values: [ObjectIdentifier: Any] = [:]
        for observer in closures where observer.options.contains(.old) && !observer.isOfStatus {
            values[ObjectIdentifier(observer)] = object.value(forKey: observer.key)
        }
        return values
    }

    /// Tells everybody of keys whose values were replaced, each observer once.
    func changed(
        _ keys: Set<String>, from oldValues: [ObjectIdentifier: Any], object: NSManagedObject
    ) {
        if keys.isEmpty { return }
        if let registrar {
            for key in keys.intersection(accessed) {
                let path = object.observationPath(key)
                registrar.willSet(object, keyPath: path)
                registrar.didSet(object, keyPath: path)
            }
        }
        let concerned = closures.filter { observer in keys.contains(where: observer.concerns) }
        if concerned.isEmpty { return }
        deliver(object) {
            for observer in concerned {
                let oldValue = oldValues[ObjectIdentifier(observer)]
                if observer.options.contains(.prior) {
                    observer.call(
                        object,
                        change: .init(
                            kind: .setting, newValue: nil, oldValue: oldValue, indexes: nil, isPrior: true))
                }
                Self.tell(observer, key: observer.key, mutation: .setting, oldValue: oldValue, object: object)
            }
        }
    }

    /// Tells observers of flags that differ from what they last saw.
    func announceStatus(of object: NSManagedObject) {
        let before = status
        status = ObservedStatus(object)
        // Views that show the object must hear of its deletion. Other flags change with values, which were told of.
        if status.isDeleted != before.isDeleted { signal?.send() }
        for key in status.keys(differingFrom: before) {
            var oldValues: [ObjectIdentifier: Any] = [:]
            for observer in closures where observer.key == key && observer.options.contains(.old) {
                oldValues[ObjectIdentifier(observer)] = before.value(key)
            }
            changed([key], from: oldValues, object: object)
        }
    }

    // MARK: Reads

    /// Tells Swift's Observation that a value is read.
    func access(_ key: String, object: NSManagedObject) {
        let registrar = self.registrar ?? ObservationRegistrar()
        self.registrar = registrar
        accessed.insert(key)
        registrar.access(object, keyPath: object.observationPath(key))
    }
}

extension NSManagedObject {
    /// Returns whether a key is that of an ordered relationship.
    fileprivate final func isOrdered(_ key: String) -> Bool {
        runtime.property(key)?.relation?.isOrdered ?? false
    }
}
