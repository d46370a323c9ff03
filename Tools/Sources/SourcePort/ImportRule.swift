// Modules that only Apple's systems have.

/// Imports them where they are.
struct ImportRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.tokens[index].is("import") && !file.isForApple[index] {
            guard let module = module(file, index), AppleModules.names.contains(module) else { continue }
            let line = file.lineRange(at: file.tokens[index].range.lowerBound)
            guard onlyAttributesPrecede(file, line, index) else { continue }
            let text = file.text(line)
            findings.replace(line, with: "#if canImport(\(module))\n\(text)\n#endif")
            if ShimRule.modules.contains(module) { continue }
            findings.remark(
                file, line.lowerBound,
                "only Apple's systems have \(module): what the file uses of it must go "
                    + "into the same condition")
        }
    }

    /// The module of `import UIKit`, `import class UIKit.UIView`, `import UIKit.UIGestureRecognizerSubclass`.
    private func module(_ file: SourceFile, _ index: Int) -> String? {
        let kinds: Set<String> = ["class", "struct", "enum", "protocol", "typealias", "func", "var", "let"]
        guard let first = file.token(index + 1) else { return nil }
        return kinds.contains(first.text) ? file.token(index + 2)?.text : first.text
    }

    /// `@preconcurrency import`, `public import`: attributes and access before the word.
    private func onlyAttributesPrecede(_ file: SourceFile, _ line: Range<Int>, _ index: Int) -> Bool {
        file.tokens[..<index].reversed().prefix { $0.range.lowerBound >= line.lowerBound }.allSatisfy {
            token in
            token.kind == .identifier || ["@", "(", ")"].contains(token.text)
        }
    }
}
