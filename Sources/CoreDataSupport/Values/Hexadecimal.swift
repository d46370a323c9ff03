// Bytes as digits, for SQL, addresses and names of files.

extension Sequence<UInt8> {
    /// Two small hexadecimal digits for each byte.
    package var hexadecimal: String {
        reduce(into: "") { text, byte in text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    }
}
