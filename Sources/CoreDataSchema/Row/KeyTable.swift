// An open-addressing table from key to address, for keys that lie far apart, as addresses do.

/// Maps non-zero keys to addresses. Linear probing; removal shifts back, so there are no tombstones.
public struct KeyTable: ~Copyable {
    @usableFromInline var keys: UnsafeMutablePointer<Int64>
    @usableFromInline var values: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    @usableFromInline var mask: Int
    @usableFromInline package internal(set) var count = 0

    package init() {
        (keys, values) = Self.allocate(16)
        mask = 15
    }

    deinit {
        keys.deallocate()
        values.deallocate()
    }

    private static func allocate(
        _ capacity: Int
    ) -> (UnsafeMutablePointer<Int64>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
        let keys = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
        keys.initialize(repeating: 0, count: capacity)
        let values = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: capacity)
        values.initialize(repeating: nil, count: capacity)
        return (keys, values)
    }

    @inlinable @inline(__always)
    func start(_ key: Int64) -> Int {
        // Fibonacci hashing: neighbouring primary keys spread over the table.
        Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 24) & mask
    }

    /// The address stored for a key.
    @inlinable
    public func find(_ key: Int64) -> UnsafeMutableRawPointer? {
        var place = start(key)
        while keys[place] != 0 {
            if keys[place] == key { return values[place] }
            place = (place + 1) & mask
        }
        return nil
    }

    /// The place of a key, reserved if it was absent (its value is then nil until the caller sets it). Valid
    /// until the next change of the table.
    @inlinable
    public mutating func reserve(_ key: Int64) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        if count * 4 >= (mask + 1) * 3 { grow() }
        var place = start(key)
        while keys[place] != 0 {
            if keys[place] == key { return values + place }
            place = (place + 1) & mask
        }
        keys[place] = key
        count += 1
        return values + place
    }

    /// Removes a key if it maps to this address.
    @inlinable
    public mutating func remove(_ key: Int64, address: UnsafeMutableRawPointer) {
        var hole = start(key)
        while keys[hole] != key {
            if keys[hole] == 0 { return }
            hole = (hole + 1) & mask
        }
        guard values[hole] == address else { return }
        var next = (hole + 1) & mask
        while keys[next] != 0 {
            let home = start(keys[next])
            if (next &- home) & mask >= (next &- hole) & mask {
                keys[hole] = keys[next]
                values[hole] = values[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        keys[hole] = 0
        values[hole] = nil
        count -= 1
    }

    /// Gives the room of many keys back, so that what follows doesn't pay for their having been there.
    package mutating func removeAll() {
        if mask > 1023 {
            self = KeyTable()
            return
        }
        keys.update(repeating: 0, count: mask + 1)
        values.update(repeating: nil, count: mask + 1)
        count = 0
    }

    /// Calls the closure with every address.
    package func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
        for place in 0...mask {
            if let value = values[place] { body(value) }
        }
    }

    /// Makes room for this many keys more.
    package mutating func reserveCapacity(_ additional: Int) {
        while (count + additional) * 4 >= (mask + 1) * 3 { grow() }
    }

    @usableFromInline
    mutating func grow() {
        let (oldKeys, oldValues, oldCount) = (keys, values, mask + 1)
        (keys, values) = Self.allocate(oldCount * 2)
        mask = oldCount * 2 - 1
        for place in 0..<oldCount where oldKeys[place] != 0 {
            var target = start(oldKeys[place])
            while keys[target] != 0 { target = (target + 1) & mask }
            keys[target] = oldKeys[place]
            values[target] = oldValues[place]
        }
        oldKeys.deallocate()
        oldValues.deallocate()
    }
}
