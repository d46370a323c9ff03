// Predicates, as values.

package import CoreDataSupport

/// A predicate. Foundation's predicate classes are shells over this.
package indirect enum PredicateTree: Sendable, Hashable {
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    case constant(Bool)
    case comparison(Comparison)
    case and([PredicateTree])
    case or([PredicateTree])
    /// `NONE a = b` is `.not` of an `ANY` comparison.
    case not(PredicateTree)
    /// A closure of the client's, `NSPredicate(block:)`, or a Swift `Predicate`: evaluated in memory only.
    case block(ObjectReference)

    package struct Comparison: Sendable, Hashable {
        package var left: ExpressionTree
        package var op: ComparisonOperator
        package var right: ExpressionTree
        package var modifier: ComparisonModifier
        package var options: ComparisonOptions
        /// The selector of a custom comparison, when `op` is `.customSelector`.
        package var customSelector: String?

        package init(
            _ left: ExpressionTree, op: ComparisonOperator, right: ExpressionTree,
            modifier: ComparisonModifier = .direct, options: ComparisonOptions = [],
            customSelector: String? = nil
        ) {
            self.left = left
            self.op = op
            self.right = right
            self.modifier = modifier
            self.options = options
            self.customSelector = customSelector
        }
    }
}

/// The operators, with the raw values of Apple's `NSComparisonPredicate.Operator`.
package enum ComparisonOperator: UInt, Sendable, Hashable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqualTo = 1
    case greaterThan = 2
    case greaterThanOrEqualTo = 3
    case equalTo = 4
    case notEqualTo = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case `in` = 10
    case customSelector = 11
    case contains = 99
    case between = 100
}

/// `ANY` and `ALL`, with Apple's raw values.
package enum ComparisonModifier: UInt, Sendable, Hashable {
    case direct = 0
    case all = 1
    case any = 2
}

/// `[c]`, `[d]`, `[n]`, `[l]`, with Apple's raw values.
package struct ComparisonOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    package static let caseInsensitive = ComparisonOptions(rawValue: 1)
    package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    package static let normalized = ComparisonOptions(rawValue: 4)
    package static let localeSensitive = ComparisonOptions(rawValue: 8)
}
