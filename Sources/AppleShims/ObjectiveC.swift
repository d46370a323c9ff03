// The parts of the Objective-C runtime's module that Swift code uses by name, and the class of an object.

/// Stands for the module of the Objective-C runtime where code names it, as in `ObjectiveC.autoreleasepool { … }`.
public enum ObjectiveC {
    /// Runs a block. There are no autoreleased objects here.
    ///
    /// - Returns: what the block returns.
    /// - Throws: what the block throws.
    public static func autoreleasepool<Result, Failure: Error>(
        invoking body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }
}

/// Returns the class of an object; nil for nil and for classes, which have no classes of their own here.
// swift-format-ignore
public func object_getClass(_ object: Any?) -> AnyClass? {
    guard let object, !(object is AnyClass) else { return nil }
    return type(of: object as AnyObject)
}

/// Returns the class that a class inherits from; nil for one that inherits from none.
// swift-format-ignore
public func class_getSuperclass(_ cls: AnyClass?) -> AnyClass? { cls.flatMap(_getSuperclass) }
