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
                let s0 = rotate(a, count: 7) ^ rotate(a, count: 18) ^ a >> 3
                let s1 = rotate(b, count: 17) ^ rotate(b, count: 19) ^ b >> 10
                schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
            }
            compress(schedule, into: &state)
        }
        return Data(
            state.flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(word >> $0 & 0xFF) } })
    }

    private static func rotate(_ value: UInt32, count: UInt32) -> UInt32 {
        value >> count | value << (32 - count)
    }

    private static func compress(_ schedule: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let s1 = rotate(e, count: 6) ^ rotate(e, count: 11) ^ rotate(e, count: 25)
            let t1 = h &+ s1 &+ (e & f ^ ~e & g) &+ SHA2Constants.rounds256[index] &+ schedule[index]
            let s0 = rotate(a, count: 2) ^ rotate(a, count: 13) ^ rotate(a, count: 22)
            let t2 = s0 &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ t1)
            (d, c, b, a) = (c, b, a, t1 &+ t2)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }
}
