// The members of types, as the rules for overrides compare them.

/// A variable or a function between the braces of a type.
struct DeclaredMember {
    /// `class var name`, ` func name _:`: what an override has too. Types of parameters don't tell functions of one name apart.
    let declaration: String
    /// The words and attributes before it, `override` among them.
    var words: [String]
    /// The first of these, and `var` or `func`.
    let first: Int
    let position: Int
    /// The braces of its body.
    let body: ClosedRange<Int>

    var isOfClass: Bool { words.contains("class") || words.contains("static") }
    var isOverride: Bool { words.contains("override") }
}

extension SourceFile {
    /// The members with a body between a type's braces, without those that are left to Apple's systems already.
    func declaredMembers(in braces: ClosedRange<Int>) -> [DeclaredMember] {
        var depth = 0
        return (braces.lowerBound + 1..<braces.upperBound).compactMap { position in
            if ["}", ")", "]"].contains(tokens[position].text) { depth -= 1 }
            defer { if ["{", "(", "["].contains(tokens[position].text) { depth += 1 } }
            guard depth == 0, !isForApple[position], ["var", "func"].contains(tokens[position].text)
            else { return nil }
            return declaredMember(at: position, end: braces.upperBound)
        }
    }

    private func declaredMember(at position: Int, end: Int) -> DeclaredMember? {
        guard let name = token(position + 1),
            let open = tokens[position..<end].firstIndex(where: { $0.is("{") }), let close = closing(open)
        else { return nil }
        var first = position
        var words: [String] = []
        while let earlier = token(first - 1)?.is("override") == true ? first - 1 : modifier(before: first) {
            words.insert(text(ofTokens: earlier..<first), at: 0)
            first = earlier
        }
        let kind = words.contains("class") || words.contains("static") ? "class" : ""
        return DeclaredMember(
            declaration: ([kind, tokens[position].text, name.text] + labels(at: position)).joined(
                separator: " "),
            words: words, first: first, position: position, body: open...close)
    }

    /// The labels of a function's parameters.
    private func labels(at position: Int) -> [String] {
        guard tokens[position].is("func"), token(position + 2)?.is("(") == true,
            let close = closing(position + 2)
        else { return [] }
        return arguments(open: position + 2, close: close).map { tokens[$0.lowerBound].text + ":" }
    }

    /// A member from `var` or `func` to its end, under another name.
    func text(of member: DeclaredMember, renamed: String) -> String {
        let name = tokens[member.position + 1].range
        return text(tokens[member.position].range.lowerBound..<name.lowerBound) + renamed
            + text(name.upperBound..<tokens[member.body.upperBound].range.upperBound)
    }

    // MARK: Calls

    /// The arguments by which a function hands on its own parameters, `(value, forKey: key)`; nil for a parameter without a type.
    func forwardedArguments(open: Int, close: Int) -> String? {
        var values: [String] = []
        for argument in arguments(open: open, close: close) {
            guard let colon = tokens[argument].firstIndex(where: { $0.is(":") }) else { return nil }
            let label = tokens[argument.lowerBound].text
            let value = (token(colon + 1)?.is("inout") == true ? "&" : "") + tokens[colon - 1].text
            values.append(label == "_" ? value : "\(label): \(value)")
        }
        return "(\(values.joined(separator: ", ")))"
    }

    /// The words before the call of a function, which has these tokens between its parameters and its body.
    func effects(ofCall tokens: Range<Int>) -> String {
        let words = self.tokens[tokens].map(\.text)
        return (words.contains("throws") ? "try " : "") + (words.contains("async") ? "await " : "")
    }

    /// The accessors that a variable's body names.
    func accessors(in body: ClosedRange<Int>) -> Set<String> {
        var depth = 0
        return Set(
            body.compactMap { index in
                if tokens[index].is("{") { depth += 1 }
                if tokens[index].is("}") { depth -= 1 }
                let word = tokens[index].text
                let isAccessor = ["get", "set", "willSet", "didSet"].contains(word)
                return depth == 1 && isAccessor && token(index + 1)?.is("{") == true ? word : nil
            })
    }
}
