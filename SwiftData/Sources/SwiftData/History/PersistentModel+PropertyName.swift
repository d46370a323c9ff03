// The names of properties by key paths of any class of the inheritance.

extension PersistentModel {
    /// Returns the name of the property that a key path reads; nil if it reads none that is stored.
    static func propertyName(of keyPath: AnyKeyPath) -> String? { key(for: keyPath) }
}
