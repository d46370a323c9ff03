// The match of a composite attribute's elements with those of an older version.

extension AttributeTraits {
    /// The names of older elements by newer name, by the rules for properties.
    package func elementSources(in older: AttributeTraits) -> [String: String] {
        func names(_ elements: [PropertySchema]) -> [RenamedName] {
            elements.map { RenamedName(name: $0.name, renamingIdentifier: $0.renamingIdentifier) }
        }
        return RenamingMatch.sources(of: names(elements), in: names(older.elements))
    }

    /// Returns an element's path in an older version; nil for an element that is new.
    package func formerPath(of path: String, in older: AttributeTraits) -> String? {
        var (here, there) = (self, older)
        var steps: [String] = []
        for name in path.split(separator: ".").map(String.init) {
            guard let source = here.elementSources(in: there)[name],
                let element = here.elements.first(where: { $0.name == name })?.attribute,
                let former = there.elements.first(where: { $0.name == source })?.attribute
            else { return nil }
            steps.append(source)
            (here, there) = (element, former)
        }
        return steps.joined(separator: ".")
    }
}
