// Results in sections.

/// The results that share a section's name.
public struct ResultsSection<Element: PersistentModel, SectionName: Hashable>: RandomAccessCollection,
    Identifiable
{
    /// The value that the results share.
    public let name: SectionName
    private let elements: [Element]

    init(name: SectionName, elements: [Element]) {
        self.name = name
        self.elements = elements
    }

    /// The name.
    public var id: SectionName { name }
    /// The place of the first result.
    public var startIndex: Int { elements.startIndex }
    /// The place after the last result.
    public var endIndex: Int { elements.endIndex }
    /// The result at a place.
    public subscript(position: Int) -> Element { elements[position] }
}

/// The sections of results, in the order in which their first results stand.
public struct ResultsSectionCollection<Element: PersistentModel, SectionName: Hashable>:
    RandomAccessCollection
{
    private let sections: [ResultsSection<Element, SectionName>]
    private let places: [SectionName: Int]

    /// Sections of results. Results of one name that don't stand together make one section all the same.
    init(_ results: [Element], by name: (Element) -> SectionName) {
        var order: [SectionName] = []
        var members: [SectionName: [Element]] = [:]
        for result in results {
            let section = name(result)
            if members[section] == nil { order.append(section) }
            members[section, default: []].append(result)
        }
        sections = order.map { ResultsSection(name: $0, elements: members[$0] ?? []) }
        places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    }

    /// The names of the sections, in their order.
    public var sectionNames: [SectionName] { sections.map(\.name) }
    /// The place of the first section.
    public var startIndex: Int { sections.startIndex }
    /// The place after the last section.
    public var endIndex: Int { sections.endIndex }
    /// The section at a place.
    public subscript(position: Int) -> ResultsSection<Element, SectionName> { sections[position] }

    /// The section of a name; nil if there is none.
    public subscript(sectionName name: SectionName) -> ResultsSection<Element, SectionName>? {
        places[name].map { sections[$0] }
    }

    /// Returns the place of the section of a name; nil if there is none.
    public func index(ofSectionNamed name: SectionName) -> Int? { places[name] }

    /// Returns whether there is a section of a name.
    public func contains(sectionName name: SectionName) -> Bool { places[name] != nil }

    /// Returns the section and the place in it of a result.
    func place(of element: Element) -> (section: Int, item: Int)? {
        for (number, section) in sections.enumerated() {
            if let item = section.firstIndex(of: element) { return (number, item) }
        }
        return nil
    }
}
