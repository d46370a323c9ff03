// The words before the body of an extension, and holds for each of its members.

/// The type that an extension is of, and what its members take over from it.
struct ExtensionHead {
    static let accessLevels: Set<String> = [
        "public", "open", "package", "internal", "fileprivate", "private",
    ]

    let name: String
    let isConstrained: Bool
    /// `@available(iOS 16, *)`, `@MainActor`: attributes that a member may have too.
    let attributes: [String]
    let access: String?
    /// The index of the brace that opens the body.
    let open: Int

    /// - Parameters:
    ///   - file: The source.
    ///   - index: The place of `extension`.
    ///   - open: The place where the body begins.
    init(_ file: SourceFile, index: Int, open: Int) {
        self.open = open
        let head = file.tokens[(index + 1)..<open]
        name = head.prefix { $0.kind == .identifier || $0.is(".") }.last?.text ?? ""
        isConstrained = head.contains { $0.is("where") }
        var attributes: [String] = []
        var access: String?
        var end = index
        while let start = file.modifier(before: end) {
            let word = file.tokens[start].text
            if word == "@" {
                let isForTheRuntime = ["objc", "nonobjc"].contains(file.tokens[start + 1].text)
                if !isForTheRuntime { attributes.insert(file.text(ofTokens: start..<end), at: 0) }
            } else if Self.accessLevels.contains(word) {
                access = word == "private" ? "fileprivate" : word
            }
            end = start
        }
        self.attributes = attributes
        self.access = access
    }
}

extension SourceFile {
    /// The place where the modifier or attribute begins that ends before a token: `private`, `private(set)`, `@objc(name:)`.
    func modifier(before index: Int) -> Int? {
        let modifiers = ExtensionHead.accessLevels.union([
            "final", "class", "static", "nonisolated", "dynamic", "lazy", "weak", "convenience", "required",
        ])
        guard var last = token(index - 1).map({ _ in index - 1 }) else { return nil }
        if tokens[last].is(")") {
            guard let open = opening(last), open > 0 else { return nil }
            last = open - 1
            if modifiers.contains(tokens[last].text) { return last }
            return token(last - 1)?.is("@") == true ? last - 1 : nil
        }
        if token(last - 1)?.is("@") == true { return last - 1 }
        return modifiers.contains(tokens[last].text) ? last : nil
    }
}
