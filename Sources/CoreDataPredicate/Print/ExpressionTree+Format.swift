// Expressions as formats.

import CoreDataSupport

extension ExpressionTree {
    /// The expression's format. Parsing it gives the same expression, unless a block or an object takes part.
    package var format: String {
        var printer = FormatPrinter()
        printer.write(self, atLeast: 0)
        return printer.text
    }
}

extension FormatPrinter {
    /// Precedence of an operand that takes no operator around it apart.
    static let tightest = 10

    /// Writes an expression, in parentheses when its operator binds less tightly than asked for.
    mutating func write(_ expression: ExpressionTree, atLeast precedence: Int) {
        let needsParentheses = expression.precedence < precedence
        if needsParentheses { text += "(" }
        writePlain(expression)
        if needsParentheses { text += ")" }
    }

    private mutating func writePlain(_ expression: ExpressionTree) {
        switch expression {
        case .constant(let value): write(value)
        case .evaluatedObject: text += "SELF"
        case .variable(let name): text += "$" + name
        case .keyPath(let operand, let path): writeKeyPath(operand, path: path)
        case .function(let operand, let name, let arguments):
            writeFunction(operand, name: name, arguments: arguments)
        case .union(let left, let right): writeInfix(left, word: "UNION", right: right, precedence: 1)
        case .intersect(let left, let right): writeInfix(left, word: "INTERSECT", right: right, precedence: 1)
        case .minus(let left, let right): writeInfix(left, word: "MINUS", right: right, precedence: 1)
        case .subquery(let collection, let variable, let predicate):
            text += "SUBQUERY("
            write(collection, atLeast: 0)
            text += ", $\(variable), "
            write(predicate)
            text += ")"
        case .aggregate(let elements): writeList(elements, open: "{", close: "}")
        case .conditional(let predicate, let first, let second):
            text += "TERNARY("
            write(predicate)
            text += ", "
            writeList([first, second], open: "", close: ")")
        case .anyKey: text += "ANYKEY"
        case .fetchRequest(let request, let context, let countOnly):
            writeList([request, context], open: "FETCH(", close: countOnly ? ", YES)" : ", NO)")
        case .block(let block, let arguments):
            let address = address(of: block.object)
            writeList(
                arguments, open: arguments.isEmpty ? "BLOCK(\(address)" : "BLOCK(\(address), ", close: ")")
        }
    }

    private mutating func writeList(_ elements: [ExpressionTree], open: String, close: String) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += ", " }
            write(element, atLeast: 0)
        }
        text += close
    }

    /// Left to right: an equal operator on the right side needs parentheses, on the left only under `**`.
    private mutating func writeInfix(
        _ left: ExpressionTree, word: String, right: ExpressionTree, precedence: Int,
        rightFirst: Bool = false
    ) {
        write(left, atLeast: rightFirst ? precedence + 1 : precedence)
        text += " \(word) "
        write(right, atLeast: rightFirst ? precedence : precedence + 1)
    }

    private mutating func writeFunction(
        _ operand: ExpressionTree?, name: String, arguments: [ExpressionTree]
    ) {
        if let operand {
            text += "FUNCTION("
            writeList([operand, .constant(.string(name))] + arguments, open: "", close: ")")
        } else if let infix = InfixOperator.symbolsByFunction[name], arguments.count == 2 {
            writeInfix(
                arguments[0], word: infix.symbol.rawValue, right: arguments[1], precedence: infix.precedence,
                rightFirst: infix.symbol == .power)
        } else if let symbol = name.indexSymbol, arguments.isEmpty {
            text += symbol
        } else if name == "onesComplement:", arguments.count == 1 {
            text += "~"
            write(arguments[0], atLeast: Self.tightest - 1)
        } else if name == "objectFrom:withIndex:", arguments.count == 2 {
            write(arguments[0], atLeast: Self.tightest)
            writeList([arguments[1]], open: "[", close: "]")
        } else if name == "castObject:toType:", arguments.count == 2 {
            writeList(arguments, open: "CAST(", close: ")")
        } else {
            writeList(arguments, open: name + "(", close: ")")
        }
    }

    private mutating func writeKeyPath(_ operand: ExpressionTree, path: String) {
        guard operand != .evaluatedObject else {
            text += path.escapedAsKeyPath
            return
        }
        write(operand, atLeast: Self.tightest)
        text += "." + (path.isPlainKeyPath ? path : "#" + path.quoted)
    }
}

extension ExpressionTree {
    /// The precedence of the printed form.
    fileprivate var precedence: Int {
        switch self {
        case .union, .intersect, .minus: 1
        case .function(nil, let name, let arguments):
            if name == "onesComplement:", arguments.count == 1 {
                FormatPrinter.tightest - 1
            } else if arguments.count == 2, let infix = InfixOperator.symbolsByFunction[name] {
                infix.precedence
            } else {
                FormatPrinter.tightest
            }
        case .constant(let value): value.precedence
        default: FormatPrinter.tightest
        }
    }
}

extension String {
    fileprivate var indexSymbol: String? {
        switch self {
        case "first": "FIRST"
        case "last": "LAST"
        case "size": "SIZE"
        default: nil
        }
    }

    /// The path as it stands in a format: reserved words get a `#`, anything odd also quotes.
    var escapedAsKeyPath: String {
        guard isPlainKeyPath else { return "#" + quoted }
        let first = prefix { $0 != "." }
        return Keyword.reserved.contains(first.uppercased()) ? "#" + self : self
    }

    /// Indicates whether every component is a word or a collection operator.
    var isPlainKeyPath: Bool {
        let components = split(separator: ".", omittingEmptySubsequences: false)
        return components.allSatisfy { component in
            let scalars = component.unicodeScalars
            if scalars.first == "@" { return scalars.count > 1 && scalars.dropFirst().allSatisfy(isWordPart) }
            guard let first = scalars.first, isWordStart(first) else { return false }
            return scalars.allSatisfy(isWordPart)
        }
    }
}
