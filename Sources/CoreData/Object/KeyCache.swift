// The meaning of keys in the class of an entity's objects, found by the bits of a key's string: most keys are
// literals, whose bits are the same each time, and comparing those takes no hash of the text.

import CoreDataSchema
import Foundation
import Synchronization

/// The facts about a key that `value(forKey:)` and `setValue(_:forKey:)` need.
///
/// Unchecked because it is immutable.
final class KeyedProperty: @unchecked Sendable {
    /// Held so that no other string can get the same bits.
    let key: String
    let bits: KeyBits
    let get: ((NSManagedObject) -> Any?)?
    let set: ((NSManagedObject, Any?) -> Void)?
    /// Indicates that `set` takes a number or a Boolean, which can't be nil.
    let setsNumber: Bool
    /// The model's property, if the key is one's. Sound because it lives as long as the entity that the cache belongs to, which
    /// frees no binding before itself (`ManagedEntity.bind`); the address sanitizer watches (Scripts/test --long).
    unowned(unsafe) let property: PropertyRuntime?
    /// Indicates that the value is the number, date or text in a word of the row, and
    /// nothing else need be asked.
    let isPlain: Bool
    /// Indicates that this holds for batches, which some properties are kept from.
    let isPlainInBatches: Bool
    let kind: SlotKind
    let word: Int
    let index: Int

    init(_ key: String, entry: KeyRegistry.Entry?, property: PropertyRuntime?) {
        self.key = key
        bits = KeyBits(key)
        (get, set, setsNumber) = (entry?.get, entry?.set, entry?.setsNumber ?? false)
        self.property = property
        guard case .attribute(let slot)? = property?.kind, slot.kind.isPlain else {
            (isPlain, isPlainInBatches, kind, word, index) = (false, false, .object, 0, 0)
            return
        }
        isPlainInBatches = property.flatMap(BatchRowWriter.obstacle) == nil
        (isPlain, kind, word, index) = (true, slot.kind, slot.word, slot.index)
    }
}

extension SlotKind {
    fileprivate var isPlain: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string: true
        default: false
        }
    }
}

#if _pointerBitWidth(_32)
    #error("Strings and boxes are read as 64-bit systems lay them out (KeyBits, WordForm+Box.swift)")
#endif

/// The two words of a string: equal only for equal strings, if somebody holds one of them.
struct KeyBits: Equatable {
    private let first: UInt64
    private let second: UInt64

    @inline(__always)
    init(_ key: String) {
        (first, second) = unsafeBitCast(key, to: (UInt64, UInt64).self)
    }

    /// A number that differs for most strings, in its upper bits.
    @inline(__always)
    var mixed: UInt64 { (first ^ (second &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93 }
}

/// The keys of one class that were used lately. Any thread may look, while another one adds.
///
/// Unchecked because places are atomic, and what stands in one stays until the end.
final class KeyCache: @unchecked Sendable {
    private typealias Place = Atomic<Unmanaged<KeyedProperty>?>
    /// The number of strings of the same text that are kept: a name may be a literal in several modules.
    private static let stringsPerKey = 4
    /// The number of places that are tried.
    private static let tries = 4

    private let places: UnsafeMutablePointer<Place>
    private let count: Int
    private let shift: UInt64
    /// The number of strings that are kept of each text.
    private let kept = Mutex<[String: Int]>([:])

    /// A cache with room for some strings of each key.
    init(keys: Int) {
        let bits = max(4, Int.bitWidth - (keys * Self.stringsPerKey).leadingZeroBitCount)
        count = 1 << bits
        shift = UInt64(64 - bits)
        places = .allocate(capacity: count)
        for number in 0..<count { (places + number).initialize(to: Place(nil)) }
    }

    deinit {
        for number in 0..<count { places[number].load(ordering: .acquiring)?.release() }
        places.deinitialize(count: count)
        places.deallocate()
    }

    /// Returns the property that is kept for a string; valid as long as the cache.
    @inline(__always)
    func find(_ key: String) -> Unmanaged<KeyedProperty>? { find(KeyBits(key)) }

    /// The same by the string's bits.
    @inline(__always)
    func find(_ bits: KeyBits) -> Unmanaged<KeyedProperty>? {
        var number = Int(truncatingIfNeeded: bits.mixed >> shift)
        for _ in 0..<Self.tries {
            guard let found = places[number].load(ordering: .acquiring) else { return nil }
            if found._withUnsafeGuaranteedRef({ $0.bits == bits }) { return found }
            number = (number + 1) & (count - 1)
        }
        return nil
    }

    /// Keeps what a key stands for, if there is room.
    func add(_ keyed: KeyedProperty) {
        kept.withLock { kept in
            guard kept[keyed.key, default: 0] < Self.stringsPerKey else { return }
            var number = Int(truncatingIfNeeded: keyed.bits.mixed >> shift)
            for _ in 0..<Self.tries {
                guard let found = places[number].load(ordering: .acquiring) else {
                    kept[keyed.key, default: 0] += 1
                    return places[number].store(Unmanaged.passRetained(keyed), ordering: .releasing)
                }
                if found._withUnsafeGuaranteedRef({ $0.bits == keyed.bits }) { return }
                number = (number + 1) & (count - 1)
            }
        }
    }
}

extension ManagedEntity {
    /// Returns the property that a key stands for in the class of the entity's objects; `nil` for a key that
    /// neither the class nor the model knows.
    func keyed(_ key: String) -> KeyedProperty? {
        let binding = binding
        if let found = binding.cache.find(key) { return found.takeUnretainedValue() }
        let (entry, property) = (binding.keys[key], propertyNumbers[key].map { properties[$0] })
        if entry == nil && property == nil { return nil }
        let made = KeyedProperty(key, entry: entry, property: property)
        binding.cache.add(made)
        return made
    }
}
