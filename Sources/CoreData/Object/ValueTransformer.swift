// Value transformers, which Foundation has on Apple's systems only: what stands behind transformable attributes.

public import Foundation

/// The name that a value transformer is registered under.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name of that text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension NSValueTransformerName {
    /// Makes a boolean its opposite.
    public static let negateBooleanTransformerName = Self("NSNegateBoolean")
    /// True for nil.
    public static let isNilTransformerName = Self("NSIsNil")
    /// True for anything but nil.
    public static let isNotNilTransformerName = Self("NSIsNotNil")
    /// Reads archives that aren't keyed. No transformer has this name: only Apple's systems can read these.
    public static let unarchiveFromDataTransformerName = Self("NSUnarchiveFromData")
    /// Makes an object of a keyed archive, whatever its class.
    public static let keyedUnarchiveFromDataTransformerName = Self("NSKeyedUnarchiveFromData")
    /// Makes an object of a keyed archive that holds allowed classes only.
    public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}

/// A protocol that gives transformers an initialiser that finds the registered one: an initialiser of a class
/// can't return another object, one of a protocol can. Nothing else should conform.
public protocol ValueTransformerLookup {}

extension ValueTransformerLookup {
    /// The transformer registered under a name. If none is, and the program has one transformer class of that name, with or without
    /// its module, one is made by `init()` and registered. `nil` if there is none, or none of this class.
    public init?(forName name: NSValueTransformerName) {
        guard let known = ValueTransformerRegistry.transformer(name) as? Self else { return nil }
        self = known
    }
}

/// The abstract superclass of transformers from one representation of a value to another.
///
/// For a transformable attribute a transformer makes `Data` of the attribute's object, and the object of the
/// data in `reverseTransformedValue(_:)`; one that derives from `NSSecureUnarchiveFromDataTransformer` is used
/// the other way round. Transformers may be called on any thread.
///
/// ```swift
/// final class Reversal: ValueTransformer {
///     override func transformedValue(_ value: Any?) -> Any? {
///         (value as? String).map { String($0.reversed()) }
///     }
/// }
/// ```
nonisolated open class ValueTransformer: NSObject, ValueTransformerLookup {
    public override init() {
        super.init()
    }

    /// Returns the class of the objects that `transformedValue(_:)` returns.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Returns whether `reverseTransformedValue(_:)` works: true unless overridden.
    open class func allowsReverseTransformation() -> Bool { true }

    /// Returns the value in the other representation: itself, unless overridden.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Returns the value that another representation stands for.
    open func reverseTransformedValue(_ value: Any?) -> Any? { reverseOrRaise(value) }

    /// Registers a transformer, or with `nil` removes the one of that name. Safe on any thread.
    ///
    /// - Parameters:
    ///   - transformer: the transformer, or nil.
    ///   - name: its name.
    public class func setValueTransformer(
        _ transformer: ValueTransformer?, forName name: NSValueTransformerName
    ) {
        ValueTransformerRegistry.set(transformer, name: name)
    }

    /// Returns the names that transformers are registered under.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        ValueTransformerRegistry.names
    }
}
