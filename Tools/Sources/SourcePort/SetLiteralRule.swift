// Literals of Foundation's sets: off Apple's systems a literal makes Swift's collections only.

/// Makes `let members: NSSet = [a, b]` and `members = [a, b] as NSSet` sets of arrays.
struct SetLiteralRule {
    private static let types: Set<String> = ["NSSet", "NSMutableSet"]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where Self.types.contains(file.tokens[index].text) {
            guard !file.isForApple[index] else { continue }
            let type = file.tokens[index].text
            if file.token(index - 1)?.is(":") == true {
                declared(file, index: index, type: type, findings: &findings)
            }
            if file.matches(["as"], at: index - 1) || file.matches(["as"], at: index - 2) {
                fallback(file, index: index, type: type, findings: &findings)
            }
            if file.matches(["]", "as"], at: index - 2) {
                cast(file, index: index, type: type, findings: &findings)
            }
        }
    }

    private func declared(_ file: SourceFile, index: Int, type: String, findings: inout Findings) {
        let equals = file.token(index + 1)?.is("?") == true ? index + 2 : index + 1
        guard file.matches(["=", "["], at: equals), let close = file.closing(equals + 1) else { return }
        wrap(file, open: equals + 1, close: close, type: type, findings: &findings)
    }

    private func cast(_ file: SourceFile, index: Int, type: String, findings: inout Findings) {
        let close = index - 2
        let open = file.tokens[..<close].indices.last { file.tokens[$0].is("[") && file.closing($0) == close }
        // Not a subscript.
        guard let open, !file.isOperand(before: open) else { return }
        wrap(file, open: open, close: close, type: type, findings: &findings)
        findings.replace(
            file.tokens[close].range.upperBound..<file.tokens[index].range.upperBound, with: "")
    }

    /// `(value as? NSSet) ?? []`, `value as! NSSet? ?? []`
    private func fallback(_ file: SourceFile, index: Int, type: String, findings: inout Findings) {
        var next = index + 1
        if file.token(next)?.is("?") == true, file.isAdjacent(index, and: next) { next += 1 }
        while file.token(next)?.is(")") == true { next += 1 }
        guard file.matches(["?", "?", "["], at: next), file.isAdjacent(next, and: next + 1),
            let close = file.closing(next + 2)
        else { return }
        wrap(file, open: next + 2, close: close, type: type, findings: &findings)
    }

    private func wrap(
        _ file: SourceFile, open: Int, close: Int, type: String, findings: inout Findings
    ) {
        let (start, end) = (file.tokens[open].range.lowerBound, file.tokens[close].range.upperBound)
        findings.replace(start..<start, with: "\(type)(array: ")
        findings.replace(end..<end, with: ")")
    }
}
