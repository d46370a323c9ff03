// What a closure fills for each row of a batch insert.

import CoreDataSchema
public import Foundation

/// A dictionary that gets the same keys again and again. They keep their places, and one that comes at its turn is known
/// by the bits of its string: Foundation's own dictionary needs ten times as long, and more.
///
/// It only takes values under texts. Whatever else it is asked, Foundation's dictionary answers, which takes over what
/// there is and has it until the next row.
final class RowDictionary: NSMutableDictionary {
    @exclusivity(unchecked)
    private var entries: UnsafeMutableBufferPointer<RowEntry> = .allocate(capacity: 16)
    /// How many entries are there.
    @exclusivity(unchecked)
    private var length = 0
    /// Which entry is next, if keys come in the order in which they first came.
    @exclusivity(unchecked)
    private var turn = 0
    @exclusivity(unchecked)
    private var takenOver: NSMutableDictionary?

    deinit {
        entries.prefix(length).deinitialize()
        entries.deallocate()
    }

    // MARK: Filling

    /// Takes a value.
    @inline(__always)
    func put(_ value: Any, under name: String) {
        if turn < length {
            let entry = entries.baseAddress.unsafelyUnwrapped + turn
            if KeyBits(entry.pointee.name) == KeyBits(name) {
                turn &+= 1
                if entry.pointee.content != .object, let (form, word) = WordForm.plain(value) {
                    entry.pointee.content = .word
                    (entry.pointee.form, entry.pointee.word) = (form, word)
                    return
                }
                return entry.pointee.put(value)
            }
        }
        putSlowly(value, name)
    }

    func remove(_ name: String) { putSlowly(nil, name) }

    @inline(never)
    private func putSlowly(_ value: Any?, _ name: String) {
        if let takenOver {
            guard let value else { return takenOver.removeObject(forKey: name) }
            return takenOver.setObject(value, forKey: name)
        }
        let bits = KeyBits(name)
        let known = entries.prefix(length)
        if let place = known.firstIndex(where: { KeyBits($0.name) == bits })
            ?? known.firstIndex(where: { $0.name == name })
        {
            entries[place].put(value)
            turn = place + 1
        } else if let value {
            append(name, value)
            turn = length
        }
    }

    private func append(_ name: String, _ value: Any) {
        if length == entries.count {
            let larger = UnsafeMutableBufferPointer<RowEntry>.allocate(capacity: 2 * length)
            _ = larger.moveInitialize(fromContentsOf: entries)
            entries.deallocate()
            entries = larger
        }
        entries.initializeElement(at: length, to: RowEntry(name))
        entries[length].put(value)
        length += 1
    }

    /// Writes the values into a row.
    func write(
        by writer: BatchRowWriter, in row: UnsafeMutablePointer<UInt64>, _ stated: inout SlotSet?
    ) throws {
        if let takenOver {
            for (key, value) in takenOver {
                guard let name = key as? String else {
                    throw writer.refusal("\(key)", "the keys of a row are names of properties")
                }
                try writer.write(value, for: name, in: row, &stated)
            }
            return
        }
        for place in 0..<length {
            if let slot = entries[place].writeWord(by: writer, in: row) {
                stated?.insert(slot)
            } else if let value = entries[place].any {
                try writer.write(value, for: entries[place].name, in: row, &stated)
            }
        }
    }

    // MARK: What changes it

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
        if let name = Self.name(key) { remove(name) } else { whole.removeObject(forKey: key) }
    }

    override func removeAllObjects() {
        for place in 0..<length { entries[place].clear() }
        turn = 0
        takenOver = nil
    }

    // MARK: What Foundation's dictionary answers

    /// All values, in the dictionary that has taken over.
    private var whole: NSMutableDictionary {
        if let takenOver { return takenOver }
        let made = NSMutableDictionary()
        for place in 0..<length {
            if let value = entries[place].any { made.setObject(value, forKey: entries[place].name) }
            entries[place].clear()
        }
        (takenOver, turn) = (made, .max)
        return made
    }

    override var count: Int { takenOver?.count ?? entries.prefix(length).count { $0.content != .nothing } }
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

/// A key that came, with its value in this row.
private struct RowEntry {
    enum Content: UInt8 {
        case nothing, word, object
    }

    let name: String
    var content = Content.nothing
    /// A number or a date: what the word stands for.
    var form = WordForm.integer
    var word: UInt64 = 0
    /// Any other value.
    private var object: Any = ()
    /// What the name stands for, once it was looked up; valid as long as the request is executed.
    private var property: Unmanaged<KeyedProperty>?

    init(_ name: String) { self.name = name }

    @inline(never)
    mutating func put(_ value: Any?) {
        clear()
        guard let value else { return }
        if let (form, word) = WordForm.plain(value) {
            (self.form, self.word, content) = (form, word, .word)
        } else {
            (object, content) = (value, .object)
        }
    }

    @inline(__always)
    mutating func clear() {
        if content == .object { object = () }
        content = .nothing
    }

    var any: Any? {
        switch content {
        case .nothing: nil
        case .word: form.value(of: word)
        case .object: object
        }
    }

    /// Writes a number or a date that goes into the row as it is. Returns its slot; `nil` if there is more to it.
    @inline(__always)
    mutating func writeWord(by writer: BatchRowWriter, in row: UnsafeMutablePointer<UInt64>) -> Int? {
        if content != .word { return nil }
        if property == nil { property = writer.keys.find(name) }
        return property.flatMap { writer.write(word, form, $0, in: row) }
    }
}

extension NSMutableDictionary {
    /// The value under a text: what the subscript for keys of all types does, without a key of another type to be made.
    /// The dictionary that the closure of a batch insert fills is filled fastest so.
    public subscript(key: String) -> Any? {
        get { object(forKey: key) }
        set {
            if type(of: self) == RowDictionary.self {
                let row = unsafeDowncast(self, to: RowDictionary.self)
                // Consumed, because copying it out of its optional takes as long as all the rest.
                if let value = consume newValue { row.put(value, under: key) } else { row.remove(key) }
            } else if let newValue {
                setObject(newValue, forKey: key)
            } else {
                removeObject(forKey: key)
            }
        }
    }

    /// Sets the value under a key; `nil` removes it.
    public func setValue(_ value: Any?, forKey key: String) { self[key] = value }
}
