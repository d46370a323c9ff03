// SHA-256 as FIPS 180-4 defines it.

package import Foundation

/// SHA-256 of bytes.
package enum SHA256 {
    // Models are hashed as often as stores are opened, also in builds for debugging, where closures, iterators, shifts that
    // look at their count, and elements of arrays cost a hundred times what the arithmetic does. Hence pointers and `while`.

    package static func hash(_ message: some ContiguousBytes) -> Data {
        let padded = SHA2Constants.padded(message, block: 64, lengthSize: 8)
        var state = SHA2Constants.initial256
        var schedule = [UInt32](repeating: 0, count: 64)
        padded.withUnsafeBytes { bytes in
            schedule.withUnsafeMutableBufferPointer { schedule in
                state.withUnsafeMutableBufferPointer { state in
                    var place = 0
                    while place < bytes.count {
                        fill(schedule, from: bytes, at: place)
                        compress(schedule, into: state)
                        place += 64
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
        _ schedule: UnsafeMutableBufferPointer<UInt32>, from bytes: UnsafeRawBufferPointer, at place: Int
    ) {
        var index = 0
        while index < 16 {
            schedule[index] = bytes.load(fromByteOffset: place + index * 4, as: UInt32.self).bigEndian
            index += 1
        }
        while index < 64 {
            let (a, b) = (schedule[index - 15], schedule[index - 2])
            let s0 = rotate(a, count: 7) ^ rotate(a, count: 18) ^ a &>> 3
            let s1 = rotate(b, count: 17) ^ rotate(b, count: 19) ^ b &>> 10
            schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
            index += 1
        }
    }

    private static func rotate(_ value: UInt32, count: UInt32) -> UInt32 {
        value &>> count | value &<< (32 &- count)
    }

    private static func compress(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, into state: UnsafeMutableBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        SHA2Constants.rounds256.withUnsafeBufferPointer { rounds in
            var index = 0
            while index < 64 {
                let s1 = rotate(e, count: 6) ^ rotate(e, count: 11) ^ rotate(e, count: 25)
                let t1 = h &+ s1 &+ (e & f ^ ~e & g) &+ rounds[index] &+ schedule[index]
                let s0 = rotate(a, count: 2) ^ rotate(a, count: 13) ^ rotate(a, count: 22)
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
