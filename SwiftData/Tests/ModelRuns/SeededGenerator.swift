// Random numbers that are the same in every run, so that a failure repeats.

import Foundation

/// SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func pick(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    package mutating func pick<Value>(of values: [Value]) -> Value { values[pick(values.count)] }

    package mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        pick(3) == 0 ? nil : make(&self)
    }

    mutating func address() -> Address { Address(city: "c\(pick(9))", zip: maybe { $0.pick(99_999) }) }

    mutating func uuid() -> UUID {
        let (left, right) = (next(), next())
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: left >> ($0 * 8)) }
        let more = (0..<8).map { UInt8(truncatingIfNeeded: right >> ($0 * 8)) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                more[0], more[1], more[2], more[3], more[4], more[5], more[6], more[7]
            ))
    }
}
