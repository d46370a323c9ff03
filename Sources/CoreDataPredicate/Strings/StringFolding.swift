// Strings without case and diacritics, so that a comparison of bytes decides.

import Foundation

enum StringFolding {
    /// The string folded as the options ask, composed, so that equal strings have equal bytes.
    static func fold(_ text: String, options: ComparisonOptions) -> String {
        guard options.folds else { return text }
        if text.isASCII { return options.contains(.caseInsensitive) ? text.lowercased() : text }
        return canonical(text, options: options).precomposedStringWithCanonicalMapping
    }

    /// The string folded as the options ask and otherwise as it was.
    static func canonical(_ text: String, options: ComparisonOptions) -> String {
        text.folding(
            options: String.CompareOptions(options),
            locale: options.contains(.localeSensitive) ? Locale.current : nil)
    }

    /// One ASCII byte in lower case.
    @inline(__always)
    static func lowercase(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}

extension ComparisonOptions {
    /// Indicates that case or diacritics don't count.
    var folds: Bool { !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]) }
}

extension String {
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension String.CompareOptions {
    init(_ options: ComparisonOptions) {
        self = []
        if options.contains(.caseInsensitive) { insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { insert(.diacriticInsensitive) }
    }
}
