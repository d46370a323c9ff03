// The dictionary that a closure fills for each row of a batch insert.

import CoreDataSchema
import CoreDataStores
public import Foundation

/// A dictionary that gets the same keys again and again. They keep their places, and one that comes at its turn is known
/// by the bits of its string: Foundation's own dictionary needs ten times as long, and more.
///
/// It only takes values under texts. Foundation's dictionary answers everything else: it takes over the
/// values and has them until the next row.
final class RowDictionary: NSMutableDictionary {
    @exclusivity(unchecked)
    private var keys: UnsafeMutableBufferPointer<RowKey> = .allocate(capacity: 16)
    /// The value under each key; `nil` for those that this row lacks.
    @exclusivity(unchecked)
    private var values: UnsafeMutablePointer<Any?> = .allocate(capacity: 16)
    /// The number of keys that came.
    @exclusivity(unchecked)
    private var length = 0
    /// The index of the next key, if they come in the order in which they first came.
    @exclusivity(unchecked)
    private var turn = 0
    /// The number of values that were cleared of former rows' contents. Those who give all keys in
    /// turn need nothing cleared.
    @exclusivity(unchecked)
    private var cleared = 0
    /// The number of values of this row.
    private var present: Int { turn > cleared ? turn : cleared }
    @exclusivity(unchecked)
    private var takenOver: NSMutableDictionary?
    /// All values of this row, if they were given together and nothing was asked or changed since. There is no turn then.
    @exclusivity(unchecked)
    private var given: [String: Any]?

    deinit {
        keys.prefix(length).deinitialize()
        keys.deallocate()
        values.deinitialize(count: length)
        values.deallocate()
    }

    // MARK: Filling

    /// Begins the next row, which has no values.
    func begin() { (turn, cleared, takenOver, given) = (0, 0, nil, nil) }

    /// Returns the place for the value under a name. The place holds nothing that is to be freed, and must be
    /// initialized at once; `nil` if another dictionary has taken over.
    @inline(__always)
    func place(of name: String) -> UnsafeMutablePointer<Any?>? {
        if turn < length {
            let key = keys.baseAddress.unsafelyUnwrapped + turn
            if key.pointee.bits == KeyBits(name) {
                let place = values + turn
                turn &+= 1
                if WordForm.type(at: place) != key.pointee.wordType { place.empty() }
                return place
            }
        }
        return placeSlowly(of: name)
    }

    @inline(never)
    private func placeSlowly(of name: String) -> UnsafeMutablePointer<Any?>? {
        takeGiven()
        if takenOver != nil { return nil }
        clearRest()
        let bits = KeyBits(name)
        let known = keys.prefix(length)
        let number =
            known.firstIndex { $0.bits == bits } ?? known.firstIndex { $0.name == name } ?? append(name)
        turn = number + 1
        let place = values + number
        place.empty()
        return place
    }

    private func append(_ name: String) -> Int {
        if length == keys.count { grow() }
        keys.initializeElement(at: length, to: RowKey(name))
        (values + length).initialize(to: nil)
        length += 1
        cleared = length
        return length - 1
    }

    private func grow() {
        let (oldKeys, oldValues) = (keys, values)
        keys = .allocate(capacity: 2 * length)
        _ = keys.moveInitialize(fromContentsOf: oldKeys)
        oldKeys.deallocate()
        values = .allocate(capacity: 2 * length)
        values.moveInitialize(from: oldValues, count: length)
        oldValues.deallocate()
    }

    /// Clears what is left of rows before.
    private func clearRest() {
        for number in present..<length { values[number] = nil }
        cleared = length
    }

    /// Takes values that are given together. As long as they are all, they stay in their dictionary.
    func add(_ other: [String: Any]) {
        if takenOver == nil && given == nil && present == 0 {
            (given, turn) = (other, .max)
        } else {
            for (name, value) in other { put(value, under: name) }
        }
    }

    private func takeGiven() {
        guard let pending = given else { return }
        begin()
        for (name, value) in pending { put(value, under: name) }
    }

    /// Takes a value, or its absence.
    private func put(_ value: Any?, under name: String) {
        if let place = place(of: name) {
            place.initialize(to: value)
        } else if let value {
            whole.setObject(value, forKey: name)
        } else {
            whole.removeObject(forKey: name)
        }
    }

    /// Writes the values into a row.
    func write(
        by writer: BatchRowWriter, in row: UnsafeMutablePointer<UInt64>, _ stated: inout SlotSet?
    ) throws {
        if let given { return try writer.write(given, in: row, stated: &stated) }
        if let takenOver {
            for (key, value) in takenOver {
                guard let name = key as? String else {
                    throw writer.refusal("\(key)", reason: "the keys of a row are names of properties")
                }
                try writer.write(value, for: name, in: row, stated: &stated)
            }
            return
        }
        for number in 0..<present {
            let (key, place) = (keys.baseAddress.unsafelyUnwrapped + number, values + number)
            if WordForm.type(at: place) == key.pointee.wordType {
                row[key.pointee.word] = UnsafeRawPointer(place).load(as: UInt64.self)
                RowPointer(row, slab: nil).setNull(key.pointee.index, isNull: false)
                stated?.insert(key.pointee.index)
            } else {
                try write(place, key: &key.pointee, by: writer, in: row, stated: &stated)
            }
        }
    }

