// The parser's reading so far: parentheses may hold a predicate or an expression, and only the text after
// them tells which. One kind for both reads every format in one pass, without going back.

struct Node {
    enum Content {
        case predicate(PredicateTree)
        case expression(ExpressionTree)
    }

    var content: Content
    /// Levels of the tree, counted so that nobody can make one too deep to walk.
    var depth = 1

    init(_ predicate: PredicateTree, depth: Int = 1) {
        content = .predicate(predicate)
        self.depth = depth
    }

    init(_ expression: ExpressionTree, depth: Int = 1) {
        content = .expression(expression)
        self.depth = depth
    }
}

/// A part of a tree with its depth.
struct Part<Tree> {
    var tree: Tree
    var depth: Int
}
