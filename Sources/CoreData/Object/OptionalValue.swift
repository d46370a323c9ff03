// Optionals of types that only generic code knows.

/// Turns `Optional<Optional<…>>.none` hidden in `Any` into `nil`.
func flattened<Value>(_ value: Value) -> Any? {
    if let optional = value as? any OptionalValue { return optional.content }
    return value
}

/// The members of an optional that generic code needs.
protocol OptionalValue {
    var content: Any? { get }
    /// nil of the type.
    static var nothing: Self { get }
}

extension Optional: OptionalValue {
    static var nothing: Self { nil }

    var content: Any? {
        switch self {
        case .none: nil
        case .some(let value): (value as? any OptionalValue).map(\.content) ?? value
        }
    }
}
