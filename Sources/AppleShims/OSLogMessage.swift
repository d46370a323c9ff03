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
    public struct Mask: Sendable {
        let hashes: Bool

        /// In the place of the value, something that is equal for equal values of one run.
        public static let hash = Mask(hashes: true)
        public static let none = Mask(hashes: false)
    }

    fileprivate enum Kind {
        case auto, open, closed
    }

    fileprivate let kind: Kind
    fileprivate let mask: Mask

    private init(_ kind: Kind, _ mask: Mask = .none) {
        self.kind = kind
        self.mask = mask
    }

    /// Written. On Apple's systems texts and objects aren't, unless a debugger is there.
    public static let auto = OSLogPrivacy(.auto)
    public static let `public` = OSLogPrivacy(.open)
    public static let `private` = OSLogPrivacy(.closed)
    public static let sensitive = OSLogPrivacy(.closed)

    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.auto, mask) }
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.closed, mask) }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.closed, mask) }

    func shown(_ text: @autoclosure () -> String) -> String {
        if kind != .closed { return text() }
        return mask.hashes
            ? "<mask.hash: \(String(UInt(bitPattern: text().hashValue), radix: 16))>" : "<private>"
    }
}

/// How a text is set.
public struct OSLogStringAlignment: Sendable {
    fileprivate let columns: Int
    fileprivate let isRight: Bool

    public static let none = OSLogStringAlignment(columns: 0, isRight: false)
    public static func left(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: false) }
    public static func right(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: true) }

    fileprivate func set(_ text: String) -> String {
        let space = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? space + text : text + space
    }
}

/// How an integer is written.
public struct OSLogIntegerFormatting: Sendable {
    fileprivate let radix: Int
    fileprivate let prefix: String
    fileprivate let isUppercase: Bool

    public static let decimal = OSLogIntegerFormatting(radix: 10, prefix: "", isUppercase: false)
    public static let hex = OSLogIntegerFormatting(radix: 16, prefix: "", isUppercase: false)
    public static let octal = OSLogIntegerFormatting(radix: 8, prefix: "", isUppercase: false)

    public static func hex(explicitPrefix: Bool = false, uppercase: Bool = false) -> OSLogIntegerFormatting {
        .init(radix: 16, prefix: explicitPrefix ? "0x" : "", isUppercase: uppercase)
    }
}

/// How a floating-point number is written.
public struct OSLogFloatFormatting: Sendable {
    fileprivate let format: String

    public static let fixed = OSLogFloatFormatting(format: "%f")
    public static let hybrid = OSLogFloatFormatting(format: "%g")
    public static let exponential = OSLogFloatFormatting(format: "%e")

    public static func fixed(precision: Int) -> OSLogFloatFormatting {
        .init(format: "%.\(max(0, precision))f")
    }
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

    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.set(privacy.shown(String(describing: value())))
    }

    public mutating func appendInterpolation<Value: BinaryInteger>(
        _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.set(
            privacy.shown(format.prefix + String(value(), radix: format.radix, uppercase: format.isUppercase))
        )
    }

    public mutating func appendInterpolation<Value: BinaryFloatingPoint>(
        _ value: @autoclosure () -> Value, format: OSLogFloatFormatting, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.set(privacy.shown(String(format: format.format, Double(value()))))
    }
}
