// The changes of an attribute's type that are inferred, because its numbers say the same in the newer type:
// any width of integer to any other, integers to floating-point numbers and decimals, floating-point numbers
// to each other and to decimals, and Booleans to integers.

package import CoreDataSupport
import Foundation

/// A change of a number's type.
package struct NumericConversion: Sendable, Hashable {
    package let source: AttributeType
    package let destination: AttributeType

    /// Nil where the type doesn't change, or its values would have to be given up or guessed.
    package init?(from source: AttributeType, to destination: AttributeType) {
        let targets: Set<AttributeType> =
            switch source {
            case .boolean: Self.integers
            case .integer16, .integer32, .integer64: Self.integers.union([.float, .double, .decimal])
            case .float, .double: [.float, .double, .decimal]
            default: []
            }
        guard source != destination, targets.contains(destination) else { return nil }
        self.source = source
        self.destination = destination
    }

    private static let integers: Set<AttributeType> = [.integer16, .integer32, .integer64]

    /// `true` if a store holds all values as it did before.
    package var keepsCells: Bool {
        Self.integers.contains(destination) || (source, destination) == (.float, .double)
    }

    /// `true` if there are values that the newer type can't hold.
    package var isNarrowing: Bool {
        switch (source, destination) {
        case (.boolean, _), (.integer16, _), (.integer32, .integer64), (.float, .double): false
        case (.integer32, .integer16), (.integer64, .integer16), (.integer64, .integer32): true
        case (.float, .decimal), (.double, .decimal), (.double, .float): true
        default: false
        }
    }

    /// A value in the newer type. Integers become decimals exactly, floating-point numbers those with the fewest digits
    /// that read back as them, and floating-point types round. Nil for what doesn't fit and for what is no number.
    package func converted(_ value: Value) -> Value? {
        switch (destination, value) {
        case (_, .null), (.decimal, .decimal): value
        case (_, .bool(let flag)): converted(.integer(flag ? 1 : 0))
        case (.integer16, .integer(let number)): Int16(exactly: number).map { .integer(Int64($0)) }
        case (.integer32, .integer(let number)): Int32(exactly: number).map { .integer(Int64($0)) }
        case (.integer64, .integer): value
        case (.float, .integer(let number)): .double(Double(Float(number)))
        case (.double, .integer(let number)): .double(Double(number))
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.float, .double(let number)):
            Float(number).isInfinite && number.isFinite ? nil : .double(Double(Float(number)))
        case (.double, .double): value
        case (.decimal, .double(let number)):
            (source == .float ? Decimal(shortest: Float(number)) : Decimal(shortest: number)).map {
                .decimal($0)
            }
        default: nil
        }
    }
}
