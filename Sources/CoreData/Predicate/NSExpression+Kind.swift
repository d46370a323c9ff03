// The kinds of expression under Apple's names and numbers, which Foundation declares.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

/// The kind of expressions that execute a fetch request.
///
/// Foundation off Apple's systems has no number 50 among its types: such an expression gives the type of a closure, as it
/// is evaluated by code. `is NSFetchRequestExpression` tells the two apart.
public let NSFetchRequestExpressionType =  // swift-format-ignore
    NSExpression.make(.block(ObjectReference(NSNull()), [])).expressionType

extension ExpressionInitializing where Self: NSExpression {
    /// The kind of expression.
    public var expressionType: NSExpression.ExpressionType {
        switch tree {
        case .constant: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable: .variable
        case .keyPath: .keyPath
        case .function: .function
        case .union: .unionSet
        case .intersect: .intersectSet
        case .minus: .minusSet
        case .subquery: .subquery
        case .aggregate: .aggregate
        case .conditional: .conditional
        case .anyKey: .anyKey
        case .block where tree.tooDeepConstant != nil: .constantValue
        case .fetchRequest, .block: .block
        }
    }
}
