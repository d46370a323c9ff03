// The model to which a storage belongs, before its initialiser is through.

@_spi(Reflection) import Swift

extension _ModelStorage {
    /// Finds the model that is being made by the place of its storage in it: the initialiser of a property sees no more. The
    /// other side of a relationship must know the model at once, or it would make another one for the same object.
    mutating func findModel() {
        if object.model != nil { return }
        guard let modelClass = taker, let offset = modelClass.storageOffset else { return }
        let address = withUnsafeMutablePointer(to: &self) { UInt(bitPattern: $0) }
        guard let start = UnsafeRawPointer(bitPattern: address - UInt(offset)),
            start.load(as: UnsafeRawPointer.self)
                == unsafeBitCast(object.binding.modelClass.type as AnyClass, to: UnsafeRawPointer.self)
        else { return }
        object.model = Unmanaged<AnyObject>.fromOpaque(start).takeUnretainedValue()
    }

    /// The class that declares the storage.
    private var taker: _ModelClass? {
        var next: _ModelClass? = object.binding.modelClass
        while let current = next, current.inheritedCount != base { next = current.superclass }
        return next
    }
}

extension _ModelClass {
    /// The bytes between the beginning of a model and the storage that its class declares.
    static func storageOffset(_ type: any PersistentModel.Type) -> Int? {
        let wanted = "_$\(type)"
        var found: Int?
        _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, _, _ in
            if String(cString: name) == wanted { found = offset }
            return found == nil
        }
        return found
    }
}
