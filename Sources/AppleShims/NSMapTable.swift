// Foundation's tables of objects that they needn't keep.

public import Foundation

/// A dictionary of objects that need not keep its keys or its values.
///
/// Differs from Apple's in that what belongs to a key that is gone is let go of a little later, at a change of the table.
/// Classes that aren't `NSObject`'s are compared by identity.
open class NSMapTable<KeyType: AnyObject, ObjectType: AnyObject>: NSObject {
    private let keyOptions: NSPointerFunctions.Options
    private let valueOptions: NSPointerFunctions.Options
    private var entries: [Int: [Entry]] = [:]
    private var remaining = 16

    private final class Entry {
        private weak var weakKey: AnyObject?
        private let strongKey: AnyObject?
        private weak var weakValue: AnyObject?
        private let strongValue: AnyObject?

        init(key: AnyObject, isKeyWeak: Bool, value: AnyObject, isValueWeak: Bool) {
            weakKey = isKeyWeak ? key : nil
            strongKey = isKeyWeak ? nil : key
            weakValue = isValueWeak ? value : nil
            strongValue = isValueWeak ? nil : value
        }

        var key: AnyObject? { strongKey ?? weakKey }
        var value: AnyObject? { strongValue ?? weakValue }
    }

    /// An empty table.
    ///
    /// - Parameters:
    ///   - keyOptions: how it keeps its keys.
    ///   - valueOptions: how it keeps its values.
    ///   - capacity: a hint.
    public required init(
        keyOptions: NSPointerFunctions.Options = [], valueOptions: NSPointerFunctions.Options = [],
        capacity: Int = 0
    ) {
        self.keyOptions = keyOptions
        self.valueOptions = valueOptions
    }

    /// Returns a table that keeps keys and values.
    open class func strongToStrongObjects() -> Self { self.init() }
    /// Returns a table that keeps values as long as their keys are there.
    open class func weakToStrongObjects() -> Self { self.init(keyOptions: .weakMemory) }
    /// Returns a table that keeps keys as long as their values are there.
    open class func strongToWeakObjects() -> Self { self.init(valueOptions: .weakMemory) }
    /// Returns a table that keeps neither.
    open class func weakToWeakObjects() -> Self {
        self.init(keyOptions: .weakMemory, valueOptions: .weakMemory)
    }

    /// Returns the value of a key.
    open func object(forKey aKey: KeyType?) -> ObjectType? {
        guard let aKey else { return nil }
        return entry(aKey, hash: hash(aKey))?.value as? ObjectType
    }

    /// Sets the value of a key; without effect for nil.
    ///
    /// - Parameters:
    ///   - anObject: the value.
    ///   - aKey: the key.
    open func setObject(_ anObject: ObjectType?, forKey aKey: KeyType?) {
        guard let aKey, let anObject else { return }
        let key = keyOptions.contains(.copyIn) ? copied(aKey) : aKey
        let value = valueOptions.contains(.copyIn) ? copied(anObject) : anObject
        let hash = hash(key)
        removeObject(forKey: aKey)
        entries[hash, default: []].append(
            Entry(
                key: key, isKeyWeak: keyOptions.contains(.weakMemory), value: value,
                isValueWeak: valueOptions.contains(.weakMemory)))
        remaining -= 1
        if remaining <= 0 { collect() }
    }

    /// Removes a key with its value.
    open func removeObject(forKey aKey: KeyType?) {
        guard let aKey else { return }
        let hash = hash(aKey)
        entries[hash]?.removeAll { $0.key.map { isEqual($0, to: aKey) } ?? true }
        if entries[hash]?.isEmpty == true { entries[hash] = nil }
    }

    /// Removes everything.
    open func removeAllObjects() { entries = [:] }

    /// The number of keys that have values. Looks through them.
    open var count: Int { present.count }

    /// Returns an enumerator of the keys that have values.
    open func keyEnumerator() -> NSEnumerator { NSArray(array: present.map(\.key)).objectEnumerator() }

    /// Returns an enumerator of the values.
    open func objectEnumerator() -> NSEnumerator? {
        NSArray(array: present.map(\.value)).objectEnumerator()
    }

    /// Returns keys and values as a dictionary, where the keys can be hashed.
    open func dictionaryRepresentation() -> [AnyHashable: ObjectType] {
        var dictionary: [AnyHashable: ObjectType] = [:]
        for (key, value) in present {
            if let key = key as? AnyHashable { dictionary[key] = value }
        }
        return dictionary
    }

    private var present: [(key: KeyType, value: ObjectType)] {
        entries.values.joined().compactMap { entry in
            guard let key = entry.key as? KeyType, let value = entry.value as? ObjectType else { return nil }
            return (key, value)
        }
    }

    private func entry(_ key: AnyObject, hash: Int) -> Entry? {
        entries[hash]?.first { $0.key.map { isEqual($0, to: key) } ?? false }
    }

    private func hash(_ key: AnyObject) -> Int {
        if !keyOptions.contains(.objectPointerPersonality), let object = key as? NSObject {
            return object.hash
        }
        return ObjectIdentifier(key).hashValue
    }

    private func isEqual(_ one: AnyObject, to other: AnyObject) -> Bool {
        if one === other { return true }
        guard !keyOptions.contains(.objectPointerPersonality), let object = one as? NSObject else {
            return false
        }
        return object.isEqual(other)
    }

    private func copied<Object: AnyObject>(_ object: Object) -> Object {
        (object as? any NSCopying)?.copy(with: nil) as? Object ?? object
    }

    private func collect() {
        entries = entries.mapValues { $0.filter { $0.key != nil && $0.value != nil } }.filter {
            !$0.value.isEmpty
        }
        remaining = max(16, entries.count)
    }
}
