// The initialisers that give `NSSortDescriptor` a key.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

/// What `NSSortDescriptor` conforms to, so that its initialisers can return our subclass. Nothing else should
/// conform.
public protocol SortInitializing {}

extension NSSortDescriptor: SortInitializing {}

extension SortInitializing {
    /// Sorts by the value at a key path; by the objects themselves when `key` is nil.
    public init(key: String?, ascending: Bool) {
        self = Self.cast(KeySortDescriptor(SortKey(key ?? SortKey.evaluatedObject, ascending: ascending)))
    }

    /// Sorts by the value at a key path, compared by the named method.
    public init(key: String?, ascending: Bool, selector: SortSelector?) {
        let comparison = selector?.comparison ?? .compare
        self = Self.cast(
            KeySortDescriptor(
                SortKey(key ?? SortKey.evaluatedObject, ascending: ascending, comparison: comparison)))
    }

    /// Sorts by the value at a key path, compared by a closure, which no SQLite store can use.
    public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self = Self.cast(
            KeySortDescriptor(
                SortKey(key ?? SortKey.evaluatedObject, ascending: ascending), closure: comparator))
    }

    /// Sorts by a Swift key path whose values have no order of their own in Swift, such as optional ones.
    ///
    /// - Precondition: the root knows its keys, as managed objects do (`KeyPathNaming`).
    public init<Root: KeyPathNaming, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        guard let key = Root.key(for: keyPath) else {
            raise(.invalidArgument, "\(Root.self) knows no key for \(keyPath)")
        }
        self.init(key: key, ascending: ascending)
    }

    static func cast(_ descriptor: NSSortDescriptor) -> Self {
        guard let descriptor = descriptor as? Self else {
            raise(.invalidArgument, "\(Self.self) can't be made by key: make it as an NSSortDescriptor")
        }
        return descriptor
    }
}

extension NSSortDescriptor {
    /// Sorts by a Swift key path and a closure, which no SQLite store can use.
    public convenience init<Root: KeyPathNaming, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator: @escaping Comparator
    ) {
        // Without the name: a store must not take the key for the whole criterion.
        self.init(root: \Root[unnamed: keyPath], ascending: ascending, comparator: comparator)
    }

    /// Calls Foundation's own initialiser, which the more special one above hides.
    private convenience init<Root, Value>(
        root keyPath: KeyPath<Root, Value>, ascending: Bool, comparator: @escaping Comparator
    ) {
        self.init(keyPath: keyPath, ascending: ascending, comparator: comparator)
    }
}
