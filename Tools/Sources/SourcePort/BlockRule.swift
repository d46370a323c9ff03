// `@convention(block)` is for the Objective-C runtime: off Apple's systems the compiler can't make or call such closures.

/// Declares names of such types as plain closures elsewhere, and points out other uses.
struct BlockRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices
        where file.matches(["@", "convention", "(", "block", ")"], at: index) && !file.isForApple[index] {
            if !replaceName(file, index: index, findings: &findings) {
                findings.remark(
                    file, offset: file.tokens[index].range.lowerBound,
                    text:
                        "@convention(block) needs the Objective-C runtime: use a closure's type off Apple's systems"
                )
            }
        }
    }

    /// `typealias Handler = @convention(block) (Any) -> Void`
    private func replaceName(_ file: SourceFile, index: Int, findings: inout Findings) -> Bool {
        guard file.matches(["typealias", "_", "="], at: index - 3) else { return false }
        let start = file.lineRange(at: file.tokens[index - 3].range.lowerBound)
        guard let end = endOfType(file, after: index + 4) else { return false }
        let text = file.text(start.lowerBound..<end)
        let attribute = file.tokens[index].range.lowerBound..<file.tokens[index + 5].range.lowerBound
        let plain =
            file.text(start.lowerBound..<attribute.lowerBound) + file.text(attribute.upperBound..<end)
        let indentation = file.indentation(ofLine: start)
        findings.replace(
            start.lowerBound..<end,
            with:
                "\(indentation)#if canImport(ObjectiveC)\n\(text)\n\(indentation)#else\n\(plain)\n\(indentation)#endif"
        )
        return true
    }

    /// The end of the line on which the type ends: no bracket is open, and no arrow follows.
    private func endOfType(_ file: SourceFile, after index: Int) -> Int? {
        var position = index + 1
        while position < file.tokens.count {
            if ["(", "["].contains(file.tokens[position].text) {
                guard let close = file.closing(position) else { return nil }
                position = close
            }
            let line = file.lineRange(at: file.tokens[position].range.lowerBound)
            let next = file.token(position + 1)
            if next == nil || next.map({ $0.range.lowerBound > line.upperBound && !$0.is("-") }) == true {
                return line.upperBound
            }
            position += 1
        }
        return nil
    }
}
