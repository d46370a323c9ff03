// Functions that make classes while the program runs, which takes the Objective-C runtime.

/// Leaves the bodies of such functions to Apple's systems, with a place for what does their work elsewhere.
struct ClassMakingRule {
    static let warning = "classes made at run time need the Objective-C runtime: do otherwise what this does"

    /// The files with such bodies in conditions, and remarks on them.
    static func applied(_ files: [SourceFile]) -> [(file: SourceFile, remarks: [PortRemark])] {
        files.map { file in
            var findings = Findings()
            var known: Set<Int> = []
            for index in file.tokens.indices
            where file.matches(["objc_allocateClassPair", "("], at: index) && !file.isForApple[index] {
                if let body = Self.body(file, around: index), known.insert(body.lowerBound).inserted {
                    wrap(file, body: body, findings: &findings)
                }
            }
            return (file.applying(findings), findings.remarks)
        }
    }

    /// The braces of the innermost function around a token, if it returns nothing.
    private static func body(_ file: SourceFile, around index: Int) -> ClosedRange<Int>? {
        for start in file.tokens.indices.prefix(index).reversed() where file.tokens[start].is("func") {
            guard let parameters = file.tokens[start...].firstIndex(where: { $0.is("(") }),
                let end = file.closing(parameters),
                let open = file.tokens[end...].firstIndex(where: { $0.is("{") }),
                let close = file.closing(open), open < index, index < close
            else { continue }
            let result = file.tokens[end...open].contains { $0.is(">") }
            return result ? nil : open...close
        }
        return nil
    }

    private static func wrap(_ file: SourceFile, body: ClosedRange<Int>, findings: inout Findings) {
        let first = file.lineRange(at: file.tokens[body.lowerBound].range.lowerBound)
        let last = file.lineRange(at: file.tokens[body.upperBound].range.lowerBound)
        // Nothing of the body may stand on the lines of its braces.
        guard file.tokens[body.lowerBound + 1].range.lowerBound > first.upperBound,
            file.firstVisible(last) == file.tokens[body.upperBound].range.lowerBound
        else { return }
        findings.replace(first.upperBound..<first.upperBound, with: "\n#if canImport(ObjectiveC)")
        findings.replace(
            last.lowerBound..<last.lowerBound, with: "#else\n#warning(\"\(warning)\")\n#endif\n")
        findings.remark(file, offset: first.lowerBound, text: warning)
    }
}
