// What a closure fills for each row of a batch insert.

import Foundation

/// A dictionary that gets the same keys again and again. They keep their places, and one that comes at its turn is known
/// by the bits of its string: Foundation's own dictionary takes ten times as long.
final class RowDictionary: NSMutableDictionary {
    @exclusivity(unchecked)
    private var names: ContiguousArray<String> = []
    /// For each name its value; `nil` where there is none.
    @exclusivity(unchecked)
    private var values: ContiguousArray<Any?> = []
    /// Where the name stands that is next, if keys come in the order in which they first came.
    @exclusivity(unchecked)
    private var turn = 0
    /// Values under keys that aren't texts.
    private(set) var others: [AnyHashable: Any] = [:]

    /// Calls the closure with each value under a text, in the order in which the keys first came.
    func forEachNamed(_ body: (String, Any) throws -> Void) rethrows {
        for place in names.indices {
            if let value = values[place] { try body(names[place], value) }
        }
    }

    private static func name(_ key: Any) -> String? {
        type(of: key) == String.self ? SlotValue.content(key, as: String.self) : key as? String
    }

    private func place(_ name: String) -> Int? {
        if turn < names.count, KeyBits(names[turn]) == KeyBits(name) { return turn }
        return names.firstIndex(of: name)
    }

    // MARK: What all of a dictionary's methods are made of

    override var count: Int { values.count { $0 != nil } + others.count }

    override func object(forKey key: Any) -> Any? {
        if let name = Self.name(key) { return place(name).flatMap { values[$0] } }
        return (key as? AnyHashable).flatMap { others[$0] }
    }

    override func keyEnumerator() -> NSEnumerator {
        var keys = others.keys.map(\.base)
        forEachNamed { name, _ in keys.append(name) }
        return KeyEnumerator(keys)
    }

    override func setObject(_ value: Any, forKey key: AnyHashable) {
        guard let name = Self.name(key.base) else { return others[key] = value }
        guard let place = place(name) else {
            names.append(name)
            values.append(value)
            return turn = names.count
        }
        values[place] = value
        turn = place + 1
    }

    override func removeObject(forKey key: Any) {
        if let name = Self.name(key) {
            if let place = place(name) { values[place] = nil }
        } else if let key = key as? AnyHashable {
            others[key] = nil
        }
    }

    override func removeAllObjects() {
        for place in values.indices { values[place] = nil }
        others = [:]
        turn = 0
    }
}

/// Gives the keys as they are: those of an array of Foundation's come back as other values.
private final class KeyEnumerator: NSEnumerator {
    private var left: ArraySlice<Any>

    init(_ keys: [Any]) { left = keys[...] }

    override func nextObject() -> Any? { left.popFirst() }
}
