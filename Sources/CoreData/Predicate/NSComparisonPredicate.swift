// A comparison of two expressions.

package import CoreDataPredicate
public import Foundation

/// A predicate that compares the values of two expressions.
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
        super.init(block: { _, _ in false })
    }

    var ownTree: PredicateTree { .comparison(comparison) }
}
