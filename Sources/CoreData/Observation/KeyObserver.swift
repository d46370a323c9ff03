// One closure that observes one key of one object.

import Foundation

/// A closure with the key that it observes and the keys that this one's value depends on.
final class KeyObserver {
    let key: String
    /// Changes of these count as changes of `key`.
    let affecting: Set<String>
    let options: NSKeyValueObservingOptions
    private let handler: (NSManagedObject, NSKeyValueObservedChange<Any>) -> Void
    /// The observations of key paths of other objects that the value depends on.
    private var links: [NSKeyValueObservation] = []
    /// The value before a change of those, if the closure wants it.
    private var valueBefore: Any?
    /// Ended observers may still be in a list that is being gone through.
    private(set) var isActive = true

    init(
        _ key: String, affecting: Set<String>, options: NSKeyValueObservingOptions,
        handler: @escaping (NSManagedObject, NSKeyValueObservedChange<Any>) -> Void
    ) {
        self.key = key
        self.affecting = affecting
        self.options = options
        self.handler = handler
    }

    /// Indicates whether it is a flag such as `isDeleted` that is observed.
    var isOfStatus: Bool { ObservedStatus.keys.contains(key) }

    func concerns(_ key: String) -> Bool { key == self.key || affecting.contains(key) }

    func call(_ object: NSManagedObject, change: NSKeyValueObservedChange<Any>) {
        if isActive { handler(object, change) }
    }

    func end() {
        isActive = false
        links.removeAll()
    }

    /// Counts changes of key paths such as `company.name` as changes of the key.
    func follow(_ paths: [String], of object: NSManagedObject) {
        let isTold = options.isDisjoint(with: [.old, .prior]) ? NSKeyValueObservingOptions() : .prior
        links = paths.map { path in
            object.startObserving(path, options: isTold) { [weak self] object, change in
                self?.pathChanged(object, isPrior: change.isPrior)
            }
        }
    }

    private func pathChanged(_ object: NSManagedObject, isPrior: Bool) {
        guard isActive else { return }
        if isPrior { valueBefore = options.contains(.old) ? object.value(forKey: key) : nil }
        if isPrior && !options.contains(.prior) { return }
        let value = !isPrior && options.contains(.new) ? object.value(forKey: key) : nil
        call(
            object,
            change: .init(
                kind: .setting, newValue: value, oldValue: valueBefore, indexes: nil, isPrior: isPrior))
    }

    func callInitially(_ object: NSManagedObject) {
        let value = options.contains(.new) ? object.value(forKey: key) : nil
        call(
            object,
            change: .init(kind: .setting, newValue: value, oldValue: nil, indexes: nil, isPrior: false))
    }
}

/// The way in which a value changes.
enum KeyMutation {
    case setting
    case insertion([NSManagedObject], at: Int?)
    case removal([NSManagedObject], at: Int?)
    /// Announced by hand-written code: an insertion, removal or replacement at these places of an ordered relationship.
    case announced(NSKeyValueChange, at: IndexSet)

    var kind: NSKeyValueChange {
        switch self {
        case .setting: .setting
        case .insertion: .insertion
        case .removal: .removal
        case .announced(let kind, _): kind
        }
    }

    var indexes: IndexSet? {
        switch self {
        case .insertion(let objects, let first?), .removal(let objects, let first?):
            IndexSet(integersIn: first..<first + objects.count)
        case .announced(_, let indexes): indexes
        default: nil
        }
    }
}

extension KeyMutation {
    /// The change of an ordered relationship's members from one array to another: an insertion, a removal or a replacement at
    /// places, or a setting if it is none of them.
    init(from old: [NSManagedObject], to new: [NSManagedObject]) {
        let (before, after) = (Set(old.map(ObjectIdentifier.init)), Set(new.map(ObjectIdentifier.init)))
        let added = new.indices.filter { !before.contains(ObjectIdentifier(new[$0])) }
        let removed = old.indices.filter { !after.contains(ObjectIdentifier(old[$0])) }
        let keepsOrder = old.lazy.filter { after.contains(ObjectIdentifier($0)) }
            .elementsEqual(new.lazy.filter { before.contains(ObjectIdentifier($0)) }, by: ===)
        if keepsOrder, removed.isEmpty, !added.isEmpty {
            self = .announced(.insertion, at: IndexSet(added))
        } else if keepsOrder, added.isEmpty, !removed.isEmpty {
            self = .announced(.removal, at: IndexSet(removed))
        } else if old.count == new.count, !old.elementsEqual(new, by: ===) {
            self = .announced(.replacement, at: IndexSet(old.indices.filter { old[$0] !== new[$0] }))
        } else {
            self = .setting
        }
    }
}
