// The words of formats that were read lately: programs use few formats, again and again, with other arguments.

import Synchronization

enum KeptTokens {
    /// The greatest number of formats that are kept, and their greatest length in bytes.
    private static let limits = (formats: 128, length: 256)
    private static let known = Mutex<[String: [Token]]>([:])

    /// The words of a format, the end included.
    static func tokens(of format: String) throws(Lexer.Failure) -> [Token] {
        if let tokens = known.withLock({ $0[format] }) { return tokens }
        var lexer = Lexer(format)
        let tokens = try lexer.tokens()
        if format.utf8.count <= limits.length {
            known.withLock { known in
                if known.count >= limits.formats { known.removeAll(keepingCapacity: true) }
                known[format] = tokens
            }
        }
        return tokens
    }
}
