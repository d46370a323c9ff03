// The check that a value is a certain object.

/// Returns whether a value is this very object. Sets ask for every collision, and a cast of `Any` costs more
/// than all else that they do.
@inline(__always)
func isReference<Object: AnyObject>(_ object: Object, in value: Any?) -> Bool {
    guard let value else { return false }
    if let other = sameType(as: object, value) {
        return other.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
    }
    return type(of: value) is AnyClass ? false : value as? Object === object
}

/// The object that a value is, if it is one of exactly the same class; valid as long as the value.
@inline(__always)
func sameType<Object: AnyObject>(as object: Object, _ value: Any) -> Unmanaged<Object>? {
    guard type(of: value) == type(of: object) as Any.Type else { return nil }
    // The value is an object of a class, so its first word is the reference.
    return withUnsafeBytes(of: value) { Unmanaged.fromOpaque($0.load(as: UnsafeRawPointer.self)) }
}
