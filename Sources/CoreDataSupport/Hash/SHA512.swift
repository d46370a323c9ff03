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
                let s0 = rotate(a, 1) ^ rotate(a, 8) ^ a >> 7
                let s1 = rotate(b, 19) ^ rotate(b, 61) ^ b >> 6
                schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
            }
            compress(schedule, into: &state)
        }
        return Data(
            state.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(word >> $0 & 0xFF) } })
    }

    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
        value >> count | value << (64 - count)
    }

    private static func compress(_ schedule: [UInt64], into state: inout [UInt64]) {
        var v = state
        for index in 0..<80 {
            let s1 = rotate(v[4], 14) ^ rotate(v[4], 18) ^ rotate(v[4], 41)
            let choice = v[4] & v[5] ^ ~v[4] & v[6]
            let t1 = v[7] &+ s1 &+ choice &+ SHA2Constants.rounds512[index] &+ schedule[index]
            let s0 = rotate(v[0], 28) ^ rotate(v[0], 34) ^ rotate(v[0], 39)
            let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
            v = [t1 &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ v[index] }
    }
}
