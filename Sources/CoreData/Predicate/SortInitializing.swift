// The initialisers that give `NSSortDescriptor` a key.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

/// A protocol of `NSSortDescriptor` that lets its initialisers return our subclass. Nothing else should
/// conform.
public protocol SortInitializing {}

extension NSSortDescriptor: SortInitializing {}

extension SortInitializing {
    /// Sorts by the value at a key path; by the objects themselves when `key` is nil.
    ///
    /// - Parameters:
    ///   - key: a key path, or nil.
    ///   - ascending: whether the least comes first.
    public init(key: String?, ascending: Bool) {
        self = Self.cast(KeySortDescriptor(SortKey(key ?? SortKey.evaluatedObject, ascending: ascending)))
    }

    /// Sorts by the value at a key path, compared by the named method.
    ///
    /// - Parameters:
    ///   - key: a key path, or nil.
    ///   - ascending: whether the least comes first.
    ///   - selector: the method, such as `.localizedStandardCompare`; nil for `compare:`.
    public init(key: String?, ascending: Bool, selector: SortSelector?) {
        let comparison = selector?.comparison ?? .compare
        self = Self.cast(
            KeySortDescriptor(
                SortKey(key ?? SortKey.evaluatedObject, ascending: ascending, comparison: comparison)))
    }

    /// Sorts by the value at a key path, compared by a closure, which no SQLite store can use.
    ///
    /// - Parameters:
    ///   - key: a key path, or nil.
    ///   - ascending: whether the least comes first.
    ///   - comparator: returns the order of two values.
    public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self = Self.cast(
            KeySortDescriptor(
                SortKey(key ?? SortKey.evaluatedObject, ascending: ascending), closure: comparator))
    }

    /// Sorts by the key that a Swift key path reads. Raises if it reads none.
    ///
    /// - Parameters:
    ///   - keyPath: the key path.
    ///   - ascending: whether the least comes first.
    public init<Root: KeyPathNaming, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self = Self.cast(KeySortDescriptor(keyPath, ascending: ascending))
    }

    /// The same in generic code that knows nothing of the key path's root. Raises if the root is no class whose key paths have keys.
    ///
    /// - Parameters:
    ///   - keyPath: the key path.
    ///   - ascending: whether the least comes first.
    @_disfavoredOverload
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self = Self.cast(KeySortDescriptor(keyPath, ascending: ascending))
    }

    static func cast(_ descriptor: NSSortDescriptor) -> Self {
        guard let descriptor = descriptor as? Self else {
            raise(.invalidArgument, "\(Self.self) can't be made by key: make it as an NSSortDescriptor")
        }
        return descriptor
    }
}

extension NSSortDescriptor {
    /// Sorts by the key that a Swift key path reads, whose values have an order in Swift too. Raises if it reads none.
    ///
    /// - Parameters:
    ///   - keyPath: the key path.
    ///   - ascending: whether the least comes first.
    public convenience init<Root: KeyPathNaming, Value: Comparable>(
        keyPath: KeyPath<Root, Value>, ascending: Bool
    ) {
        do throws(KeyPathFailure) {
            _ = try KeyPathNames.path(keyPath)
        } catch {
            if !error.lacksModel { raise(.invalidArgument, "\(error)") }
        }
        self.init(root: keyPath, ascending: ascending)
    }

    /// Sorts by a Swift key path and a closure, which no SQLite store can use.
    ///
    /// - Parameters:
    ///   - keyPath: the key path.
    ///   - ascending: whether the least comes first.
    ///   - comparator: returns the order of two values.
    public convenience init<Root: KeyPathNaming, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator: @escaping Comparator
    ) {
        // Without the name: a store must not take the key for the whole criterion.
        self.init(root: \Root[unnamed: keyPath], ascending: ascending, comparator: comparator)
    }

    // Foundation's own initialisers, which the more special ones above hide.

    private convenience init<Root, Value: Comparable>(root keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(keyPath: keyPath, ascending: ascending)
    }

    private convenience init<Root, Value>(
        root keyPath: KeyPath<Root, Value>, ascending: Bool, comparator: @escaping Comparator
    ) {
        self.init(keyPath: keyPath, ascending: ascending, comparator: comparator)
    }
}
