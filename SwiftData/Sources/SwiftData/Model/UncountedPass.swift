// Passes over objects that an array holds.

extension [_ModelObject] {
    /// Calls the closure with each object. Nobody counts references meanwhile: the array keeps the objects, so it must not be one that
    /// the closure changes.
    @inline(__always)
    func each(_ body: (_ModelObject) -> Void) {
        withUnsafeBufferPointer { objects in
            // An array of references has the layout of one of unmanaged references.
            let references = UnsafeRawBufferPointer(objects).assumingMemoryBound(
                to: Unmanaged<_ModelObject>.self)
            for reference in references { reference._withUnsafeGuaranteedRef(body) }
        }
    }
}
