// Off Apple's systems dates, identifiers and objects are no `CVarArg`, and need not be: predicates take any values.

/// Hands the arguments of a predicate's format over as an array where one is cast to `CVarArg`.
struct PredicateRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.matches(["NSPredicate", "(", "format", ":"], at: index) {
            guard !file.isForApple[index], let close = file.closing(index + 1) else { continue }
            let arguments = file.arguments(open: index + 1, close: close)
            guard arguments.count > 1 else { continue }
            let values = Array(arguments.dropFirst())
            let casts = values.map { cast(file, $0) }
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

    /// The range of ` as CVarArg` at the end of an argument.
    private func cast(_ file: SourceFile, _ argument: Range<Int>) -> Range<Int>? {
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
