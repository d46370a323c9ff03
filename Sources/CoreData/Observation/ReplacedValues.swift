// The values of an object on their way to its observers.

/// The values that an object held before they are replaced.
struct ReplacedValues {
    /// By key.
    let comparable: [String: Any?]
    /// By observer, for those that want it.
    let observed: [ObjectIdentifier: Any]
}