    @inline(never)
    private func write(
        _ place: UnsafeMutablePointer<Any?>, key: inout RowKey, by writer: BatchRowWriter,
        in row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?
    ) throws {
        if WordForm.type(at: place) == 0 { return }
        let property = key.property ?? writer.keys.find(key.bits)
        key.property = property
        if let slot = writer.writePlain(at: place, property, in: row) {
            if let property { key.learn(WordForm.type(at: place), property: property) }
            stated?.insert(slot)
        } else if let value = place.pointee {
            try writer.writeAny(value, key: key.name, in: row, stated: &stated)
        }
    }

    // MARK: Changes

    private static func name(_ key: Any) -> String? {
        type(of: key) == String.self ? SlotValue.content(key, as: String.self) : key as? String
    }

    override func setObject(_ value: Any, forKey key: AnyHashable) {
        if let name = Self.name(key.base) {
            put(value, under: name)
        } else {
            whole.setObject(value, forKey: key)
        }
    }

    override func removeObject(forKey key: Any) {
        if let name = Self.name(key) { put(nil, under: name) } else { whole.removeObject(forKey: key) }
    }

    override func removeAllObjects() { begin() }

    // MARK: Answers of Foundation's dictionary

    /// All values, in the dictionary that has taken over.
    private var whole: NSMutableDictionary {
        takeGiven()
        if let takenOver { return takenOver }
        let made = NSMutableDictionary()
        for number in 0..<present {
            if let value = values[number] { made.setObject(value, forKey: keys[number].name) }
        }
        (takenOver, turn, cleared) = (made, .max, 0)
        return made
    }

    override var count: Int {
        given?.count ?? takenOver?.count ?? (0..<present).count { values[$0] != nil }
    }
    override var allKeys: [Any] { whole.allKeys }
    override var allValues: [Any] { whole.allValues }
    override var classForCoder: AnyClass { NSMutableDictionary.self }
    override func object(forKey key: Any) -> Any? { whole.object(forKey: key) }
    override func keyEnumerator() -> NSEnumerator { whole.keyEnumerator() }
    override func copy(with zone: NSZone? = nil) -> Any { whole.copy(with: zone) }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { whole.mutableCopy(with: zone) }
    override func isEqual(_ other: Any?) -> Bool { whole.isEqual((other as? RowDictionary)?.whole ?? other) }
    override func encode(with coder: NSCoder) { whole.encode(with: coder) }
}

/// A key that came.
private struct RowKey {
    let name: String
    /// The property that the name stands for, once it was looked up; valid as long as
    /// the request is executed.
    var property: Unmanaged<KeyedProperty>?
    /// The type of a value that came and that goes into the row as it stands in its box, and where it goes: the next one
    /// will be of that type.
    private(set) var wordType = UInt.max
    private(set) var word = 0
    private(set) var index = 0

    init(_ name: String) { self.name = name }

    @inline(__always)
    var bits: KeyBits { KeyBits(name) }

    mutating func learn(_ type: UInt, property: Unmanaged<KeyedProperty>) {
        property._withUnsafeGuaranteedRef { property in
            guard WordForm.isWord(type, of: property.kind) else { return }
            (wordType, word, index) = (type, property.word, property.index)
        }
    }
}

extension UnsafeMutablePointer<Any?> {
    /// Leaves memory that is not initialized. Numbers and dates need nothing done for it, which Swift would look up in
    /// the description of their type.
    @inline(__always)
    fileprivate func empty() {
        if WordForm.plain(at: self) == nil { deinitialize(count: 1) }
    }
}

extension NSMutableDictionary {
    /// Returns the place for the value under a text in a dictionary that the closure of a batch insert fills;
    /// `nil` for others. The place must be initialized at once.
    @usableFromInline
    final func rowPlace(_ key: String) -> UnsafeMutablePointer<Any?>? {
        type(of: self) == RowDictionary.self
            ? unsafeDowncast(self, to: RowDictionary.self).place(of: key) : nil
    }

    /// The value under a text: what the subscript for keys of all types does, without a key of another type to be made.
    /// The dictionary that the closure of a batch insert fills is filled fastest so.
    public subscript(key: String) -> Any? {
        get { object(forKey: key) }
        // Inlined so that a value is made where it stays, instead of being handed over, copied and freed.
        @inlinable @inline(__always)
        set {
            if let place = rowPlace(key) {
                place.initialize(to: newValue)
            } else {
                setOrRemove(newValue, forKey: key)
            }
        }
    }

    @usableFromInline
    final func setOrRemove(_ value: Any?, forKey key: String) {
        if let value { setObject(value, forKey: key) } else { removeObject(forKey: key) }
    }

    /// Sets the values of a dictionary under its keys. The closure of a batch insert that has all values of a row in a
    /// dictionary hands them over fastest so.
    public func addEntries(from other: [String: Any]) {
        if type(of: self) == RowDictionary.self {
            unsafeDowncast(self, to: RowDictionary.self).add(other)
        } else {
            for (key, value) in other { setObject(value, forKey: key) }
        }
    }

    /// Sets the value under a key; `nil` removes it.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the key.
    @inlinable
    public func setValue(_ value: Any?, forKey key: String) { self[key] = value }
}
