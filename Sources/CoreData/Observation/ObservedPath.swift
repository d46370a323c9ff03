// Observes a path such as `company.name`: each object on the way, and the other ones when the way changes.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// The observers of one key path, one for each object on it.
final class ObservedPath {
    private let path: String
    private let keys: [String]
    private weak var root: NSManagedObject?
    private let options: NSKeyValueObservingOptions
    private let handler: (NSManagedObject, NSKeyValueObservedChange<Any>) -> Void
    private var links: [NSKeyValueObservation] = []
    private var lastValue: Any?
    private var isActive = true

    init(
        _ path: String, of root: NSManagedObject, options: NSKeyValueObservingOptions,
        handler: @escaping (NSManagedObject, NSKeyValueObservedChange<Any>) -> Void
    ) {
        self.path = path
        self.root = root
        self.options = options
        self.handler = handler
        keys = path.split(separator: ".").map(String.init)
        attach()
        lastValue = value()
        if options.contains(.initial) {
            call(nil, new: options.contains(.new) ? lastValue : nil, isPrior: false)
        }
    }

    func end() {
        isActive = false
        for link in links { link.invalidate() }
        links.removeAll()
    }

    /// Observes each object that is on the way at the moment.
    private func attach() {
        for link in links { link.invalidate() }
        links.removeAll()
        var next = root
        for (number, key) in keys.enumerated() {
            guard let object = next else { return }
            next = number < keys.count - 1 ? target(of: key, in: object) : nil
            links.append(
                object.startObserving(key, options: options.intersection(.prior)) { [weak self] _, change in
                    self?.changed(isPrior: change.isPrior)
                })
        }
    }

    /// The next object on the way; nil where it ends: at nil, or at an attribute with elements.
    private func target(of key: String, in object: NSManagedObject) -> NSManagedObject? {
        switch object.runtime.property(key)?.kind {
        case .toOne: return object.value(forKey: key) as? NSManagedObject
        case .composite: return nil
        default:
            raise(
                .invalidArgument,
                "\"\(path)\" can't be observed: \"\(key)\" of entity \"\(object.runtime.name)\" is no "
                    + "to-one relationship")
        }
    }

    private func changed(isPrior: Bool) {
        guard isActive else { return }
        let old = options.contains(.old) ? lastValue : nil
        if isPrior { return call(old, new: nil, isPrior: true) }
        attach()
        lastValue = value()
        call(old, new: options.contains(.new) ? lastValue : nil, isPrior: false)
    }

    /// The value at the end, read only if somebody wants values.
    private func value() -> Any? {
        options.isDisjoint(with: [.old, .new]) ? nil : root?.value(forKeyPath: path)
    }

    private func call(_ old: Any?, new: Any?, isPrior: Bool) {
        guard let root else { return }
        handler(root, .init(kind: .setting, newValue: new, oldValue: old, indexes: nil, isPrior: isPrior))
    }
}
