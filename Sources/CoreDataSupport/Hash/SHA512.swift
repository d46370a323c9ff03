// SHA-512 as FIPS 180-4 defines it.

package import Foundation

/// SHA-512 of bytes.
package enum SHA512 {
    // By pointers and `while` for the reason that SHA-256 gives.

    package static func hash(_ message: some ContiguousBytes) -> Data {
        let padded = SHA2Constants.padded(message, block: 128, lengthSize: 16)
        var state = SHA2Constants.initial512
        var schedule = [UInt64](repeating: 0, count: 80)
        padded.withUnsafeBytes { bytes in
            schedule.withUnsafeMutableBufferPointer { schedule in
                state.withUnsafeMutableBufferPointer { state in
                    var place = 0
                    while place < bytes.count {
                        fill(schedule, from: bytes, at: place)
                        compress(schedule, into: state)
                        place += 128
                    }
                    var word = 0
                    while word < 8 {
                        state[word] = state[word].bigEndian
                        word += 1
                    }
                }
            }
        }
        return state.withUnsafeBytes { Data($0) }
    }

    /// Makes the words of a block's rounds.
    private static func fill(
        _ schedule: UnsafeMutableBufferPointer<UInt64>, from bytes: UnsafeRawBufferPointer, at place: Int
    ) {
        var index = 0
        while index < 16 {
            schedule[index] = bytes.load(fromByteOffset: place + index * 8, as: UInt64.self).bigEndian
            index += 1
        }
        while index < 80 {
            let (a, b) = (schedule[index - 15], schedule[index - 2])
            let s0 = rotate(a, count: 1) ^ rotate(a, count: 8) ^ a &>> 7
            let s1 = rotate(b, count: 19) ^ rotate(b, count: 61) ^ b &>> 6
            schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
            index += 1
        }
    }

    private static func rotate(_ value: UInt64, count: UInt64) -> UInt64 {
        value &>> count | value &<< (64 &- count)
    }

    private static func compress(
        _ schedule: UnsafeMutableBufferPointer<UInt64>, into state: UnsafeMutableBufferPointer<UInt64>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        SHA2Constants.rounds512.withUnsafeBufferPointer { rounds in
            var index = 0
            while index < 80 {
                let s1 = rotate(e, count: 14) ^ rotate(e, count: 18) ^ rotate(e, count: 41)
                let t1 = h &+ s1 &+ (e & f ^ ~e & g) &+ rounds[index] &+ schedule[index]
                let s0 = rotate(a, count: 28) ^ rotate(a, count: 34) ^ rotate(a, count: 39)
                let t2 = s0 &+ (a & b ^ a & c ^ b & c)
                (h, g, f, e) = (g, f, e, d &+ t1)
                (d, c, b, a) = (c, b, a, t1 &+ t2)
                index += 1
            }
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }
}
