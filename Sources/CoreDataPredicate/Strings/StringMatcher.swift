// One string operator with its right side prepared, for many left sides.

import Synchronization

/// A string operator, its options and its right side.
package struct StringMatcher: Sendable {
    private enum Body: Sendable {
        case bytes([UInt8])
        case like(LikePattern)
        case regular(RegularExpressionMatch)
    }

    private let op: ComparisonOperator
    private let options: ComparisonOptions
    private let body: Body

    /// Prepares an operator. Throws for a pattern that is no pattern, or too long.
    package init(
        _ op: ComparisonOperator, pattern: String, options: ComparisonOptions
    ) throws(EvaluationFailure) {
        self.op = op
        self.options = options
        switch op {
        case .like, .matches:
            guard pattern.utf16.count <= EvaluationLimits.patternLength else {
                throw EvaluationFailure(
                    reason: "The pattern is longer than \(EvaluationLimits.patternLength) units")
            }
            body =
                op == .like
                ? .like(LikePattern(StringFolding.fold(pattern, options: options)))
                : .regular(
                    try RegularExpressionMatch(
                        Self.withoutDiacritics(pattern, options: options), options: options))
        default:
            body = .bytes(Array(StringFolding.fold(pattern, options: options).utf8))
        }
    }

    /// Returns whether a left side matches.
    package func matches(_ text: String) throws(EvaluationFailure) -> Bool {
        switch body {
        case .like(let pattern): return try pattern.matches(StringFolding.fold(text, options: options))
        case .regular(let expression):
            return try expression.matches(Self.withoutDiacritics(text, options: options))
        case .bytes(let pattern):
            let isLowered = options.contains(.caseInsensitive) && text.isASCII
            var text = !options.folds || text.isASCII ? text : StringFolding.fold(text, options: options)
            return text.withUTF8 {
                ByteSearch(text: $0, ignoresCase: isLowered).satisfies(op, pattern: pattern)
            }
        }
    }

    /// Returns the regular expression that a pattern of MATCHES is compared as, on texts without diacritics if they don't count.
    /// Throws for a pattern that is none, or too long.
    package static func expression(
        _ pattern: String, options: ComparisonOptions
    ) throws(EvaluationFailure) -> String {
        _ = try cached(.matches, pattern: pattern, options: options)
        return withoutDiacritics(pattern, options: options)
    }

    /// Case is the regular expression's own business.
    private static func withoutDiacritics(_ text: String, options: ComparisonOptions) -> String {
        options.contains(.diacriticInsensitive)
            ? StringFolding.fold(text, options: .diacriticInsensitive) : text
    }
}

/// Searches for prepared bytes in a text.
private struct ByteSearch {
    let text: UnsafeBufferPointer<UInt8>
    /// The text is ASCII and not yet in lower case.
    let ignoresCase: Bool

    /// As on Apple's systems, nothing contains the empty string, nor begins or ends with it.
    func satisfies(_ op: ComparisonOperator, pattern: [UInt8]) -> Bool {
        switch op {
        case .contains: !pattern.isEmpty && contains(pattern)
        case .beginsWith: !pattern.isEmpty && isEqual(pattern, at: 0)
        case .endsWith: !pattern.isEmpty && isEqual(pattern, at: text.count - pattern.count)
        case .equalTo: text.count == pattern.count && isEqual(pattern, at: 0)
        case .notEqualTo: text.count != pattern.count || !isEqual(pattern, at: 0)
        case .lessThan: order(pattern) < 0
        case .lessThanOrEqualTo: order(pattern) <= 0
        case .greaterThan: order(pattern) > 0
        case .greaterThanOrEqualTo: order(pattern) >= 0
        case .like, .matches, .in, .between, .customSelector: false
        }
    }

    private func byte(_ index: Int) -> UInt8 {
        ignoresCase ? StringFolding.lowercase(text[index]) : text[index]
    }

    private func isEqual(_ pattern: [UInt8], at start: Int) -> Bool {
        guard start >= 0, start + pattern.count <= text.count else { return false }
        for index in pattern.indices where byte(start + index) != pattern[index] { return false }
        return true
    }

    private func contains(_ pattern: [UInt8]) -> Bool {
        guard text.count >= pattern.count else { return false }
        for start in 0...(text.count - pattern.count) where byte(start) == pattern[0] {
            if isEqual(pattern, at: start) { return true }
        }
        return false
    }

    private func order(_ pattern: [UInt8]) -> Int {
        for index in 0..<min(text.count, pattern.count) {
            let byte = byte(index)
            if byte != pattern[index] { return byte < pattern[index] ? -1 : 1 }
        }
        return text.count - pattern.count
    }
}

extension StringMatcher {
    /// By bytes: strings that are canonically equal are equal in Swift.
    private struct Key: Hashable {
        let op: ComparisonOperator
        let pattern: [UInt8]
        let options: ComparisonOptions
    }

    private static let cache = Mutex<[Key: StringMatcher]>([:])

    /// A matcher that is shared between evaluations; patterns take long to compile.
    package static func cached(
        _ op: ComparisonOperator, pattern: String, options: ComparisonOptions
    ) throws(EvaluationFailure) -> StringMatcher {
        guard op == .like || op == .matches || !pattern.isASCII else {
            return try StringMatcher(op, pattern: pattern, options: options)
        }
        let key = Key(op: op, pattern: Array(pattern.utf8), options: options)
        if let known = cache.withLock({ $0[key] }) { return known }
        let made = try StringMatcher(op, pattern: pattern, options: options)
        cache.withLock { cache in
            if cache.count >= 128 { cache.removeAll(keepingCapacity: true) }
            cache[key] = made
        }
        return made
    }
}
