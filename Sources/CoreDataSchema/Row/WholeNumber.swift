// Numbers of all types as integers of 64 bits, where that is what they are.

package import Foundation

/// The integer part of a number that a client gave.
package enum WholeNumber: Equatable {
    case inRange(Int64)
    /// Less than 64 bits can hold, or more.
    case tooSmall, tooLarge
    case notANumber

    /// `nil` for what is no number.
    package init?(_ any: Any) {
        if let number = SlotValue.foundationNumber(any) {
            self.init(number)
            return
        }
        switch any {
        case let value as Int: self = .inRange(Int64(value))
        case let value as Int64: self = .inRange(value)
        case let value as Int32: self = .inRange(Int64(value))
        case let value as Int16: self = .inRange(Int64(value))
        case let value as NSNumber: self.init(value)
        case let value as Bool: self = .inRange(value ? 1 : 0)
        case let value as any BinaryInteger: self.init(integer: value)
        case let value as any BinaryFloatingPoint: self.init(double: Double(value))
        case let value as Decimal: self.init(NSDecimalNumber(decimal: value))
        default: return nil
        }
    }

    /// Foundation's conversion gives some integer whatever the number is, so the number is compared with it where the
    /// integer may come from elsewhere.
    package init(_ number: NSNumber) {
        let integer = number.int64Value
        if integer > 0, integer < .max, type(of: number) == NSNumber.self {
            self = .inRange(integer)
            return
        }
        let double = number.doubleValue
        if double.isNaN || abs(double) < 0x1p62 {
            self.init(double: double, cut: integer)
        } else if Int64(number.stringValue) == integer {
            self = .inRange(integer)
        } else {
            self.init(double: double, cut: integer)
        }
    }

    private init(integer: some BinaryInteger) {
        self = Int64(exactly: integer).map(Self.inRange) ?? (integer < 0 ? .tooSmall : .tooLarge)
    }

    private init(double: Double, cut integer: Int64? = nil) {
        if let exact = Int64(exactly: double.rounded(.towardZero)) {
            self = .inRange(abs(double) < 0x1p53 ? exact : integer ?? exact)
        } else {
            self = double.isNaN ? .notANumber : double < 0 ? .tooSmall : .tooLarge
        }
    }

    /// The word of a slot. A number beyond 64 bits is beyond a narrower slot as well, whose validation then
    /// refuses it; `nil` where no word can say it.
    package func word(_ kind: SlotKind) -> Int64? {
        switch self {
        case .inRange(let number): number
        case .tooSmall: kind == .integer64 ? nil : .min
        case .tooLarge: kind == .integer64 ? nil : .max
        case .notANumber: nil
        }
    }
}
