// Extensions of types that only Apple's systems have, as `extension UIView { … }` and `extension Selector: P {}`.

/// Leaves them to Apple's systems.
struct ExtensionRule {
    /// Types that the target declares itself.
    private let ownTypes: Set<String>
    /// Modules of Apple's that a product of the target takes the place of.
    private let replaced: Set<String>

    /// The files with such extensions in conditions.
    static func applied(_ files: [SourceFile], besides replaced: Set<String>) -> [SourceFile] {
        let types = files.flatMap { file in file.tokens.indices.compactMap { file.declaredType($0) } }
        let rule = ExtensionRule(ownTypes: Set(types), replaced: replaced)
        return files.map { file in
            var findings = Findings()
            rule.apply(to: file, &findings)
            return file.applying(findings)
        }
    }

    private func apply(to file: SourceFile, _ findings: inout Findings) {
        var depth = 0
        for index in file.tokens.indices {
            switch file.tokens[index].text {
            case "{": depth += 1
            case "}": depth -= 1
            case "extension" where depth == 0 && !file.isForApple[index]:
                wrap(file, index: index, findings: &findings)
            default: break
            }
        }
    }

    private func wrap(_ file: SourceFile, index: Int, findings: inout Findings) {
        guard let name = file.token(index + 1)?.text, !ownTypes.contains(name),
            name == "Selector" || AppleInterface.has(name, besides: replaced),
            let open = file.tokens[index...].firstIndex(where: { $0.is("{") }), let close = file.closing(open)
        else { return }
        let first = file.lineRange(at: file.tokens[index].range.lowerBound)
        let last = file.lineRange(at: file.tokens[close].range.lowerBound)
        // Nothing else may stand on its lines, and what is inside stays as it is.
        if let next = file.token(close + 1), next.range.lowerBound < last.upperBound { return }
        if let before = file.token(index - 1), before.range.upperBound > first.lowerBound,
            !["public", "private", "fileprivate", "internal", "package"].contains(before.text)
        {
            return
        }
        let text = file.text(first.lowerBound..<last.upperBound)
        findings.replace(
            first.lowerBound..<last.upperBound, with: "#if canImport(ObjectiveC)\n\(text)\n#endif")
    }
}
