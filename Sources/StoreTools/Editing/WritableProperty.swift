// The properties that a person may set, and the reasons why the others can't be set.

public import CoreData

extension NSEntityDescription {
    /// Says which properties there are, where one is asked for that isn't.
    func missing(_ name: String) -> ToolFailure {
        let names = properties.filter { !($0 is NSFetchedPropertyDescription) }.map(\.name).sorted()
        return ToolFailure(
            "\(self.name ?? "") has no property \"\(name)\"; it has \(names.joined(separator: ", ")).")
    }
}

extension NSAttributeDescription {
    /// The attribute, or the element of a composite one that a path leads to. Throws if it can't be set.
    func writable(_ path: some Sequence<String>, named name: String) throws -> NSAttributeDescription {
        if self is NSDerivedAttributeDescription {
            throw ToolFailure("\"\(name)\" is derived: the store computes it.")
        }
        if isTransient { throw ToolFailure("\"\(name)\" is transient: no store keeps it.") }
        return try element(path)
    }

    /// Returns the element of a composite attribute that a path leads to; the attribute itself if the path is
    /// empty.
    ///
    /// - Throws: `ToolFailure` if there is no such element.
    public func element(_ path: some Sequence<String>) throws -> NSAttributeDescription {
        var target = self
        for part in path {
            let elements = (target as? NSCompositeAttributeDescription)?.elements ?? []
            guard let next = elements.first(where: { $0.name == part }) else {
                throw ToolFailure("\"\(target.name)\" has no element \"\(part)\".")
            }
            target = next
        }
        return target
    }
}
