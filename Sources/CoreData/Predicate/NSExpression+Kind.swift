// The kinds of expression under Apple's names and numbers.

import CoreDataPredicate
import Foundation

extension NSExpression {
    /// The kind of an expression.
    public enum ExpressionType: UInt, Sendable {
        /// A constant.
        case constantValue = 0
        /// `SELF`.
        case evaluatedObject = 1
        /// A variable: `$name`.
        case variable = 2
        /// A key path.
        case keyPath = 3
        /// A function of other expressions.
        case function = 4
        /// A union of sets.
        case unionSet = 5
        /// What sets have in common.
        case intersectSet = 6
        /// A set without the members of another.
        case minusSet = 7
        /// The members of a collection for which a predicate holds.
        case subquery = 13
        /// A list of expressions.
        case aggregate = 14
        /// Any key: `ANY` without one.
        case anyKey = 15
        /// A closure.
        case block = 19
        /// One expression or another, as a predicate says.
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
