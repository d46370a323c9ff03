// SHA-256 as FIPS 180-4 defines it.

package import Foundation

/// SHA-256 of bytes.
package enum SHA256 {
    package static func hash(_ message: some Sequence<UInt8>) -> Data {
        var state = SHA2Constants.initial256
        let padded = SHA2Constants.padded(Array(message), block: 64, lengthSize: 8)
        var schedule = [UInt32](repeating: 0, count: 64)
        for block in stride(from: 0, to: padded.count, by: 64) {
            for index in 0..<16 {
                schedule[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(padded[block + index * 4 + $1]) }
            }
            for index in 16..<64 {
                let (a, b) = (schedule[index - 15], schedule[index - 2])
                let s0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3
                let s1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10
                schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
            }
            compress(schedule, into: &state)
        }
        return Data(
            state.flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(word >> $0 & 0xFF) } })
    }

    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value >> count | value << (32 - count)
    }

    private static func compress(_ schedule: [UInt32], into state: inout [UInt32]) {
        var v = state
        for index in 0..<64 {
            let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
            let choice = v[4] & v[5] ^ ~v[4] & v[6]
            let t1 = v[7] &+ s1 &+ choice &+ SHA2Constants.rounds256[index] &+ schedule[index]
            let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
            let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
            v = [t1 &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ v[index] }
    }
}
