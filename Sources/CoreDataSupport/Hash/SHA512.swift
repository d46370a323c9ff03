// SHA-512 as FIPS 180-4 defines it.

package import Foundation

/// SHA-512 of bytes.
package enum SHA512 {
    package static func hash(_ message: some Sequence<UInt8>) -> Data {
        var state = SHA2Constants.initial512
        let padded = SHA2Constants.padded(Array(message), block: 128, lengthSize: 16)
        var schedule = [UInt64](repeating: 0, count: 80)
        for block in stride(from: 0, to: padded.count, by: 128) {
            for index in 0..<16 {
                schedule[index] = (0..<8).reduce(0) { $0 << 8 | UInt64(padded[block + index * 8 + $1]) }
            }
            for index in 16..<80 {
                let (a, b) = (schedule[index - 15], schedule[index - 2])
                let s0 = rotate(a, count: 1) ^ rotate(a, count: 8) ^ a >> 7
                let s1 = rotate(b, count: 19) ^ rotate(b, count: 61) ^ b >> 6
                schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
            }
            compress(schedule, into: &state)
        }
        return Data(
            state.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(word >> $0 & 0xFF) } })
    }

    private static func rotate(_ value: UInt64, count: UInt64) -> UInt64 {
        value >> count | value << (64 - count)
    }

    private static func compress(_ schedule: [UInt64], into state: inout [UInt64]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<80 {
            let s1 = rotate(e, count: 14) ^ rotate(e, count: 18) ^ rotate(e, count: 41)
            let t1 = h &+ s1 &+ (e & f ^ ~e & g) &+ SHA2Constants.rounds512[index] &+ schedule[index]
            let s0 = rotate(a, count: 28) ^ rotate(a, count: 34) ^ rotate(a, count: 39)
            let t2 = s0 &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ t1)
            (d, c, b, a) = (c, b, a, t1 &+ t2)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }
}
