// The name that the compiler gives a method for the Objective-C runtime.

extension ScannedMethod {
    /// `fullNameForFirst:last:` of `fullName(forFirst:last:)`: the first label belongs to the method's name, behind "With" unless a
    /// preposition stands there.
    package var objectiveCSelector: String {
        if let selector { return selector }
        guard let first = parameters.first else { return name }
        let labels = [Self.joined(name, to: first.label)] + parameters.dropFirst().map(\.label)
        return labels.map { $0 + ":" }.joined()
    }

    /// The prepositions that the compiler knows.
    private static let prepositions: Set<String> = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for",
        "from", "given",
        "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to",
        "until",
        "using", "via", "when", "with", "within",
    ]

    private static func joined(_ name: String, to label: String) -> String {
        guard let letter = label.first else { return name }
        let word = label.prefix(1) + label.dropFirst().prefix { !$0.isUppercase }
        let last = name.reversed().prefix { !$0.isUppercase }
        let ending = String(name.suffix(last.count + 1))
        let isPreposed =
            prepositions.contains(word.lowercased()) || prepositions.contains(ending.lowercased())
        return name + (isPreposed ? "" : "With") + letter.uppercased() + label.dropFirst()
    }
}
