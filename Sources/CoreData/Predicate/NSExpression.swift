// An expression object: a shell over a tree.

package import CoreDataPredicate
import CoreDataSupport
public import Foundation

/// An expression of the predicate language: a constant, a key path, a function of other expressions.
open class NSExpression: NSObject {
    private let ownTree: ExpressionTree?

    package init(tree: ExpressionTree) {
        ownTree = tree
        super.init()
    }

    /// What this expression says; a client's subclass is a closure that only it can evaluate.
    package var tree: ExpressionTree { ownTree ?? .block(ObjectReference(self), []) }

    /// The expression object for a tree, of the class that Apple would have given it.
    package static func make(_ tree: ExpressionTree) -> NSExpression {
        if case .fetchRequest = tree { return NSFetchRequestExpression(tree: tree) }
        return NSExpression(tree: tree)
    }
}
