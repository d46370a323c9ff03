// Decimals of other numbers, without the detour by which Foundation off Apple's systems loses digits:
// `NSNumber.decimalValue` and `Decimal(Double)` give 5000000092.999999488 for 5000000093 and 19.98999999999999488 for 19.99.

package import Foundation

extension Decimal {
    /// The decimal with the fewest digits that reads back as this floating-point number; `nil` for what is no number, and
    /// for numbers beyond a decimal's range.
    package init?(shortest number: some BinaryFloatingPoint & CustomStringConvertible) {
        guard number.isFinite, let decimal = Decimal(string: number.description) else { return nil }
        self = decimal
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
