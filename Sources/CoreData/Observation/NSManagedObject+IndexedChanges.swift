// Changes at places of ordered relationships, as hand-written accessors announce them.

public import Foundation

extension NSManagedObject {
    /// Called by hand-written accessors of an ordered to-many relationship before they change it primitively. Observers are
    /// told of the objects at these places: of those that go as they are now, of those that come as they are after the
    /// change.
    ///
    /// ```swift
    /// let places = IndexSet(integer: 0)
    /// hero.willChange(.insertion, valuesAt: places, forKey: "powers")
    /// hero.setPrimitiveValue(NSOrderedSet(object: power), forKey: "powers")
    /// hero.didChange(.insertion, valuesAt: places, forKey: "powers")
    /// ```
    ///
    /// - Parameters:
    ///   - changeKind: how the relationship will change; `setting` stands for the whole, wherever the places are.
    ///   - indexes: the places, before the change of what goes or is replaced, after it of what comes.
    ///   - key: the relationship's name.
    public final func willChange(
        _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
        if changeKind != .setting, state.traits.contains(.observed), let observers = extras?.observers {
            observers.mutation = .announced(changeKind, at: indexes)
        }
        willChangeValue(forKey: key)
    }

    /// Called by hand-written accessors of an ordered to-many relationship after they changed it primitively.
    ///
    /// - Parameters:
    ///   - changeKind: how the relationship changed.
    ///   - indexes: the places that were given to `willChange(_:valuesAt:forKey:)`.
    ///   - key: the relationship's name.
    public final func didChange(
        _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
        didChangeValue(forKey: key)
    }
}
