// The comparisons that we make: Foundation's class with a tree behind it.

package import CoreDataPredicate
import CoreDataSupport
import CSwiftRuntime
public import Foundation
import Synchronization

/// A protocol of `NSComparisonPredicate` that lets its initialisers return our subclass, and declares its
/// parts; see `ExpressionInitializing`. Nothing else should conform.
public protocol ComparisonInitializing {}

extension NSComparisonPredicate: ComparisonInitializing {}

/// The class behind every comparison. It is named nowhere else; `NSComparisonPredicate` is what clients see.
final class TreeComparison: NSComparisonPredicate, TreePredicate {
    // Zero until `make` sets it, as in `TreeExpression`.
    private var held: Parts?

    fileprivate final class Parts {
        let comparison: PredicateTree.Comparison
        /// The sides as objects, which nobody changes: those that were given, else made when somebody asks, which fetches don't.
        private let madeLeft: Mutex<UncheckedReference<NSExpression>?>
        private let madeRight: Mutex<UncheckedReference<NSExpression>?>

        init(_ comparison: PredicateTree.Comparison, left: NSExpression?, right: NSExpression?) {
            self.comparison = comparison
            madeLeft = Mutex(left.map { UncheckedReference($0) })
            madeRight = Mutex(right.map { UncheckedReference($0) })
        }

        var left: NSExpression { Self.side(madeLeft, tree: comparison.left) }
        var right: NSExpression { Self.side(madeRight, tree: comparison.right) }

        private static func side(
            _ made: borrowing Mutex<UncheckedReference<NSExpression>?>, tree: ExpressionTree
        ) -> NSExpression {
            made.withLock { made in
                let side = made ?? UncheckedReference(NSExpression.make(tree))
                made = side
                return side
            }.value
        }

        /// The levels of the two sides, without making objects of sides that are no deeper than a tree of formats.
        var depth: Int {
            if comparison.isPlain { return 2 }
            return max(left.partDepth, right.partDepth)
        }
    }

    static func make(
        _ comparison: PredicateTree.Comparison, left: NSExpression? = nil, right: NSExpression? = nil
    ) -> TreeComparison {
        let predicate = allocatedAsPredicate()
        predicate.held = Parts(comparison, left: left, right: right)
        return predicate
    }

    fileprivate var parts: Parts {
        guard let held else { raise(.internalInconsistency, "a comparison without a tree") }
        return held
    }

    var ownTree: PredicateTree { .comparison(parts.comparison) }
    var ownDepth: Int { 1 + parts.depth }

    /// The predicate as a format.
    override var predicateFormat: String { ownTree.format }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        ownTree.matches(object, bindings: bindings)
    }

    override var description: String { predicateFormat }
    override func isEqual(_ object: Any?) -> Bool { hasTree(of: object) }
    override var hash: Int { ownTree.canonical.hashValue }
    override var classForCoder: AnyClass { NSComparisonPredicate.self }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension ComparisonInitializing {
    /// Compares `left` and `right` as `type` says.
    ///
    /// `modifier` is about a left side with several values. `options` are about strings.
    ///
    /// - Parameters:
    ///   - left: the left side.
    ///   - right: the right side.
    ///   - modifier: for a left side with several values, whether all must compare so, or any.
    ///   - type: the operator.
    ///   - options: how strings are compared.
    public init(
        leftExpression left: NSExpression, rightExpression right: NSExpression,
        modifier: NSComparisonPredicate.Modifier, type: NSComparisonPredicate.Operator,
        options: NSComparisonPredicate.Options = []
    ) {
        let comparison = PredicateTree.Comparison(
            left.expressionTree, op: type.treeOperator, right: right.expressionTree,
            modifier: modifier.treeModifier,
            options: ComparisonOptions(rawValue: options.rawValue))
        self = Self.cast(TreeComparison.make(comparison, left: left, right: right))
    }

    /// Compares by a method of the left side's value, named as on Apple's systems: `"isEqual:"`.
    ///
    /// - Parameters:
    ///   - left: the left side.
    ///   - right: the right side.
    ///   - selector: the method's name.
    public init(
        leftExpression left: NSExpression, rightExpression right: NSExpression,
        customSelector selector: String
    ) {
        let comparison = PredicateTree.Comparison(
            left.expressionTree, op: .customSelector, right: right.expressionTree, customSelector: selector)
        self = Self.cast(TreeComparison.make(comparison, left: left, right: right))
    }

    private static func cast(_ comparison: TreeComparison) -> Self {
        guard let comparison = comparison as? Self else {
            raise(.invalidArgument, "\(Self.self) can't be made of \(comparison.ownTree.format)")
        }
        return comparison
    }
}

extension NSComparisonPredicate {
    fileprivate var comparedParts: TreeComparison.Parts {
        guard let own = self as? TreeComparison else {
            raise(.invalidArgument, "\(type(of: self)) was made without its initialisers")
        }
        return own.parts
    }

    package var comparison: PredicateTree.Comparison { comparedParts.comparison }

}

extension ComparisonInitializing where Self: NSComparisonPredicate {
    /// The left side.
    public var leftExpression: NSExpression { comparedParts.left }
    /// The right side.
    public var rightExpression: NSExpression { comparedParts.right }
    /// The operator that compares the two values. Foundation off Apple's systems has no case for a method: it is
    /// `equalTo` then, and `customSelector` names the method.
    public var predicateOperatorType: NSComparisonPredicate.Operator { .init(comparison.op) }
    /// Tells which of the left side's values must match: the one, any or all.
    public var comparisonPredicateModifier: NSComparisonPredicate.Modifier { .init(comparison.modifier) }
    /// The options for comparing strings.
    public var options: NSComparisonPredicate.Options { .init(rawValue: comparison.options.rawValue) }
    /// The method's name, when a method compares.
    public var customSelector: String? { comparison.customSelector }
}
