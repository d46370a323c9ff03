// Guesses the kind of a file that isn't an SQLite database, so that its error says what to do.

/// Recognises files that other programs made of databases.
enum ForeignFile {
    /// First bytes of compressed files, by the name of what they are compressed with.
    private static let compressed: [(name: String, bytes: [UInt8])] = [
        ("gzip", [0x1F, 0x8B]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("bzip2", [0x42, 0x5A, 0x68]),
        ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), ("zip", [0x50, 0x4B, 0x03, 0x04]),
        ("lz4", [0x04, 0x22, 0x4D, 0x18]), ("lzfse", [0x62, 0x76, 0x78]),
    ]

    /// A sentence about a file that doesn't begin like a database.
    static func reason(_ header: [UInt8], size: UInt64) -> String {
        let sentence = "The file doesn't start like an SQLite database."
        if let found = compressed.first(where: { header.starts(with: $0.bytes) }) {
            return sentence + " It is compressed (\(found.name)) and has to be decompressed first."
        }
        return looksEncrypted(header, size: size)
            ? sentence
                + " It looks encrypted, as by SQLCipher: decrypt it first with the program that has its key."
            : sentence
    }

    /// A sentence about a file that begins like a database and goes on like none; `nil` for any other.
    ///
    /// SQLCipher can leave the first 32 bytes plain, so that the system knows a shared database for one. A database's
    /// own header has few different bytes behind them, as most of its numbers are small and 20 bytes are zeros.
    static func reason(behindPlainStart header: [UInt8], size: UInt64) -> String? {
        guard header.count == 100, size % 512 == 0, Set(header[32...]).count >= 40 else { return nil }
        return "The file starts like an SQLite database, but looks encrypted behind its first bytes, as by "
            + "SQLCipher: decrypt it first with the program that has its key."
    }

    /// Whole pages of bytes among which hardly any is there twice: texts and other formats repeat bytes.
    private static func looksEncrypted(_ header: [UInt8], size: UInt64) -> Bool {
        header.count == 100 && size % 512 == 0 && Set(header).count >= 60
    }
}
