// `#keyPath(Person.name)` and `#selector(getter: Person.name)` are strings that the Objective-C runtime makes.

/// Writes key paths as strings, and as Swift's own key paths where a method takes them.
struct KeyPathRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        if file.isInterpolation { interpolatedSelector(file, findings: &findings) }
        for index in file.tokens.indices where !file.isForApple[index] {
            switch file.tokens[index].text {
            case "#keyPath": keyPath(file, index: index, findings: &findings)
            case "NSStringFromSelector": selectorName(file, index: index, findings: &findings)
            default: break
            }
        }
    }

    private func keyPath(_ file: SourceFile, index: Int, findings: inout Findings) {
        guard let (names, close) = path(file, open: index + 1) else { return }
        let range = file.tokens[index].range.lowerBound..<file.tokens[close].range.upperBound
        if let label = sortDescriptorLabel(file, index: index, close: close), names.count == 2,
            isType(names[0])
        {
            findings.replace(label, with: "keyPath: \\\(names.joined(separator: "."))")
        } else {
            findings.replace(range, with: "\"\(key(names))\"")
        }
    }

    /// `NSStringFromSelector(#selector(getter: Person.name))` is `"name"`.
    private func selectorName(_ file: SourceFile, index: Int, findings: inout Findings) {
        guard file.matches(["(", "#selector", "("], at: index + 1),
            let inner = file.closing(index + 3), let outer = file.closing(index + 1), outer == inner + 1,
            let name = SelectorName.name(file, range: (index + 4)..<inner)
        else { return }
        findings.replace(
            file.tokens[index].range.lowerBound..<file.tokens[outer].range.upperBound, with: "\"\(name)\"")
    }

    /// `"\(#selector(Person.value(forKey:)))"` has the selector's name in the string.
    private func interpolatedSelector(_ file: SourceFile, findings: inout Findings) {
        guard file.matches(["#selector", "("], at: 0), let close = file.closing(1),
            close == file.tokens.count - 1, !file.isForApple[0],
            let name = SelectorName.name(file, range: 2..<close)
        else { return }
        findings.replace(
            file.tokens[0].range.lowerBound..<file.tokens[close].range.upperBound, with: "\"\(name)\"")
    }

    /// The names in parentheses, if nothing else stands there.
    private func path(_ file: SourceFile, open: Int) -> (names: [String], close: Int)? {
        guard file.token(open)?.is("(") == true, let close = file.closing(open) else { return nil }
        let inside = file.tokens[(open + 1)..<close]
        guard inside.allSatisfy({ $0.kind == .identifier || $0.is(".") || $0.is("?") || $0.is("!") }) else {
            return nil
        }
        let names = inside.filter { $0.kind == .identifier }.map { unquoted($0.text) }
        return names.isEmpty ? nil : (names, close)
    }

    /// `NSSortDescriptor(key: #keyPath(Person.name), ascending: …)`: the range of label and key.
    private func sortDescriptorLabel(_ file: SourceFile, index: Int, close: Int) -> Range<Int>? {
        guard file.matches(["NSSortDescriptor", "(", "key", ":"], at: index - 4),
            let end = file.closing(index - 3)
        else { return nil }
        let arguments = file.arguments(open: index - 3, close: end)
        guard arguments.count == 2, file.matches(["ascending", ":"], at: arguments[1].lowerBound) else {
            return nil
        }
        return file.tokens[index - 2].range.lowerBound..<file.tokens[close].range.upperBound
    }

    /// Without the type, or types, that the path begins at.
    private func key(_ names: [String]) -> String {
        let rest = names.drop { isType($0) || $0 == "self" }
        return (rest.isEmpty ? names.suffix(1) : rest).joined(separator: ".")
    }

    private func isType(_ name: String) -> Bool { name.first?.isUppercase == true }

    private func unquoted(_ name: String) -> String { name.filter { $0 != "`" } }
}
