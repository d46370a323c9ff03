// The arguments and results of an observation by key. Foundation has these types on Apple's systems only;
// names and shapes are those that clients know from there.

public import Foundation

/// An observation: it ends when this is invalidated or released. It doesn't keep the observed object alive.
public final class NSKeyValueObservation: NSObject {
    private var end: (() -> Void)?

    package init(_ end: @escaping () -> Void) {
        self.end = end
    }

    deinit {
        invalidate()
    }

    /// Ends the observation: the closure isn't called any more.
    public func invalidate() {
        let end = end
        self.end = nil
        end?()
    }
}

/// When an observer is called and what it is told.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The change has the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The change has the old value.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The observer is called at once, before `observe` returns.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// The observer is called before each change too, with `isPrior`.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of change of an observed value.
public enum NSKeyValueChange: UInt, Sendable {
    /// It was set.
    case setting = 1
    /// Objects were added to a to-many relationship.
    case insertion = 2
    /// Objects were removed from a to-many relationship.
    case removal = 3
    /// Objects of a to-many relationship were replaced.
    case replacement = 4
}

/// One change of an observed value.
///
/// Of an insertion, `newValue` is what was added, and of a removal `oldValue` is what was removed: an `NSSet`, or an
/// `NSOrderedSet` for an ordered relationship.
public struct NSKeyValueObservedChange<Value> {
    /// The kind of a change.
    public typealias Kind = NSKeyValueChange

    /// The kind of the change.
    public let kind: Kind
    /// The new value, if the options ask for it.
    public let newValue: Value?
    /// The old value, if the options ask for it.
    public let oldValue: Value?
    /// The indexes at which objects were added to or removed from an ordered relationship.
    public let indexes: IndexSet?
    /// Indicates whether the change is still to come.
    public let isPrior: Bool

    package init(kind: Kind, newValue: Value?, oldValue: Value?, indexes: IndexSet?, isPrior: Bool) {
        (self.kind, self.newValue, self.oldValue) = (kind, newValue, oldValue)
        (self.indexes, self.isPrior) = (indexes, isPrior)
    }
}

extension NSKeyValueObservedChange where Value == Any {
    /// The change with its values as another type; values that don't fit are missing.
    func typed<Wanted>(_ type: Wanted.Type) -> NSKeyValueObservedChange<Wanted> {
        NSKeyValueObservedChange<Wanted>(
            kind: kind, newValue: Self.value(newValue, as: type), oldValue: Self.value(oldValue, as: type),
            indexes: indexes, isPrior: isPrior)
    }

    /// Nil is a value where an optional type is wanted.
    private static func value<Wanted>(_ value: Any?, as type: Wanted.Type) -> Wanted? {
        if let value { return value as? Wanted }
        return type == Any.self ? nil : (value as Any) as? Wanted
    }
}
