// Expressions that are computed over many rows at once.

extension ExpressionTree {
    /// The function over all rows of a fetch that an expression is, with its colon, and what it is computed of:
    /// `sum:(age)`, `@sum.age`, `age.@sum`, `@count`.
    package var aggregate: (name: String, argument: ExpressionTree)? {
        switch self {
        case .function(_, let name, let arguments) where arguments.count == 1:
            let name = name.hasSuffix(":") ? name : name + ":"
            return FunctionTable.aggregates.contains(name) ? (name, arguments[0]) : nil
        case .keyPath(.evaluatedObject, let path):
            guard let found = Self.keyPathOperator(path), found.before.isEmpty || found.behind.isEmpty
            else { return nil }
            let rest = (found.before + found.behind).joined(separator: ".")
            return (found.function, rest.isEmpty ? .evaluatedObject : .keyPath(rest))
        default: return nil
        }
    }

    /// The function that the operator in a key path stands for, with its colon, and the keys on both sides of the operator:
    /// `people.@max.born`.
    package static func keyPathOperator(
        _ path: String
    ) -> (function: String, before: [String], behind: [String])? {
        let keys = path.split(separator: ".").map(String.init)
        guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else { return nil }
        let function = (keys[place] == "@avg" ? "average" : String(keys[place].dropFirst())) + ":"
        guard FunctionTable.aggregates.contains(function) else { return nil }
        return (function, Array(keys[..<place]), Array(keys[(place + 1)...]))
    }
}
