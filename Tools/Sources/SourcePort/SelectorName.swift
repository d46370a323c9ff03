// The Objective-C runtime's name for a method that `#selector` names.

/// Names of selectors, as far as the Swift name tells them.
enum SelectorName {
    /// `name` for `getter: Person.name`, `valueForKey:` for `NSManagedObject.value(forKey:)`; nil for names that an import
    /// or `@objc(…)` may have changed.
    static func name(_ file: SourceFile, range: Range<Int>) -> String? {
        let isGetter = file.matches(["getter", ":"], at: range.lowerBound)
        let start = isGetter ? range.lowerBound + 2 : range.lowerBound
        let path = file.tokens[start..<range.upperBound].prefix { $0.kind == .identifier || $0.is(".") }
        guard let base = path.last(where: { $0.kind == .identifier })?.text.filter({ $0 != "`" }) else {
            return nil
        }
        let end = start + path.count
        if end == range.upperBound { return base }
        guard !isGetter, file.token(end)?.is("(") == true, file.closing(end) == range.upperBound - 1 else {
            return nil
        }
        var labels: [String] = []
        for index in stride(from: end + 1, to: range.upperBound - 1, by: 2) {
            guard file.tokens[index].kind == .identifier, file.token(index + 1)?.is(":") == true else {
                return nil
            }
            labels.append(file.tokens[index].text)
        }
        return name(base, labels: labels)
    }

    private static func name(_ base: String, labels: [String]) -> String? {
        guard let first = labels.first else { return base }
        guard first == "_" || startsWithPreposition(first),
            labels.dropFirst().allSatisfy({ $0 != "_" && !prepositions.contains($0) })
        else { return nil }
        let head = first == "_" ? "" : first.prefix(1).uppercased() + first.dropFirst()
        return ([base + head] + labels.dropFirst()).map { $0 + ":" }.joined()
    }

    private static let prepositions: Set<String> = [
        "of", "in", "on", "at", "by", "to", "for", "from", "with", "as", "into", "using",
    ]

    /// `forKey`, `withName`: what was cut off the base name.
    private static func startsWithPreposition(_ label: String) -> Bool {
        prepositions.contains { label.hasPrefix($0) && label.dropFirst($0.count).first?.isUppercase == true }
    }
}
