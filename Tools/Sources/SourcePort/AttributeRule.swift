// `@objc`, `@objc(Name)` and `@objcMembers` are errors without the Objective-C runtime. They move into a condition
// above the declaration.

/// Puts attributes of the Objective-C runtime into `#if canImport(ObjectiveC)`.
struct AttributeRule {
    private static let attributes: Set<String> = ["objc", "objcMembers"]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for (index, token) in file.tokens.enumerated() where token.text == "@" && !file.isForApple[index] {
            guard let name = file.token(index + 1), Self.attributes.contains(name.text) else { continue }
            let end = endOfAttribute(file, index: index)
            move(token.range.lowerBound..<end, at: index, in: file, findings: &findings)
            if file.matches(["optional"], at: index + 2) {
                findings.remark(
                    file, offset: token.range.lowerBound,
                    text:
                        "optional requirements need the Objective-C runtime: give the method an empty default in an "
                        + "extension of the protocol instead")
            }
        }
    }

    /// Behind the parenthesis of `@objc(Name)`, which stands right behind the word.
    private func endOfAttribute(_ file: SourceFile, index: Int) -> Int {
        let name = file.tokens[index + 1]
        guard let open = file.token(index + 2), open.is("("), open.range.lowerBound == name.range.upperBound,
            let close = file.closing(index + 2)
        else { return name.range.upperBound }
        return file.tokens[close].range.upperBound
    }

    private func move(_ range: Range<Int>, at index: Int, in file: SourceFile, findings: inout Findings) {
        let line = file.lineRange(at: range.lowerBound)
        let start = file.firstVisible(line)
        let indentation = file.indentation(ofLine: line)
        let attribute = file.text(range)
        let lines =
            "\(indentation)#if canImport(ObjectiveC)\n\(indentation)\(attribute)\n\(indentation)#endif"
        let end = file.firstVisible(range.upperBound..<line.upperBound)
        if range.lowerBound == start, end == line.upperBound {
            // Alone on its line, it stays there.
            findings.replace(line.lowerBound..<line.upperBound, with: lines)
        } else if startsDeclaration(file, line: line, before: index) {
            findings.replace(line.lowerBound..<line.lowerBound, with: lines + "\n")
            findings.replace(range.lowerBound..<end, with: "")
        } else {
            findings.replace(range.lowerBound..<end, with: "\n" + lines + "\n" + indentation)
        }
    }

    /// Returns whether only modifiers and other attributes stand before it on its line.
    private func startsDeclaration(_ file: SourceFile, line: Range<Int>, before index: Int) -> Bool {
        file.tokens[..<index].reversed().prefix { $0.range.lowerBound >= line.lowerBound }.allSatisfy {
            $0.kind == .identifier
                && !["class", "struct", "enum", "extension", "func", "var", "let", "case", "in"]
                    .contains($0.text)
                || $0.is("@") || $0.is("(") || $0.is(")") || $0.is(",") || $0.is("*")
                || $0.kind == .number
        }
    }
}
