// References to models that don't keep them alive.

import CModelConstruction

/// A reference to a model that doesn't keep it alive, and is nil once its destruction has begun.
///
/// What `weak` is, but counted within the model: a weak reference allocates a table for each object that it leads to, and every
/// reference to that object is then counted by way of the table. In exchange the memory of a destroyed model stays until the
/// reference leads elsewhere or ends. As with a weak one, the model may be destroyed on any thread meanwhile.
struct ModelReference: ~Copyable {
    private var address: UnsafeMutableRawPointer?

    init() {}

    deinit {
        if let address { swift_unownedRelease(address) }
    }

    @inline(__always)
    var model: AnyObject? {
        guard let alive = swift_tryRetain(address) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(alive).takeRetainedValue()
    }

    /// Indicates that the reference leads to no model, not even one whose destruction has begun.
    @inline(__always)
    var isEmpty: Bool { address == nil }

    /// Leads to a model from now on, or nowhere. A function, as a setter would count the model once more.
    @inline(__always)
    mutating func lead(to model: __shared AnyObject?) {
        let old = address
        address = model.map { Unmanaged.passUnretained($0).toOpaque() }
        if let address { swift_unownedRetain(address) }
        if let old { swift_unownedRelease(old) }
    }
}
