// Off Apple's systems errors are no `CVarArg`, and other objects only where `CoreData` is imported.

/// Hands `error as CVarArg` to a log's format as its description.
struct LogRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where !file.isForApple[index] {
            let isLog =
                ["os_log", "NSLog"].contains(file.tokens[index].text)
                && file.token(index + 1)?.is("(") == true
            guard isLog || file.matches(["String", "(", "format", ":"], at: index),
                let close = file.closing(index + 1)
            else { continue }
            for argument in file.arguments(open: index + 1, close: close) {
                guard let cast = PredicateRule.cast(file, argument: argument),
                    let first = file.token(argument.lowerBound),
                    file.token(argument.lowerBound + 1)?.is(":") != true
                else { continue }
                findings.replace(first.range.lowerBound..<first.range.lowerBound, with: "String(describing: ")
                findings.replace(cast, with: ")")
            }
        }
    }
}
