// XCTest off Apple's systems waits for expectations only with a limit.

/// Gives `wait(for:)` and `fulfillment(of:)` the argument that they lack.
struct TestingRule {
    /// Seconds after which a test that waits for nothing has failed.
    private static let limit = 600

    func apply(to file: SourceFile, _ findings: inout Findings) {
        guard file.tokens.indices.contains(where: { file.matches(["import", "XCTest"], at: $0) }) else {
            return
        }
        for index in file.tokens.indices where !file.isForApple[index] {
            if file.matches(["XCTContext", ".", "runActivity"], at: index)
                || file.matches(["keyValueObservingExpectation", "("], at: index)
            {
                findings.support.insert(.testing)
            }
            guard
                file.matches(["wait", "(", "for", ":"], at: index)
                    || file.matches(["fulfillment", "(", "of", ":"], at: index),
                !file.matches(["func"], at: index - 1), let close = file.closing(index + 1)
            else { continue }
            let arguments = file.arguments(open: index + 1, close: close)
            let hasTimeout = arguments.contains { file.matches(["timeout", ":"], at: $0.lowerBound) }
            guard !hasTimeout, let first = arguments.first else { continue }
            let end = file.tokens[first.upperBound - 1].range.upperBound
            findings.replace(end..<end, with: ", timeout: \(Self.limit)")
        }
    }
}
