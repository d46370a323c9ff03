// OR, AND, NOT, comparisons. Each function reads one level; what is no predicate passes through as an
// expression, so that `(a + b) * 2 > c` needs no second reading of its parentheses.

import CoreDataSupport

extension Parser {
    mutating func disjunction() throws(Failure) -> Node {
        try nested { (parser) throws(Failure) in
            try parser.compound(
                .or, word: "OR", next: { (parser) throws(Failure) in try parser.conjunction() },
                make: PredicateTree.or)
        }
    }

    private mutating func conjunction() throws(Failure) -> Node {
        try compound(
            .and, word: "AND", next: { (parser) throws(Failure) in try parser.negation() },
            make: PredicateTree.and)
    }

    private mutating func compound(
        _ symbol: Symbol, word: String, next: (inout Parser) throws(Failure) -> Node,
        make: ([PredicateTree]) -> PredicateTree
    ) throws(Failure) -> Node {
        let first = try next(&self)
        guard isAt(symbol) || keyword == word else { return first }
        var part = try asPredicate(first)
        var parts = [part.tree]
        var deepest = part.depth
        while skip(symbol) || skip(keyword: word) {
            part = try asPredicate(try next(&self))
            parts.append(part.tree)
            deepest = max(deepest, part.depth)
        }
        return Node(make(parts), depth: try depth(above: deepest))
    }

    private mutating func negation() throws(Failure) -> Node {
        guard skip(.not) || skip(keyword: "NOT") else { return try comparison() }
        let node = try nested { (parser) throws(Failure) in try parser.negation() }
        let part = try asPredicate(node)
        return Node(.not(part.tree), depth: try depth(above: part.depth))
    }

    private mutating func comparison() throws(Failure) -> Node {
        var modifier = ComparisonModifier.direct
        var isNegated = false
        switch keyword {
        case "ANY", "SOME": modifier = .any
        case "ALL": modifier = .all
        case "NONE": (modifier, isNegated) = (.any, true)
        default: break
        }
        if modifier != .direct { advance() }
        let start = token
        let left = try operation(atLeast: 0)
        guard let found = try comparisonOperator() else {
            if modifier != .direct { throw failure("Expected a comparison operator") }
            return left
        }
        let (leftPart, right) = (try asExpression(left, at: start), try expression())
        let comparison = PredicateTree.Comparison(
            leftPart.tree, op: found.op, right: right.tree, modifier: modifier, options: found.options,
            customSelector: found.selector)
        let level = try depth(above: leftPart.depth, right.depth)
        let tree = PredicateTree.comparison(comparison)
        return Node(isNegated ? .not(tree) : tree, depth: isNegated ? try depth(above: level) : level)
    }

    private struct FoundOperator {
        var op: ComparisonOperator
        var options: ComparisonOptions = []
        var selector: String?
    }

    private mutating func comparisonOperator() throws(Failure) -> FoundOperator? {
        if case .identifier(let word) = token.kind, word.hasSuffix(":") { return try selectorOperator(word) }
        guard let op = operatorAtToken else { return nil }
        advance()
        return FoundOperator(op: op, options: try options(for: op))
    }

    private mutating func selectorOperator(_ word: String) throws(Failure) -> FoundOperator {
        guard FunctionTable.selectors.contains(word) else { throw failure("Unknown comparison “\(word)”") }
        advance()
        return FoundOperator(op: .customSelector, selector: word)
    }

    private var operatorAtToken: ComparisonOperator? {
        switch token.kind {
        case .symbol(.equal): .equalTo
        case .symbol(.notEqual): .notEqualTo
        case .symbol(.less): .lessThan
        case .symbol(.lessOrEqual): .lessThanOrEqualTo
        case .symbol(.greater): .greaterThan
        case .symbol(.greaterOrEqual): .greaterThanOrEqualTo
        default: keyword.flatMap { Self.operatorWords[$0] }
        }
    }

    private static let operatorWords: [String: ComparisonOperator] = [
        "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "LIKE": .like,
        "MATCHES": .matches, "IN": .in, "BETWEEN": .between,
    ]

    /// `[c]`, `[d]`, `[cd]`, `[n]`, `[l]` after an operator.
    private mutating func options(for op: ComparisonOperator) throws(Failure) -> ComparisonOptions {
        guard isAt(.openBracket) else { return [] }
        advance()
        guard case .identifier(let letters) = token.kind else { throw failure("Expected one of c, d, n, l") }
        var options: ComparisonOptions = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(.localeSensitive)
            default: throw failure("“\(letter)” is no comparison option; there are c, d, n and l")
            }
        }
        if op == .between { throw failure("BETWEEN takes no options") }
        advance()
        try expect(.closeBracket)
        return options
    }
}
