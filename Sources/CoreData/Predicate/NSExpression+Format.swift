// Expressions from formats.

import CoreDataPredicate
import CoreDataSupport

extension ExpressionInitializing {
    /// An expression from its format; stops the process when it is wrong, as on Apple's systems.
    ///
    /// - Parameters:
    ///   - expressionFormat: the text.
    ///   - args: what its `%` specifiers stand for, in order.
    public init(format expressionFormat: String, _ args: Any?...) {
        self.init(tree: Self.tree(orRaise: expressionFormat, args))
    }

    /// An expression from its format, with the arguments in an array.
    ///
    /// - Parameters:
    ///   - expressionFormat: the text.
    ///   - arguments: what its `%` specifiers stand for, in order.
    public init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(tree: Self.tree(orRaise: expressionFormat, arguments))
    }

    /// An expression from a format of unknown origin.
    ///
    /// - Parameters:
    ///   - expressionFormat: the text.
    ///   - arguments: what its `%` specifiers stand for, in order.
    /// - Throws: `PredicateFormatError` with the reason and the position.
    public init(parsing expressionFormat: String, arguments: [Any?] = []) throws {
        do throws(ParseFailure) {
            self.init(tree: try PredicateParser.expression(expressionFormat, arguments: arguments))
        } catch {
            throw PredicateFormatError(error)
        }
    }

    private static func tree(orRaise format: String, _ arguments: [Any?]) -> ExpressionTree {
        do throws(ParseFailure) {
            return try PredicateParser.expression(format, arguments: arguments)
        } catch {
            raise(
                .invalidArgument, "Unable to parse the format string \"\(format)\": \(error)",
                instead: "NSExpression(parsing:arguments:)")
        }
    }
}
