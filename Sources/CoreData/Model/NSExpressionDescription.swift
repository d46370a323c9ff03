// A column of a fetch that is computed.

import Foundation

/// A computed column for `NSFetchRequest.propertiesToFetch` and for fetch indexes. It can't be a property of
/// an entity.
///
/// ```swift
/// let latest = NSExpressionDescription()
/// latest.name = "latest"
/// latest.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "birthdate")])
/// latest.expressionResultType = .dateAttributeType
/// ```
open class NSExpressionDescription: NSPropertyDescription {
    /// The expression that is computed.
    open var expression: NSExpression? { willSet { assertMutable() } }

    /// The type of the values under the description's name in dictionaries.
    open var expressionResultType = NSAttributeType.undefinedAttributeType { willSet { assertMutable() } }

    @discardableResult
    override func takeFields(from other: NSPropertyDescription) -> Bool {
        guard super.takeFields(from: other), let other = other as? NSExpressionDescription else {
            return false
        }
        expression = other.expression
        expressionResultType = other.expressionResultType
        return true
    }
}

extension NSExpressionDescription {
    /// The type of the result, in Swift spelling.
    public var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
        set { expressionResultType = newValue.rawValue }
    }
}
