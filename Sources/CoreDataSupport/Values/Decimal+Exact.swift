// Decimals of other numbers, without the detour by which Foundation off Apple's systems loses digits:
// `NSNumber.decimalValue` and `Decimal(Double)` give 5000000092.999999488 for 5000000093 and 19.98999999999999488 for 19.99.

package import Foundation

extension Decimal {
    /// The decimal with the fewest digits that reads back as this floating-point number; `nil` for what is no number, and
    /// for numbers beyond a decimal's range.
    package init?(shortest number: some BinaryFloatingPoint & CustomStringConvertible) {
        guard number.isFinite else { return nil }
        let text = number.description
        guard let decimal = Decimal(string: text) ?? Self.large(text) else { return nil }
        self = decimal
    }

    /// The decimal of a text like `1.2e+130`, whose exponent fits once zeros stand behind its digits; Foundation reads it
    /// only with them.
    private static func large(_ text: String) -> Decimal? {
        let parts = text.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]), (128...165).contains(exponent) else {
            return nil
        }
        let number = parts[0].split(separator: ".")
        let fraction = number.count == 2 ? String(number[1]) : ""
        guard fraction.count <= exponent else { return nil }
        let zeros = String(repeating: "0", count: exponent - fraction.count)
        return Decimal(string: number[0] + fraction + zeros)
    }

    /// The number that a box holds: integers exactly, floating-point numbers in their shortest form.
    package init?(exactly number: NSNumber) {
        switch Value(number) {
        case .decimal(let decimal): self = decimal
        case .integer(let integer): self = Decimal(integer)
        case .bool(let flag): self = flag ? 1 : 0
        case .double where number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "f")):
            self.init(shortest: number.floatValue)
        case .double(let double): self.init(shortest: double)
        default: return nil
        }
    }
}
