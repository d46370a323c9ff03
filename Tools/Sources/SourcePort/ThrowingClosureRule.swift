// A context's blocks say which errors they throw, and Swift finds that out by their `try`. It doesn't see those inside macros.

/// Marks closures of `perform` and its kin as throwing where each `try` stands inside a macro, as in
/// `#expect(try context.count(for: request) == 1)`.
struct ThrowingClosureRule {
    private static let callers: Set<String> = ["perform", "performAndWait", "performBackgroundTask"]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where !file.isForApple[index] {
            guard Self.callers.contains(file.tokens[index].text),
                file.token(index - 1)?.is(".") == true || file.token(index - 1)?.is("try") == true
                    || file.token(index - 1)?.is("await") == true,
                let open = closure(file, after: index), let close = file.closing(open)
            else { continue }
            mark(file, open: open, close: close, findings: &findings)
        }
    }

    /// The brace of a trailing closure.
    private func closure(_ file: SourceFile, after index: Int) -> Int? {
        var next = index + 1
        if file.token(next)?.is("(") == true {
            guard let close = file.closing(next) else { return nil }
            next = close + 1
        }
        return file.token(next)?.is("{") == true ? next : nil
    }

    private func mark(_ file: SourceFile, open: Int, close: Int, findings: inout Findings) {
        let head = signature(file, open: open, close: close)
        guard throwsInMacrosOnly(file, range: (head ?? open) + 1..<close) else { return }
        guard let head else {
            // Names of parameters would have to be made up.
            guard !file.tokens[open..<close].contains(where: { $0.text.hasPrefix("$") }) else { return }
            let place = file.tokens[open].range.upperBound
            return findings.replace(place..<place, with: " () throws in")
        }
        if file.tokens[open..<head].contains(where: { $0.is("throws") || $0.is("->") }) { return }
        // Captures alone are no parameters.
        let hasParameters = file.tokens[head - 1].is("]") == false
        let place = file.tokens[head].range.lowerBound
        findings.replace(place..<place, with: hasParameters ? "throws " : "() throws ")
    }

    /// The index of the word `in` that ends a closure's signature.
    private func signature(_ file: SourceFile, open: Int, close: Int) -> Int? {
        var index = open + 1
        let words: Set<String> = [",", ":", "->", "async", "throws", "_", "@", "."]
        while index < close {
            let token = file.tokens[index]
            if token.is("in") { return index }
            if token.is("(") || token.is("[") {
                guard let end = file.closing(index) else { return nil }
                index = end + 1
            } else if token.kind == .identifier || words.contains(token.text) {
                index += 1
            } else {
                return nil
            }
        }
        return nil
    }

    private func throwsInMacrosOnly(_ file: SourceFile, range: Range<Int>) -> Bool {
        var hasSome = false
        var index = range.lowerBound
        while index < range.upperBound {
            let token = file.tokens[index]
            if token.is("#expect"), file.token(index + 1)?.is("(") == true, let end = file.closing(index + 1)
            {
                hasSome = hasSome || file.tokens[index..<end].contains { $0.is("try") }
                index = end
            } else if token.is("try"), file.token(index + 1)?.is("?") != true,
                file.token(index + 1)?.is("!") != true
            {
                return false
            }
            index += 1
        }
        return hasSome
    }
}
