// The functions that our SQL calls and no database has. A driver registers every entry of `SQLFunction.all`
// on each connection; the bodies are here, in plain Swift.

import Foundation

/// One function.
package struct SQLFunction: Sendable {
    /// The names as SQL has them.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        /// (text, pattern, options, operator) → 1, 0 or NULL. Options and operator are the raw values of
        /// `ComparisonOptions` and `ComparisonOperator`.
        case stringSearch = "NSCoreDataStringSearch"
        /// (text) → text without case and diacritics
        case canonical = "NSCoreDataCanonical"
        case uppercase = "NSCoreDataUppercase"
        case lowercase = "NSCoreDataLowercase"
        /// (text) → number of UTF-16 units
        case length = "NSCoreDataLength"
        /// (text) → number of characters as Swift counts them
        case characters = "NSCoreDataCharacters"
        /// (base, exponent) → double
        case power = "NSCoreDataPower"
        case squareRoot = "NSCoreDataSquareRoot"
        /// (number) → logarithm to the base 10
        case log = "NSCoreDataLog"
        /// (number) → natural logarithm
        case ln = "NSCoreDataLn"
        case exp = "NSCoreDataExp"
        case ceiling = "NSCoreDataCeiling"
        case floor = "NSCoreDataFloor"
        case trunc = "NSCoreDataTrunc"
        /// (number) → the number without its sign, a double where 64 bits don't hold it
        case absolute = "NSCoreDataAbs"
        /// (number or text) → its integer part; NULL where 64 bits don't hold it
        case integer = "NSCoreDataInteger"
        /// (text) → the number that it begins with, or 0
        case leadingNumber = "NSCoreDataLeadingNumber"
        /// (integer, integer) → exclusive or
        case exclusiveOr = "NSCoreDataXor"
        /// (spelling) → the value that `SpelledElement` spelled
        case element = "NSCoreDataElement"
        /// SUM that gives a double where 64 bits don't hold the sum of integers
        case sum = "NSCoreDataSum"
        case median = "NSCoreDataMedian"
        case mode = "NSCoreDataMode"
        case standardDeviation = "NSCoreDataStandardDeviation"
    }

    package enum Body: Sendable {
        /// Called for each row with the arguments.
        case scalar(@Sendable ([SQLBinding]) throws -> SQLBinding)
        /// Called once for each group with the first argument of all its rows, NULLs included.
        case aggregate(@Sendable ([SQLBinding]) throws -> SQLBinding)
    }

    package let name: Name
    package let argumentCount: Int
    /// Indicates whether equal arguments always give equal results (`SQLITE_DETERMINISTIC`).
    package let isDeterministic: Bool
    package let body: Body

    init(_ name: Name, argumentCount: Int, body: Body) {
        self.name = name
        self.argumentCount = argumentCount
        self.isDeterministic = true
        self.body = body
    }
}

/// Values that JSON can't hold, as texts: `d` and the bits of a double, `x` and a blob or `t` and a text in
/// Base64.
enum SpelledElement {
    static func spell(_ binding: SQLBinding) -> String {
        switch binding {
        case .null: "n"
        case .integer(let number): "i\(number)"
        case .double(let number): "d\(number.bitPattern)"
        case .text(let text): "t" + Data(text.utf8).base64EncodedString()
        case .blob(let bytes): "x" + bytes.base64EncodedString()
        }
    }

    static func read(_ spelling: String) -> SQLBinding {
        let rest = String(spelling.dropFirst())
        switch spelling.first {
        case "i": return Int64(rest).map(SQLBinding.integer) ?? .null
        case "d": return UInt64(rest).map { .double(Double(bitPattern: $0)) } ?? .null
        case "t": return Data(base64Encoded: rest).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
        case "x": return Data(base64Encoded: rest).map(SQLBinding.blob) ?? .null
        default: return .null
        }
    }
}
