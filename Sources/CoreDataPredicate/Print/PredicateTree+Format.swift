// Predicates as formats, in the spelling of Apple's `predicateFormat`.

import CoreDataSupport

extension PredicateTree {
    /// The predicate's format. Parsing it gives the same predicate, unless a block or an object takes part.
    package var format: String {
        var printer = FormatPrinter()
        printer.write(self)
        return printer.text
    }
}

/// Builds one format.
struct FormatPrinter {
    var text = ""

    mutating func write(_ predicate: PredicateTree) {
        switch predicate {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): write(comparison)
        case .and(let parts): write(parts, joinedBy: " AND ", empty: "TRUEPREDICATE")
        case .or(let parts): write(parts, joinedBy: " OR ", empty: "FALSEPREDICATE")
        case .not(let part):
            text += "NOT "
            writePart(part)
        case .block(let block): text += "BLOCKPREDICATE(\(address(of: block.object)))"
        }
    }

    private mutating func write(_ parts: [PredicateTree], joinedBy word: String, empty: String) {
        if parts.isEmpty { text += empty }
        if let only = parts.first, parts.count == 1 { return write(only) }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += word }
            writePart(part)
        }
    }

    /// A part of a compound predicate: compounds of their own get parentheses.
    private mutating func writePart(_ part: PredicateTree) {
        switch part {
        case .and(let parts), .or(let parts):
            if parts.count == 1 { return writePart(parts[0]) }
            if parts.isEmpty { return write(part) }
            text += "("
            write(part)
            text += ")"
        default: write(part)
        }
    }

    private mutating func write(_ comparison: PredicateTree.Comparison) {
        switch comparison.modifier {
        case .direct: break
        case .all: text += "ALL "
        case .any: text += "ANY "
        }
        writeOperand(comparison.left)
        text +=
            " " + comparison.op.format(selector: comparison.customSelector) + comparison.options.format + " "
        writeOperand(comparison.right)
    }

    /// An operand of a comparison needs no parentheses: every operator binds tighter.
    private mutating func writeOperand(_ expression: ExpressionTree) {
        write(expression, atLeast: 0)
    }
}

extension ComparisonOperator {
    /// The operator as formats spell it; a custom one by its selector.
    package func format(selector: String?) -> String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        case .customSelector: selector ?? "isEqual:"
        }
    }
}

extension ComparisonOptions {
    fileprivate var format: String {
        var letters = ""
        if contains(.caseInsensitive) { letters += "c" }
        if contains(.diacriticInsensitive) { letters += "d" }
        if contains(.normalized) { letters += "n" }
        if contains(.localeSensitive) { letters += "l" }
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}

/// Something to tell two objects apart by in a printed predicate.
func address(of object: AnyObject) -> String {
    "0x" + String(UInt(bitPattern: ObjectIdentifier(object).hashValue), radix: 16)
}
