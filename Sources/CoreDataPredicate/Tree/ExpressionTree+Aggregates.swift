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
            let parts = path.split(separator: ".").map(String.init)
            guard let place = parts.firstIndex(where: { $0.hasPrefix("@") }),
                place == 0 || place == parts.count - 1
            else { return nil }
            let name = (parts[place] == "@avg" ? "average" : String(parts[place].dropFirst())) + ":"
            let rest = (parts[..<place] + parts[(place + 1)...]).joined(separator: ".")
            guard FunctionTable.aggregates.contains(name) else { return nil }
            return (name, rest.isEmpty ? .evaluatedObject : .keyPath(rest))
        default: return nil
        }
    }
}
