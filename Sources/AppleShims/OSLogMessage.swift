// Messages of `Logger`, whose interpolations say how a value is written and whether it may be.

import Foundation

/// A message for `Logger`: a literal with interpolations.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) {
        text = value
    }

    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }
}

/// Lets a value be read in the log, or hides it.
public struct OSLogPrivacy: Sendable {
    /// The way to tell a value that isn't shown from another.
    public struct Mask: Sendable {
        let hashes: Bool

        /// In the place of the value, something that is equal for equal values of one run.
        public static let hash = Mask(hashes: true)
        /// In the place of the value, the same text for all.
        public static let none = Mask(hashes: false)
    }

    fileprivate enum Kind {
        case auto, open, closed
    }

    fileprivate let kind: Kind
    fileprivate let mask: Mask

    private init(_ kind: Kind, mask: Mask = .none) {
        self.kind = kind
        self.mask = mask
    }

    /// Written. On Apple's systems texts and objects aren't, unless a debugger is there.
    public static let auto = OSLogPrivacy(.auto)
    /// The value is written, on Apple's systems too.
    public static let `public` = OSLogPrivacy(.open)
    /// The value isn't written.
    public static let `private` = OSLogPrivacy(.closed)
    /// The value isn't written, whatever the system is set to.
    public static let sensitive = OSLogPrivacy(.closed)

    /// Returns the privacy by which the value is shown; the mask is for where it isn't.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.auto, mask: mask) }
    /// Returns a privacy by which the value isn't shown, but as the mask says.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.closed, mask: mask) }
    /// Returns a privacy by which the value isn't shown whatever the system is set to, but as the mask says.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.closed, mask: mask) }

    func shown(_ text: @autoclosure () -> String) -> String {
        if kind != .closed { return text() }
        return mask.hashes
            ? "<mask.hash: \(String(UInt(bitPattern: text().hashValue), radix: 16))>" : "<private>"
    }
}

/// The alignment of a text.
public struct OSLogStringAlignment: Sendable {
    fileprivate let columns: Int
    fileprivate let isRight: Bool

    /// As long as the text is.
    public static let none = OSLogStringAlignment(columns: 0, isRight: false)
    /// Returns an alignment at the left of so many columns.
    public static func left(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: false) }
    /// Returns an alignment at the right of so many columns.
    public static func right(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: true) }

    fileprivate func set(_ text: String) -> String {
        let space = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? space + text : text + space
    }
}

/// The form in which an integer is written.
public struct OSLogIntegerFormatting: Sendable {
    fileprivate let radix: Int
    fileprivate let prefix: String
    fileprivate let isUppercase: Bool

    /// With the digits 0 to 9.
    public static let decimal = OSLogIntegerFormatting(radix: 10, prefix: "", isUppercase: false)
    /// With the digits 0 to f.
    public static let hex = OSLogIntegerFormatting(radix: 16, prefix: "", isUppercase: false)
    /// With the digits 0 to 7.
    public static let octal = OSLogIntegerFormatting(radix: 8, prefix: "", isUppercase: false)

    /// Returns a format with the digits 0 to f.
    ///
    /// - Parameters:
    ///   - explicitPrefix: whether `0x` stands before them.
    ///   - uppercase: whether letters are capitals.
    public static func hex(explicitPrefix: Bool = false, uppercase: Bool = false) -> OSLogIntegerFormatting {
        .init(radix: 16, prefix: explicitPrefix ? "0x" : "", isUppercase: uppercase)
    }
}

/// The form in which a floating-point number is written.
public struct OSLogFloatFormatting: Sendable {
    fileprivate let format: String

    /// With six digits behind the point.
    public static let fixed = OSLogFloatFormatting(format: "%f")
    /// In the shorter of the two forms.
    public static let hybrid = OSLogFloatFormatting(format: "%g")
    /// With an exponent.
    public static let exponential = OSLogFloatFormatting(format: "%e")

    /// Returns a format with so many digits behind the point.
    public static func fixed(precision: Int) -> OSLogFloatFormatting {
        .init(format: "%.\(max(0, precision))f")
    }
    /// Returns a format with an exponent and so many digits behind the point.
    public static func exponential(precision: Int) -> OSLogFloatFormatting {
        .init(format: "%.\(max(0, precision))e")
    }
}

/// Collects a message.
public struct OSLogInterpolation: StringInterpolationProtocol {
    fileprivate(set) var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends a value.
    ///
    /// - Parameters:
    ///   - value: the value, which is only asked for if the message is written.
    ///   - align: on which side spaces fill it up.
    ///   - privacy: whether it is shown.
    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.set(privacy.shown(String(describing: value())))
    }

    /// Appends a whole number.
    ///
    /// - Parameters:
    ///   - value: the number.
    ///   - format: its digits.
    ///   - align: on which side spaces fill it up.
    ///   - privacy: whether it is shown.
    public mutating func appendInterpolation<Value: BinaryInteger>(
        _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.set(
            privacy.shown(format.prefix + String(value(), radix: format.radix, uppercase: format.isUppercase))
        )
    }

    /// Appends a floating-point number.
    ///
    /// - Parameters:
    ///   - value: the number.
    ///   - format: its digits.
    ///   - align: on which side spaces fill it up.
    ///   - privacy: whether it is shown.
    public mutating func appendInterpolation<Value: BinaryFloatingPoint>(
        _ value: @autoclosure () -> Value, format: OSLogFloatFormatting, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.set(privacy.shown(String(format: format.format, Double(value()))))
    }
}
