// Off Apple's systems only objects and Foundation's values are `CVarArg`s, by `CoreData`. Predicates take any values.

/// Hands the arguments of a predicate's format over as an array where one is cast to `CVarArg`.
struct PredicateRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.matches(["NSPredicate", "(", "format", ":"], at: index) {
            guard !file.isForApple[index], let close = file.closing(index + 1) else { continue }
            let arguments = file.arguments(open: index + 1, close: close)
            guard arguments.count > 1 else { continue }
            if replaceList(file, index: index, arguments: arguments, close: close, findings: &findings) {
                continue
            }
            let values = Array(arguments.dropFirst())
            let casts = values.map { Self.cast(file, argument: $0) }
            guard casts.contains(where: { $0 != nil }), file.token(values[0].lowerBound + 1)?.is(":") != true,
                let first = file.token(values[0].lowerBound),
                let last = file.token(values[values.count - 1].upperBound - 1)
            else { continue }
            findings.replace(
                first.range.lowerBound..<first.range.lowerBound, with: "argumentArray: [")
            for cast in casts.compactMap(\.self) { findings.replace(cast, with: "") }
            findings.replace(last.range.upperBound..<last.range.upperBound, with: "]")
        }
    }

    /// `arguments: getVaList(values)` and `withVaList(values) { NSPredicate(format: text, arguments: $0) }` take their array
    /// as it is: no other system has lists of objects in C's form.
    private func replaceList(
        _ file: SourceFile, index: Int, arguments: [Range<Int>], close: Int, findings: inout Findings
    ) -> Bool {
        guard arguments.count == 2, file.matches(["arguments", ":"], at: arguments[1].lowerBound) else {
            return false
        }
        let value = arguments[1].lowerBound + 2
        let label = file.tokens[value - 2].range.lowerBound
        if file.matches(["getVaList", "("], at: value), let end = file.closing(value + 1) {
            findings.replace(label..<file.tokens[value + 1].range.upperBound, with: "argumentArray: ")
            findings.replace(file.tokens[end].range, with: "")
            return true
        }
        guard let list = enclosingList(file, index: index, close: close) else {
            findings.remark(
                file, offset: label,
                text: "off Apple's systems predicates take no CVaListPointer: hand the array of values on")
            return true
        }
        let values = file.text(ofTokens: list.values)
        findings.replace(
            file.tokens[list.start].range.lowerBound..<file.tokens[index].range.lowerBound, with: "")
        findings.replace(
            label..<file.tokens[arguments[1].upperBound - 1].range.upperBound,
            with: "argumentArray: \(values)")
        findings.replace(
            file.tokens[close].range.upperBound..<file.tokens[close + 1].range.upperBound, with: "")
        return true
    }

    /// The call of `withVaList` whose closure is the predicate alone, and its values.
    private func enclosingList(
        _ file: SourceFile, index: Int, close: Int
    ) -> (start: Int, values: Range<Int>)? {
        guard file.token(close + 1)?.is("}") == true else { return nil }
        var brace = index - 1
        if file.token(brace)?.is("return") == true { brace -= 1 }
        if file.token(brace)?.is("in") == true { brace -= 2 }
        guard file.token(brace)?.is("{") == true, file.token(brace - 1)?.is(")") == true else { return nil }
        let start = file.tokens[..<brace].lastIndex { $0.is("withVaList") }
        guard let start, file.token(start + 1)?.is("(") == true, file.closing(start + 1) == brace - 1 else {
            return nil
        }
        return (start, start + 2..<brace - 1)
    }

    /// The range of ` as CVarArg` at the end of an argument.
    static func cast(_ file: SourceFile, argument: Range<Int>) -> Range<Int>? {
        let end = argument.upperBound
        for length in [2, 3] where argument.count > length {
            let start = end - length
            let spellings =
                length == 2 ? [["as", "CVarArg"]] : [["as", "!", "CVarArg"], ["as", "any", "CVarArg"]]
            if spellings.contains(where: { file.matches($0, at: start) }) {
                return file.tokens[start - 1].range.upperBound..<file.tokens[end - 1].range.upperBound
            }
        }
        return nil
    }
}
