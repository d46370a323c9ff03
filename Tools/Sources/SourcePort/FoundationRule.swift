// Spellings of Foundation's that its edition off Apple's systems doesn't have.

/// Writes them as both editions have them.
struct FoundationRule {
    /// Classes that are Foundation's on Apple's systems and CoreData's elsewhere.
    static let moved: Set<String> = [
        "ValueTransformer", "NSExpression", "NSComparisonPredicate", "NSCompoundPredicate",
        "NSKeyValueObservation", "NSKeyValueObservingOptions", "NSKeyValueChange", "NSKeyValueObservedChange",
    ]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where !file.isForApple[index] {
            if file.matches(["ProcessInfo", "(", ")"], at: index), file.token(index - 1)?.is(".") != true {
                let parentheses =
                    file.tokens[index + 1].range.lowerBound..<file.tokens[index + 2].range.upperBound
                findings.replace(parentheses, with: ".processInfo")
            }
            if file.matches(["FileProtectionType", ".", "_", "as"], at: index),
                ["NSObject", "NSString"].contains(file.token(index + 4)?.text ?? "")
            {
                // Only Apple's edition bridges it.
                let end = file.tokens[index + 2].range.upperBound
                findings.replace(end..<end, with: ".rawValue")
            }
            if file.matches(["replaceItem", "(", "at", ":"], at: index) {
                replaceItem(file, index: index, findings: &findings)
            }
            if file.matches(["Foundation", ".", "_"], at: index), file.token(index - 1)?.is("import") != true,
                Self.moved.contains(file.tokens[index + 2].text)
            {
                findings.replace(
                    file.tokens[index].range.lowerBound..<file.tokens[index + 2].range.lowerBound, with: "")
            }
        }
    }

    /// `replaceItem(at:withItemAt:backupItemName:options:resultingItemURL:)` without an interest in the result is
    /// `replaceItemAt(_:withItemAt:backupItemName:options:)`.
    private func replaceItem(_ file: SourceFile, index: Int, findings: inout Findings) {
        guard let close = file.closing(index + 1), let start = file.operandStart(before: index - 1),
            file.token(index - 1)?.is(".") == true
        else { return }
        let arguments = file.arguments(open: index + 1, close: close)
        guard arguments.count == 5,
            file.matches(["resultingItemURL", ":", "nil"], at: arguments[4].lowerBound),
            arguments[4].count == 3
        else { return }
        var first = start
        while ["!", "?", "try"].contains(file.token(first - 1)?.text ?? "") { first -= 1 }
        let begin = file.tokens[first].range.lowerBound
        findings.replace(begin..<begin, with: "_ = ")
        findings.replace(
            file.tokens[index].range.lowerBound..<file.tokens[index + 4].range.lowerBound,
            with: "replaceItemAt(")
        findings.replace(
            file.tokens[arguments[3].upperBound - 1].range.upperBound..<file.tokens[close].range.lowerBound,
            with: "")
    }
}
