/// Carries a value to another thread and back.
///
/// Unchecked because Apple's signatures promise no more: the caller hands the value over and doesn't touch it.
package struct UncheckedReference<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
