// A comparison of two expressions.

package import CoreDataPredicate
public import Foundation

/// A predicate that compares the values of two expressions.
///
/// Foundation off Apple's systems declares a class of the same name that can't be made. A file that imports
/// both modules and writes the name as a type says `CoreData.NSComparisonPredicate`, or has a typealias.
open class NSComparisonPredicate: NSPredicate, TreePredicate {
    /// The left side.
    public let leftExpression: NSExpression
    /// The right side.
    public let rightExpression: NSExpression
    package let comparison: PredicateTree.Comparison

    package init(_ comparison: PredicateTree.Comparison) {
        self.comparison = comparison
        leftExpression = NSExpression.make(comparison.left)
        rightExpression = NSExpression.make(comparison.right)
        super.init(value: false)
    }

    /// Compares `left` and `right` as `type` says.
    ///
    /// `modifier` is about a left side with several values. `options` are about strings.
    public init(
        leftExpression left: NSExpression, rightExpression right: NSExpression, modifier: Modifier,
        type: Operator, options: Options = []
    ) {
        comparison = PredicateTree.Comparison(
            left.tree, type.treeOperator, right.tree, modifier: modifier.treeModifier,
            options: ComparisonOptions(rawValue: options.rawValue))
        leftExpression = left
        rightExpression = right
        super.init(value: false)
    }

    /// Compares by a method of the left side's value, named as on Apple's systems: `"isEqual:"`.
    public init(
        leftExpression left: NSExpression, rightExpression right: NSExpression,
        customSelector selector: String
    ) {
        comparison = PredicateTree.Comparison(
            left.tree, .customSelector, right.tree, customSelector: selector)
        leftExpression = left
        rightExpression = right
        super.init(value: false)
    }

    var ownTree: PredicateTree { .comparison(comparison) }

    /// How the two values are compared.
    open var predicateOperatorType: Operator { Operator(comparison.op) }
    /// Which of the left side's values must match.
    open var comparisonPredicateModifier: Modifier { Modifier(comparison.modifier) }
    /// How strings are compared.
    open var options: Options { Options(rawValue: comparison.options.rawValue) }
    /// The method's name, when a method compares.
    open var customSelector: String? { comparison.customSelector }

    /// The predicate as a format.
    open override var predicateFormat: String { ownTree.format }

    /// Whether the comparison holds for an object, with values for the variables. Raises for what can't be evaluated.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        ownTree.matches(object, bindings)
    }

    open override var description: String { predicateFormat }
    open override func isEqual(_ object: Any?) -> Bool { hasTree(of: object) }
    open override var hash: Int { ownTree.canonical.hashValue }
    open override var classForCoder: AnyClass { NSComparisonPredicate.self }
    open override func copy(with zone: NSZone? = nil) -> Any { self }
}
