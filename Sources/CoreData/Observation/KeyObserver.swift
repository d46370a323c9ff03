// One closure that observes one key of one object.

import Foundation

/// A closure with the key that it observes and the keys that this one's value depends on.
final class KeyObserver {
    let key: String
    /// Changes of these count as changes of `key`.
    let affecting: Set<String>
    let options: NSKeyValueObservingOptions
    private let handler: (NSManagedObject, NSKeyValueObservedChange<Any>) -> Void
    /// Ended observers may still be in a list that is being gone through.
    var isActive = true

    init(
        _ key: String, affecting: Set<String>, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping (NSManagedObject, NSKeyValueObservedChange<Any>) -> Void
    ) {
        self.key = key
        self.affecting = affecting
        self.options = options
        self.handler = handler
    }

    /// Whether it is a flag such as `isDeleted` that is observed.
    var isOfStatus: Bool { ObservedStatus.keys.contains(key) }

    func concerns(_ key: String) -> Bool { key == self.key || affecting.contains(key) }

    func call(_ object: NSManagedObject, _ change: NSKeyValueObservedChange<Any>) {
        if isActive { handler(object, change) }
    }

    func callInitially(_ object: NSManagedObject) {
        let value = options.contains(.new) ? object.value(forKey: key) : nil
        call(object, .init(kind: .setting, newValue: value, oldValue: nil, indexes: nil, isPrior: false))
    }
}

/// How a value changes.
enum KeyMutation {
    case setting
    case insertion([NSManagedObject], at: Int?)
    case removal([NSManagedObject], at: Int?)

    var kind: NSKeyValueChange {
        switch self {
        case .setting: .setting
        case .insertion: .insertion
        case .removal: .removal
        }
    }

    var indexes: IndexSet? {
        switch self {
        case .insertion(let objects, let first?), .removal(let objects, let first?):
            IndexSet(integersIn: first..<first + objects.count)
        default: nil
        }
    }
}
