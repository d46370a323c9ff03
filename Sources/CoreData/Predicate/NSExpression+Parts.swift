// The parts of an expression. Asking an expression for a part that its kind has not stops the process, as on
// Apple's systems.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

extension ExpressionInitializing where Self: NSExpression {
    /// The value that a constant expression holds.
    public var constantValue: Any? {
        if let constant = tree.tooDeepConstant { return constant }
        guard case .constant(let value) = tree else { lacks("constantValue") }
        return value.any
    }

    /// The key path of a key path expression, with collection operators as written.
    public var keyPath: String {
        guard case .keyPath(_, let path) = tree else { lacks("keyPath") }
        return path
    }

    /// The name of a function.
    public var function: String {
        guard case .function(_, let name, _) = tree else { lacks("function") }
        return name
    }

    /// The name of a variable, also of a subquery's.
    public var variable: String {
        switch tree {
        case .variable(let name), .subquery(_, let name, _): name
        default: lacks("variable")
        }
    }

    /// The expression that a key path is read from, or a function called on: `SELF` where none is written.
    public var operand: NSExpression {
        switch tree {
        case .keyPath(let operand, _): .make(operand)
        case .function(let operand, _, _): .make(operand ?? .evaluatedObject)
        default: lacks("operand")
        }
    }

    /// The arguments of a function or a block.
    public var arguments: [NSExpression]? {
        switch tree {
        case .function(_, _, let arguments), .block(_, let arguments): arguments.map(NSExpression.make)
        default: lacks("arguments")
        }
    }

    /// The elements of an aggregate as an array of expressions; the collection of a subquery as an
    /// expression.
    public var collection: Any {
        switch tree {
        case .aggregate(let elements): elements.map(NSExpression.make)
        case .subquery(let collection, _, _): NSExpression.make(collection)
        default: lacks("collection")
        }
    }

    /// The predicate of a subquery or a conditional.
    public var predicate: NSPredicate {
        switch tree {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): NSPredicate.make(predicate)
        default: lacks("predicate")
        }
    }

    /// The left side of a set expression.
    public var left: NSExpression {
        switch tree {
        case .union(let left, _), .intersect(let left, _), .minus(let left, _): .make(left)
        default: lacks("left")
        }
    }

    /// The right side of a set expression.
    public var right: NSExpression {
        switch tree {
        case .union(_, let right), .intersect(_, let right), .minus(_, let right): .make(right)
        default: lacks("right")
        }
    }

    /// The value of a conditional whose predicate holds.
    public var `true`: NSExpression {
        guard case .conditional(_, let expression, _) = tree else { lacks("true") }
        return .make(expression)
    }

    /// The value of a conditional whose predicate doesn't hold.
    public var `false`: NSExpression {
        guard case .conditional(_, _, let expression) = tree else { lacks("false") }
        return .make(expression)
    }

    /// The closure of a block expression.
    public var expressionBlock: ExpressionClosure.Body {
        guard case .block(let reference, _) = tree, let block = reference.object as? ExpressionClosure else {
            lacks("expressionBlock")
        }
        return block.body
    }

    private func lacks(_ part: String) -> Never {
        raise(.invalidArgument, "The expression \(self), of type \(expressionType), has no \(part)")
    }
}
