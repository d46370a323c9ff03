// The initialisers of expressions.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

extension ExpressionInitializing {
    /// A constant; nil is allowed, and `NSNull` stays what it is, though it compares as nil does.
    public init(forConstantValue value: Any?) {
        self.init(tree: ExpressionTree(constant: value), above: [])
    }

    /// A variable: `$name`.
    public init(forVariable string: String) {
        self.init(tree: .variable(string))
    }

    /// A key path on the evaluated object, or on a variable (`$x.name`).
    public init(forKeyPath keyPath: String) {
        self.init(tree: .path(keyPath))
    }

    /// The keys that a Swift key path on the evaluated object reads; `keyPath` has them as a string. Raises if it reads
    /// none.
    public init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(tree: .keyPath(KeyPathNames.pathOrRaise(keyPath)))
    }

    /// A predefined function by Apple's name: `"sum:"`, `"add:to:"`, `"now"`. Any other name raises
    /// `NSInvalidArgumentException`.
    ///
    /// - Parameters:
    ///   - name: the function's name, with a colon for each argument.
    ///   - parameters: the arguments, expressions or constants.
    public init(forFunction name: String, arguments parameters: [Any]) {
        guard FunctionTable.isKnown(name) else {
            raise(
                .invalidArgument, "\"\(name)\" is no predefined function of NSExpression",
                instead: "NSExpression(parsing:arguments:)")
        }
        self.init(
            tree: .function(operand: nil, name: name, arguments: parameters.map(ExpressionTree.argument)),
            above: parameters.map(ExpressionTree.depth(of:)))
    }

    /// A function of the value of `target`.
    ///
    /// - Parameters:
    ///   - target: the expression whose value has the function.
    ///   - name: the function's name, with a colon for each argument.
    ///   - arguments: the arguments, expressions or constants.
    public init(forFunction target: NSExpression, selectorName name: String, arguments: [Any]?) {
        self.init(
            tree: .function(
                operand: target.expressionTree, name: name,
                arguments: (arguments ?? []).map(ExpressionTree.argument)),
            above: [target.partDepth] + (arguments ?? []).map(ExpressionTree.depth(of:)))
    }

    /// A list of expressions; other values become constants.
    public init(forAggregate subexpressions: [Any]) {
        self.init(
            tree: .aggregate(subexpressions.map(ExpressionTree.argument)),
            above: subexpressions.map(ExpressionTree.depth(of:)))
    }

    /// The union of a set and a collection.
    ///
    /// - Parameters:
    ///   - left: the set.
    ///   - right: the collection.
    public init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(
            tree: .union(left.expressionTree, right.expressionTree), above: [left.partDepth, right.partDepth])
    }

    /// An expression of the members that a set and a collection share.
    ///
    /// - Parameters:
    ///   - left: the set.
    ///   - right: the collection.
    public init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(
            tree: .intersect(left.expressionTree, right.expressionTree),
            above: [left.partDepth, right.partDepth])
    }

    /// An expression of the members that a set has and a collection hasn't.
    ///
    /// - Parameters:
    ///   - left: the set.
    ///   - right: the collection.
    public init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(
            tree: .minus(left.expressionTree, right.expressionTree), above: [left.partDepth, right.partDepth])
    }

    /// The elements of a collection for which `predicate` holds, with `$variable` as the element.
    ///
    /// - Parameters:
    ///   - expression: the collection.
    ///   - variable: the variable's name, without `$`.
    ///   - predicate: the condition.
    public init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(
            tree: .subquery(
                collection: expression.expressionTree, variable: variable, predicate: predicate.tree),
            above: [expression.partDepth, predicate.depth])
    }

    /// One of two expressions, as `predicate` decides.
    ///
    /// - Parameters:
    ///   - predicate: the condition.
    ///   - trueExpression: the value where it holds.
    ///   - falseExpression: the value where it doesn't.
    public init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(
            tree: .conditional(predicate.tree, trueExpression.expressionTree, falseExpression.expressionTree),
            above: [predicate.depth, trueExpression.partDepth, falseExpression.partDepth])
    }

    /// A closure over the evaluated object, the values of `arguments` and the context.
    ///
    /// - Parameters:
    ///   - block: gets the evaluated object, the arguments' values and the context.
    ///   - arguments: the arguments.
    public init(block: @escaping ExpressionClosure.Body, arguments: [NSExpression]?) {
        self.init(
            tree: .block(ObjectReference(ExpressionClosure(block)), (arguments ?? []).map(\.expressionTree)),
            above: (arguments ?? []).map(\.partDepth))
    }
}

extension ExpressionInitializing where Self: NSExpression {
    /// Returns the evaluated object itself: `SELF`.
    public static func expressionForEvaluatedObject() -> NSExpression { NSExpression(tree: .evaluatedObject) }

    /// Returns any key: `ANYKEY`.
    public static func expressionForAnyKey() -> NSExpression { NSExpression(tree: .anyKey) }
}

extension ExpressionTree {
    /// A key path as text, which may begin with a variable.
    fileprivate static func path(_ text: String) -> ExpressionTree {
        guard text.first == "$", let dot = text.firstIndex(of: ".") else { return .keyPath(text) }
        return .keyPath(.variable(String(text[..<dot].dropFirst())), String(text[text.index(after: dot)...]))
    }

    /// Returns the tree that stands for an argument: an expression itself, a constant for anything else.
    static func argument(_ any: Any) -> ExpressionTree {
        (any as? any ExpressionTreeConvertible)?.expressionTree ?? ExpressionTree(constant: any)
    }

    /// The levels of what stands for an argument.
    fileprivate static func depth(of any: Any) -> Int {
        if let tree = any as? ExpressionTree { return tree.depth }
        // Only objects are asked for their class: a Swift collection would be bridged for it, with all that is inside.
        return type(of: any) is AnyClass ? (any as? NSExpression)?.partDepth ?? 1 : 1
    }
}
