// The predicates of formats that were read lately, with places for their arguments: the same formats come again and again.

import CoreDataSupport
import Synchronization

/// A predicate with places for the arguments of its format.
///
/// Only of formats made of comparisons of the object's own key paths with arguments or literals: there an argument decides
/// nothing but the constant in its place.
struct PredicateTemplate: Sendable {
    /// Arguments are variables with names that no format can spell.
    private let tree: PredicateTree
    /// The specifiers of the arguments, in order.
    private let specifiers: [String]

    /// The template of a format's words; nil if the format is of another kind.
    init?(_ tokens: [Token]) {
        specifiers = tokens.compactMap {
            if case .argument(let specifier) = $0.kind { specifier } else { nil }
        }
        if specifiers.isEmpty || specifiers.contains("K") { return nil }
        let places = specifiers.indices.map { PlaceInTemplate(number: $0) }
        var parser = Parser(tokens: tokens.map(\.takingAnything), arguments: FormatArguments(places))
        guard let tree = try? parser.wholePredicate(), Self.isSimple(tree) else { return nil }
        self.tree = tree
    }

    private static func isSimple(_ tree: PredicateTree) -> Bool {
        switch tree {
        case .constant: return true
        case .block: return false
        case .and(let parts), .or(let parts): return parts.allSatisfy(isSimple)
        case .not(let part): return isSimple(part)
        case .comparison(let comparison):
            guard case .keyPath(.evaluatedObject, _) = comparison.left else { return false }
            switch comparison.right {
            case .constant: return true
            case .variable(let name): return PlaceInTemplate(name: name) != nil
            default: return false
            }
        }
    }

    /// The predicate with arguments; nil if one of them isn't a constant, or doesn't fit.
    func filled(with arguments: [Any?]) -> PredicateTree? {
        var given = FormatArguments(arguments)
        var constants: [ExpressionTree] = []
        for specifier in specifiers {
            guard case .expression(let tree)? = try? given.node(for: specifier).content, case .constant = tree
            else {
                return nil
            }
            constants.append(tree)
        }
        return Self.fill(tree, constants: constants)
    }

    private static func fill(_ tree: PredicateTree, constants: [ExpressionTree]) -> PredicateTree {
        switch tree {
        case .constant, .block: return tree
        case .and(let parts): return .and(parts.map { fill($0, constants: constants) })
        case .or(let parts): return .or(parts.map { fill($0, constants: constants) })
        case .not(let part): return .not(fill(part, constants: constants))
        case .comparison(var comparison):
            guard case .variable(let name) = comparison.right, let place = PlaceInTemplate(name: name) else {
                return tree
            }
            comparison.right = constants[place.number]
            return .comparison(comparison)
        }
    }
}

/// Stands for an argument while a template is read. A lexer reads no variable with such a name.
struct PlaceInTemplate: ExpressionTreeConvertible {
    let number: Int

    init(number: Int) { self.number = number }

    init?(name: String) {
        guard name.hasPrefix("\0"), let number = Int(name.dropFirst()) else { return nil }
        self.number = number
    }

    var expressionTree: ExpressionTree { .variable("\0\(number)") }
}

extension Token {
    /// The word, with `%@` for any other argument.
    fileprivate var takingAnything: Token {
        if case .argument = kind { Token(kind: .argument("@"), range: range) } else { self }
    }
}

enum KeptTrees {
    /// The greatest number of formats that are kept, and their greatest length in bytes.
    private static let limits = (formats: 128, length: 256)
    /// Formats without a template among them.
    private static let known = Mutex<[String: PredicateTemplate?]>([:])

    /// The predicate of a format with these arguments, if it is of the kind that templates are kept of.
    static func predicate(_ format: String, arguments: [Any?]) throws(Lexer.Failure) -> PredicateTree? {
        if arguments.isEmpty || format.utf8.count > limits.length { return nil }
        if let template = known.withLock({ $0[format] }) { return template?.filled(with: arguments) }
        let template = PredicateTemplate(try KeptTokens.tokens(of: format))
        known.withLock { known in
            if known.count >= limits.formats { known.removeAll(keepingCapacity: true) }
            known.updateValue(template, forKey: format)
        }
        return template?.filled(with: arguments)
    }
}
