// Accessors for the members of to-many relationships, as Apple spells them.

extension ClassWriter {
    /// One accessor: its name for Objective-C, its declaration, and what it does elsewhere.
    private struct Accessor {
        let selector: String
        let declaration: String
        let body: String
    }

    /// The extension with the accessors of a to-many relationship.
    func members(_ property: PropertyPlan) -> String? {
        guard case .toMany(let isOrdered, let element) = property.kind else { return nil }
        let accessors =
            (isOrdered ? ordered(property, element: element) : [])
            + plain(property, element: element, isOrdered: isOrdered)
        let access = min(property.access, .public).spelling
        let apple = accessors.map {
            ["@objc(\($0.selector))", "@NSManaged \(access) func \($0.declaration)"]
        }
        let ours = accessors.map { ["\(access) func \($0.declaration) { \($0.body) }"] }
        let head = "nonisolated extension \(plan.type) {"
        return """
            // MARK: Generated accessors for \(property.name)

            #if canImport(ObjectiveC)
            \(block(head, members: apple))
            #else
            \(lines(head, members: ours))
            #endif
            """
    }

    private func plain(_ property: PropertyPlan, element: String, isOrdered: Bool) -> [Accessor] {
        let name = Self.capitalized(property.name)
        let place = place(property)
        let collection =
            isOrdered ? "NSOrderedSet" : property.type.hasPrefix("NSSet") ? "NSSet" : property.type
        return [
            Accessor(
                selector: "add\(name)Object:", declaration: "addTo\(name)(_ value: \(element))",
                body: "add(value, to: \(place))"),
            Accessor(
                selector: "remove\(name)Object:", declaration: "removeFrom\(name)(_ value: \(element))",
                body: "remove(value, from: \(place))"),
            Accessor(
                selector: "add\(name):", declaration: "addTo\(name)(_ values: \(collection))",
                body: "add(values, to: \(place))"),
            Accessor(
                selector: "remove\(name):", declaration: "removeFrom\(name)(_ values: \(collection))",
                body: "remove(values, from: \(place))"),
        ]
    }

    private func ordered(_ property: PropertyPlan, element: String) -> [Accessor] {
        let name = Self.capitalized(property.name)
        let place = place(property)
        let indexes = "\(names("IndexSet"))(indexes)"
        return [
            Accessor(
                selector: "insertObject:in\(name)AtIndex:",
                declaration: "insertInto\(name)(_ value: \(element), at idx: \(names("Int")))",
                body: "insert(value, into: \(place), at: idx)"),
            Accessor(
                selector: "removeObjectFrom\(name)AtIndex:",
                declaration: "removeFrom\(name)(at idx: \(names("Int")))",
                body: "removeObject(at: idx, from: \(place))"),
            Accessor(
                selector: "insert\(name):atIndexes:",
                declaration: "insertInto\(name)(_ values: [\(element)], at indexes: NSIndexSet)",
                body: "insert(values, into: \(place), at: \(indexes))"),
            Accessor(
                selector: "remove\(name)AtIndexes:",
                declaration: "removeFrom\(name)(at indexes: NSIndexSet)",
                body: "removeObjects(at: \(indexes), from: \(place))"),
            Accessor(
                selector: "replaceObjectIn\(name)AtIndex:withObject:",
                declaration: "replace\(name)(at idx: \(names("Int")), with value: \(element))",
                body: "replaceObject(at: idx, in: \(place), with: value)"),
            Accessor(
                selector: "replace\(name)AtIndexes:with\(name):",
                declaration: "replace\(name)(at indexes: NSIndexSet, with values: [\(element)])",
                body: "replaceObjects(at: \(indexes), in: \(place), with: values)"),
        ]
    }

    private static func capitalized(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}
