// Operators, modifiers and options under Apple's names and numbers.

import CoreDataPredicate
import Foundation

extension NSComparisonPredicate {
    /// How two values are compared.
    public enum Operator: UInt, Sendable {
        /// `<`
        case lessThan = 0
        /// `<=`
        case lessThanOrEqualTo = 1
        /// `>`
        case greaterThan = 2
        /// `>=`
        case greaterThanOrEqualTo = 3
        /// `==`
        case equalTo = 4
        /// `!=`
        case notEqualTo = 5
        /// By a regular expression that covers the whole string.
        case matches = 6
        /// With `?` and `*` as wildcards.
        case like = 7
        /// The left string begins with the right one.
        case beginsWith = 8
        /// The left string ends with the right one.
        case endsWith = 9
        /// The right side is a collection, or a string, that has the left side in it.
        case `in` = 10
        /// By a method of the left value, in memory only.
        case customSelector = 11
        /// The left side is a collection, or a string, that has the right side in it.
        case contains = 99
        /// The right side is a pair of bounds, both included.
        case between = 100
    }

    /// Which of a left side's several values must match.
    public enum Modifier: UInt, Sendable {
        /// The left side is one value.
        case direct = 0
        /// All of them: `ALL`.
        case all = 1
        /// At least one of them: `ANY`.
        case any = 2
    }

    /// How strings are compared.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// `[c]`
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// `[n]`: the strings are known to need no folding at all; faster than the others.
        public static let normalized = Options(rawValue: 4)
    }
}

extension NSComparisonPredicate.Operator {
    var treeOperator: ComparisonOperator {
        switch self {
        case .lessThan: .lessThan
        case .lessThanOrEqualTo: .lessThanOrEqualTo
        case .greaterThan: .greaterThan
        case .greaterThanOrEqualTo: .greaterThanOrEqualTo
        case .equalTo: .equalTo
        case .notEqualTo: .notEqualTo
        case .matches: .matches
        case .like: .like
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .in: .in
        case .customSelector: .customSelector
        case .contains: .contains
        case .between: .between
        }
    }

    init(_ treeOperator: ComparisonOperator) {
        switch treeOperator {
        case .lessThan: self = .lessThan
        case .lessThanOrEqualTo: self = .lessThanOrEqualTo
        case .greaterThan: self = .greaterThan
        case .greaterThanOrEqualTo: self = .greaterThanOrEqualTo
        case .equalTo: self = .equalTo
        case .notEqualTo: self = .notEqualTo
        case .matches: self = .matches
        case .like: self = .like
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .in: self = .in
        case .customSelector: self = .customSelector
        case .contains: self = .contains
        case .between: self = .between
        }
    }
}

extension NSComparisonPredicate.Modifier {
    var treeModifier: ComparisonModifier {
        switch self {
        case .direct: .direct
        case .all: .all
        case .any: .any
        }
    }

    init(_ treeModifier: ComparisonModifier) {
        switch treeModifier {
        case .direct: self = .direct
        case .all: self = .all
        case .any: self = .any
        }
    }
}
