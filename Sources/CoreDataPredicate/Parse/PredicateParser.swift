// Reads the predicate format language. The trapping initialisers of the public classes and the command
// line stand on the same throwing entry points.

/// Reads predicates and expressions from formats.
package enum PredicateParser {
    /// The predicate that a format spells; `arguments` fill its `%` specifiers in order.
    package static func predicate(_ format: String, arguments: [Any?] = []) throws(ParseFailure)
        -> PredicateTree
    {
        if arguments.count <= ParseLimits.arguments,
            let kept = try? KeptTrees.predicate(format, arguments: arguments)
        {
            return kept
        }
        return try read(format, arguments: arguments) { (parser) throws(Lexer.Failure) in
            try parser.wholePredicate()
        }
    }

    /// The expression that a format spells; `arguments` fill its `%` specifiers in order.
    package static func expression(_ format: String, arguments: [Any?] = []) throws(ParseFailure)
        -> ExpressionTree
    {
        try read(format, arguments: arguments) { (parser) throws(Lexer.Failure) in
            try parser.wholeExpression()
        }
    }

    private static func read<Tree>(
        _ format: String, arguments: [Any?], body: (inout Parser) throws(Lexer.Failure) -> Tree
    ) throws(ParseFailure) -> Tree {
        guard format.utf8.count <= ParseLimits.formatLength, arguments.count <= ParseLimits.arguments else {
            throw ParseFailure(
                reason: "The format or its list of arguments is too long", position: 0, length: 0)
        }
        do throws(Lexer.Failure) {
            var parser = Parser(
                tokens: try KeptTokens.tokens(of: format), arguments: FormatArguments(arguments))
            return try body(&parser)
        } catch {
            throw ParseFailure(error, in: format)
        }
    }
}

extension ParseFailure {
    /// Counts characters up to the failure, which the lexer knows in unicode scalars.
    fileprivate init(_ failure: Lexer.Failure, in format: String) {
        let scalars = format.unicodeScalars
        let lower = scalars.index(
            scalars.startIndex, offsetBy: failure.range.lowerBound, limitedBy: scalars.endIndex)
        let upper = scalars.index(
            scalars.startIndex, offsetBy: failure.range.upperBound, limitedBy: scalars.endIndex)
        let start = format[..<(lower ?? scalars.endIndex)].count
        let end = format[..<(upper ?? scalars.endIndex)].count
        self.init(reason: failure.reason, position: start, length: max(0, end - start))
    }
}
