// The value of a composite attribute: a dictionary, in which elements that are composite themselves are dictionaries.

/// Reads and writes elements by their path, such as `position.latitude`.
enum CompositeElements {
    /// Puts a value in its place; nil takes it out.
    static func set(_ value: Any?, at path: ArraySlice<String>, in elements: inout [String: Any]) {
        guard let first = path.first else { return }
        if path.count == 1 {
            elements[first] = value
            return
        }
        var inner = elements[first] as? [String: Any] ?? [:]
        set(value, at: path.dropFirst(), in: &inner)
        elements[first] = inner.isEmpty ? nil : inner
    }

    /// The value in a place; nil if there is none.
    static func value(at path: ArraySlice<String>, in elements: Any?) -> Any? {
        guard let first = path.first else { return elements }
        return value(at: path.dropFirst(), in: (elements as? [String: Any])?[first])
    }

    /// The parts of an element's key path below its attribute.
    static func path(_ keyPath: some StringProtocol) -> ArraySlice<String> {
        String(keyPath).split(separator: "." as Character).map(String.init)[...]
    }
}
