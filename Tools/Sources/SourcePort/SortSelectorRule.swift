// `NSSortDescriptor(key: "name", ascending: true, selector: #selector(NSString.localizedStandardCompare(_:)))`: CoreData
// has the comparisons as values, which `PortSupport` declares for Apple's systems.

/// Writes the selectors of sort descriptors as `.localizedStandardCompare`.
struct SortSelectorRule {
    static let comparisons = [
        "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
        "localizedStandardCompare",
    ]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        comparators(file, findings: &findings)
        for index in file.tokens.indices where file.matches(["selector", ":", "#selector", "("], at: index) {
            guard !file.isForApple[index], let close = file.closing(index + 3),
                let name = comparison(file, range: (index + 4)..<close),
                isOf("NSSortDescriptor", file: file, index: index)
            else { continue }
            let start = file.tokens[index + 2].range.lowerBound
            findings.replace(start..<file.tokens[close].range.upperBound, with: ".\(name)")
            findings.support.insert(.comparisons)
        }
    }

    /// `SortDescriptor(\.name, comparator: .localizedStandard)` compares strings that way without saying so.
    private func comparators(_ file: SourceFile, findings: inout Findings) {
        let argument = [",", "comparator", ":", ".", "localizedStandard"]
        for index in file.tokens.indices where file.matches(argument, at: index) {
            guard !file.isForApple[index], isOf("SortDescriptor", file: file, index: index) else { continue }
            let range = file.tokens[index].range.lowerBound..<file.tokens[index + 4].range.upperBound
            findings.replace(range, with: "")
        }
    }

    /// The method in `NSString.localizedStandardCompare(_:)` or `NSString.localizedStandardCompare`.
    private func comparison(_ file: SourceFile, range: Range<Int>) -> String? {
        let path = file.tokens[range].prefix { $0.kind == .identifier || $0.is(".") }
        let rest = file.text(ofTokens: range.lowerBound + path.count..<range.upperBound)
        guard let name = path.last?.text, Self.comparisons.contains(name), rest.isEmpty || rest == "(_:)"
        else { return nil }
        return name
    }

    /// Indicates whether the argument at an index is one of `NSSortDescriptor(…)` or `NSSortDescriptor.init(…)`.
    private func isOf(_ type: String, file: SourceFile, index: Int) -> Bool {
        var depth = 0
        for position in file.tokens[..<index].indices.reversed() {
            switch file.tokens[position].text {
            case ")", "]", "}": depth += 1
            case "(", "[", "{":
                if depth == 0 {
                    let callee = file.token(position - 1)?.is("init") == true ? position - 3 : position - 1
                    return file.token(callee)?.is(type) == true
                }
                depth -= 1
            default: break
            }
        }
        return false
    }
}
