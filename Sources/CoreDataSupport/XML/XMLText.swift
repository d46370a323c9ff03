// Text as XML documents hold it.

package enum XMLText {
    /// The first character that XML can't hold, however it is written.
    package static func obstacle(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { scalar in
            switch scalar {
            case "\t", "\n", "\r": false
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": true
            default: false
            }
        }
    }

    /// The text with its markup as references. There must be no `obstacle` in it.
    ///
    /// - Parameter keepsSpaces: whether tabs and line feeds need references too, as in attributes, where readers make
    ///   spaces of them. Carriage returns always do.
    package static func escaped(_ text: String, keepsSpaces: Bool = false) -> String {
        if !text.utf8.contains(where: { isMarkup($0, keepsSpaces: keepsSpaces) }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            case "\t" where keepsSpaces, "\n" where keepsSpaces: result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isMarkup(_ byte: UInt8, keepsSpaces: Bool) -> Bool {
        switch byte {
        case 0x26, 0x3C, 0x3E, 0x22, 0x0D: true
        case 0x09, 0x0A: keepsSpaces
        default: false
        }
    }
}
