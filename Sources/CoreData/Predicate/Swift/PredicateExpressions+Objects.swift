// Managed objects and their IDs as constants of Swift predicates, which take only what can be encoded otherwise.

public import Foundation

/// A value that `#Predicate` may capture beside those that can be encoded: managed objects, their IDs,
/// optionals and collections of these.
public protocol ManagedPredicateConstant {}

extension NSManagedObject: ManagedPredicateConstant {}
extension NSManagedObjectID: ManagedPredicateConstant {}
extension Optional: ManagedPredicateConstant where Wrapped: ManagedPredicateConstant {}
extension Array: ManagedPredicateConstant where Element: ManagedPredicateConstant {}
extension Set: ManagedPredicateConstant where Element: ManagedPredicateConstant {}

extension PredicateExpressions {
    /// A managed object, an object ID or some of them as a constant. A predicate with one can't be encoded.
    ///
    /// Unchecked because predicates hand their constants on as they are; who evaluates one does so in the confinement
    /// of the objects that it names.
    public struct ManagedConstant<Output: ManagedPredicateConstant>: StandardPredicateExpression,
        @unchecked Sendable
    {
        /// The value that the predicate captured.
        public let value: Output

        /// A constant.
        public init(_ value: Output) {
            self.value = value
        }

        /// Returns the constant.
        public func evaluate(_ bindings: PredicateBindings) -> Output { value }

        /// Refuses, as nobody can find the object again.
        ///
        /// - Throws: `DecodingError`.
        public init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a managed object can't be decoded"))
        }

        /// Refuses, as an archive knows no managed objects.
        ///
        /// - Throws: `EncodingError`.
        public func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: encoder.codingPath, debugDescription: "a managed object can't be encoded"))
        }
    }

    /// Returns a constant, for `#Predicate`, which calls this with what it captures.
    public static func build_Arg<Constant: ManagedPredicateConstant>(
        _ arg: Constant
    ) -> ManagedConstant<Constant> {
        ManagedConstant(arg)
    }
}
