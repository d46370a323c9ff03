// The words of the format language.

import CoreDataSupport

/// One word, with the range of unicode scalars that it covers.
struct Token {
    enum Kind: Equatable {
        /// A word that may be a keyword; selectors keep their colons: `modulus:by:`.
        case identifier(String)
        /// `#word` or `#"any text"`: a key, never a keyword.
        case key(String)
        case string(String)
        case number(Value)
        /// `$word`, without the dollar sign.
        case variable(String)
        /// `%@`, `%ld`, …, without the percent sign.
        case argument(String)
        case symbol(Symbol)
        case end
    }

    let kind: Kind
    let range: Range<Int>
}

/// Punctuation; aliases share one case.
enum Symbol: String {
    case open = "(", close = ")", openBrace = "{", closeBrace = "}", openBracket = "[", closeBracket = "]"
    case comma = ",", dot = "."
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case and = "&&", or = "||", not = "!"
    case plus = "+", minus = "-", times = "*", divide = "/", power = "**", modulus = "%%"
    case bitAnd = "&", bitOr = "|", bitXor = "^", bitNot = "~", shiftLeft = "<<", shiftRight = ">>"

    /// Every spelling of two characters, then of one.
    static let spellings: [String: Symbol] = {
        let all: [Symbol] = [
            .open, .close, .openBrace, .closeBrace, .openBracket, .closeBracket, .comma, .dot, .equal,
            .notEqual,
            .less, .lessOrEqual, .greater, .greaterOrEqual, .and, .or, .not, .plus, .minus, .times, .divide,
            .power, .modulus, .bitAnd, .bitOr, .bitXor, .bitNot, .shiftLeft, .shiftRight,
        ]
        var table = Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, $0) })
        table["="] = .equal
        table["<>"] = .notEqual
        table["=<"] = .lessOrEqual
        table["=>"] = .greaterOrEqual
        return table
    }()
}

/// The words that mean something of their own at the start of an operand, in upper case.
enum Keyword {
    /// Words that can't begin a key path unless written as `#word`.
    static let reserved: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH",
        "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "ANYKEY", "TRUEPREDICATE",
        "FALSEPREDICATE", "UNION", "INTERSECT", "MINUS", "FIRST", "LAST", "SIZE", "SUBQUERY", "FETCH", "CAST",
        "FUNCTION", "TERNARY",
    ]

    /// Reserved words that are read as keys all the same where nothing else could be meant.
    static let contextual: Set<String> = [
        "UNION", "INTERSECT", "MINUS", "FIRST", "LAST", "SIZE", "SUBQUERY", "FETCH", "CAST", "FUNCTION",
        "TERNARY",
    ]
}
