// Questions to classes that only the Objective-C runtime answers: off Apple's systems `AnyClass` has no members.

/// Asks with functions that both have.
struct ClassRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices
        where !file.isForApple[index] && file.token(index - 1)?.is(".") == true {
            if file.matches(["isSubclass", "(", "of", ":"], at: index) {
                subclass(file, index: index, findings: &findings)
            }
            if file.matches(["superclass", "(", ")"], at: index) {
                superclass(file, index: index, findings: &findings)
            }
            if file.matches(["description", "(", ")"], at: index) {
                name(file, index: index, findings: &findings)
            }
        }
    }

    /// `Person.description()`, of a class, is `NSStringFromClass(Person.self)`.
    private func name(_ file: SourceFile, index: Int, findings: inout Findings) {
        let type = file.token(index - 2)?.is("self") == true ? index - 4 : index - 2
        guard let token = file.token(type), token.kind == .identifier, token.text.first?.isUppercase == true,
            file.token(type - 1)?.is(".") != true, type == index - 2 || file.token(type + 1)?.is(".") == true,
            // Not a function of the sources' own.
            !file.tokens.indices.contains(where: { file.matches(["func", "description", "("], at: $0) })
        else { return }
        findings.replace(
            token.range.lowerBound..<file.tokens[index + 2].range.upperBound,
            with: "NSStringFromClass(\(token.text).self)")
    }

    /// `a.isSubclass(of: b)`: whether `b` is among `a` and its superclasses.
    private func subclass(_ file: SourceFile, index: Int, findings: inout Findings) {
        guard let start = file.operandStart(before: index - 1), let close = file.closing(index + 1),
            index + 4 < close
        else { return }
        let other = file.text(ofTokens: index + 4..<close)
        let (from, dot) = (file.tokens[start].range.lowerBound, file.tokens[index - 1].range.lowerBound)
        findings.replace(from..<from, with: "sequence(first: ")
        findings.replace(
            dot..<file.tokens[close].range.upperBound,
            with: " as AnyClass, next: { class_getSuperclass($0) }).contains(where: { $0 == \(other) })")
    }

    /// `a.superclass()` is `class_getSuperclass(a)`.
    private func superclass(_ file: SourceFile, index: Int, findings: inout Findings) {
        guard let start = file.operandStart(before: index - 1), !file.tokens[start].is("super") else {
            return
        }
        let (from, dot) = (file.tokens[start].range.lowerBound, file.tokens[index - 1].range.lowerBound)
        findings.replace(from..<from, with: "class_getSuperclass(")
        findings.replace(dot..<file.tokens[index + 1].range.upperBound, with: "")
    }
}
