// A fetch request used as a value in a predicate.

import CoreDataPredicate
import CoreDataSupport

/// An expression whose value is the result of a fetch request, or its count.
open class NSFetchRequestExpression: TreeExpression {
    /// Returns an expression with the value of `fetch` executed in `context`.
    ///
    /// Both are expressions: constants with the request and the context, or variables for them.
    ///
    /// - Parameters:
    ///   - fetch: the request.
    ///   - context: the context.
    ///   - countFlag: true for the number of objects, false for an array of them.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression.of(
            .fetchRequest(
                request: fetch.expressionTree, context: context.expressionTree, countOnly: countFlag),
            depth: 1 + max(fetch.partDepth, context.partDepth))
    }

    /// The expression whose value is the request to execute.
    open var requestExpression: NSExpression { .make(parts.request) }
    /// The context to execute it in.
    open var contextExpression: NSExpression { .make(parts.context) }
    /// Indicates whether the value is the number of results.
    open var isCountOnlyRequest: Bool { parts.countOnly }

    private var parts: (request: ExpressionTree, context: ExpressionTree, countOnly: Bool) {
        guard case .fetchRequest(let request, let context, let countOnly) = tree else {
            raise(
                .invalidArgument,
                "\(self) holds no fetch request; make it with expression(forFetch:context:countOnly:)")
        }
        return (request, context, countOnly)
    }
}
