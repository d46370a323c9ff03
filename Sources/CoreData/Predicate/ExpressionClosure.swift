// A client's closure as an expression.

public import Foundation

/// The closure of `NSExpression(block:arguments:)`.
public final class ExpressionClosure {
    /// Takes the evaluated object, the arguments' values and the context; returns the value.
    public typealias Body = (Any?, [Any], NSMutableDictionary?) -> Any

    let body: Body

    init(_ body: @escaping Body) {
        self.body = body
    }
}
