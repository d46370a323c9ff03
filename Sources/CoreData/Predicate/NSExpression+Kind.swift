// The kinds of expression under Apple's names and numbers.

import CoreDataPredicate
import Foundation

extension NSExpression {
    /// The kind of an expression.
    public enum ExpressionType: UInt, Sendable {
        case constantValue = 0
        case evaluatedObject = 1
        case variable = 2
        case keyPath = 3
        case function = 4
        case unionSet = 5
        case intersectSet = 6
        case minusSet = 7
        case subquery = 13
        case aggregate = 14
        case anyKey = 15
        case block = 19
        case conditional = 20
        /// Core Data's own: `NSFetchRequestExpressionType`.
        case fetchRequest = 50
    }
}

/// The type of an `NSFetchRequestExpression`.
public var NSFetchRequestExpressionType: NSExpression.ExpressionType { .fetchRequest }  // swift-format-ignore

extension NSExpression.ExpressionType {
    init(_ tree: ExpressionTree) {
        switch tree {
        case .constant: self = .constantValue
        case .evaluatedObject: self = .evaluatedObject
        case .variable: self = .variable
        case .keyPath: self = .keyPath
        case .function: self = .function
        case .union: self = .unionSet
        case .intersect: self = .intersectSet
        case .minus: self = .minusSet
        case .subquery: self = .subquery
        case .aggregate: self = .aggregate
        case .conditional: self = .conditional
        case .anyKey: self = .anyKey
        case .fetchRequest: self = .fetchRequest
        case .block: self = .block
        }
    }
}
