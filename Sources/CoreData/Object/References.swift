// Whether a value is a certain object.

/// Whether a value is this very object. Sets ask for every collision, and a cast of `Any` costs more than all else that
/// they do.
@inline(__always)
func isReference<Object: AnyObject>(_ object: Object, in value: Any?) -> Bool {
    guard let value else { return false }
    if type(of: value) == type(of: object) as Any.Type {
        // The value is an object of a class, so its first word is the reference.
        return withUnsafeBytes(of: value) { $0.load(as: UnsafeRawPointer.self) }
            == UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
    return type(of: value) is AnyClass ? false : value as? Object === object
}
