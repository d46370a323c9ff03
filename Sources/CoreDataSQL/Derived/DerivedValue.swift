// A value that a database computed.

/// A value that a trigger computed for a row.
package struct DerivedValue: Sendable, Hashable {
    /// The row, by the number of its entity in the store.
    package let key: ObjectKey
    package let property: String
    /// `nil` where the database tells only that there is another one.
    package let value: SQLBinding?

    package init(key: ObjectKey, property: String, value: SQLBinding?) {
        self.key = key
        self.property = property
        self.value = value
    }
}
