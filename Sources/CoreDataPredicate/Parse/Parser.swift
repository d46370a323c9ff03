// The state of one reading: words, position, nesting. The grammar is in the files Parser+….

import CoreDataSupport

struct Parser {
    typealias Failure = Lexer.Failure

    let tokens: [Token]
    var arguments: FormatArguments
    var index = 0
    var nesting = 0

    init(tokens: [Token], arguments: FormatArguments) {
        self.tokens = tokens
        self.arguments = arguments
    }

    mutating func wholePredicate() throws(Failure) -> PredicateTree {
        let part = try predicate()
        try expectEnd()
        return part.tree
    }

    mutating func wholeExpression() throws(Failure) -> ExpressionTree {
        let part = try expression()
        try expectEnd()
        return part.tree
    }

    // MARK: Words

    var token: Token { tokens[min(index, tokens.count - 1)] }

    mutating func advance() {
        index = min(index + 1, tokens.count - 1)
    }

    func peekKind(_ offset: Int = 1) -> Token.Kind {
        tokens[min(index + offset, tokens.count - 1)].kind
    }

    func isAt(_ symbol: Symbol) -> Bool { token.kind == .symbol(symbol) }

    mutating func skip(_ symbol: Symbol) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: Symbol) throws(Failure) {
        guard skip(symbol) else { throw failure("Expected “\(symbol.rawValue)”") }
    }

    /// The word in upper case when it could be a keyword.
    var keyword: String? {
        guard case .identifier(let word) = token.kind else { return nil }
        return word.uppercased()
    }

    mutating func skip(keyword: String) -> Bool {
        guard self.keyword == keyword else { return false }
        advance()
        return true
    }

    private func expectEnd() throws(Failure) {
        if token.kind != .end { throw failure("Unexpected text after the end") }
    }

    // MARK: Failures and limits

    func failure(_ reason: String, at token: Token? = nil) -> Failure {
        Failure(reason: reason, range: (token ?? self.token).range)
    }

    /// Runs a nested part, one level deeper.
    mutating func nested<T>(_ body: (inout Parser) throws(Failure) -> T) throws(Failure) -> T {
        guard nesting < ParseLimits.nesting else { throw failure("The format is nested too deeply") }
        nesting += 1
        defer { nesting -= 1 }
        return try body(&self)
    }

    /// The depth of a node above parts of these depths.
    func depth(above depths: Int...) throws(Failure) -> Int {
        try depth(above: depths)
    }

    func depth(above depths: [Int]) throws(Failure) -> Int {
        let depth = 1 + (depths.max() ?? 0)
        guard depth <= ParseLimits.depth else { throw failure("The format is nested too deeply") }
        return depth
    }

    // MARK: Kinds

    func asPredicate(_ node: Node) throws(Failure) -> Part<PredicateTree> {
        guard case .predicate(let tree) = node.content else {
            throw failure("Expected a comparison operator")
        }
        return Part(tree: tree, depth: node.depth)
    }

    func asExpression(_ node: Node, at token: Token? = nil) throws(Failure) -> Part<ExpressionTree> {
        guard case .expression(let tree) = node.content else {
            throw failure("Expected an expression, not a predicate", at: token)
        }
        return Part(tree: tree, depth: node.depth)
    }

    mutating func predicate() throws(Failure) -> Part<PredicateTree> {
        let node = try disjunction()
        return try asPredicate(node)
    }

    mutating func expression() throws(Failure) -> Part<ExpressionTree> {
        let start = token
        let node = try nested { (parser) throws(Failure) in try parser.operation(atLeast: 0) }
        return try asExpression(node, at: start)
    }
}
