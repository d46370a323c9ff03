// The meaning of a derived attribute's expression, in the few forms that a store can keep up to date.

package import CoreDataPredicate
import CoreDataSchema

/// The value of a derived attribute, as documented for `NSDerivedAttributeDescription`.
package enum Derivation: Sendable, Hashable {
    /// `now()`: the time of the row's last save.
    case now
    /// `name`, `author.name`, `canonical:(author.name)`: to-one relationships, then an attribute, or an element of a
    /// composite one (`author.address.city`).
    case value(path: [String], function: SQLFunction.Name?)
    /// `friends.@count`, `items.@sum.price`. The attribute, or the path of an element of a composite one, is nil for
    /// the count of the members.
    case aggregate(relationship: String, sumOf: String?)

    /// `nil` for an expression of any other form.
    package init?(_ tree: ExpressionTree) {
        switch tree {
        case .keyPath(.evaluatedObject, let path):
            self.init(path: path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
        case .function(operand: nil, name: "now", arguments: []):
            self = .now
        case .function(operand: nil, let name, let arguments):
            guard arguments.count == 1, case .keyPath(.evaluatedObject, let path) = arguments[0] else {
                return nil
            }
            let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            self.init(function: name, path: parts)
        default: return nil
        }
    }

    private init?(path: [String]) {
        guard let place = path.firstIndex(where: { $0.hasPrefix("@") }) else {
            self = .value(path: path, function: nil)
            return
        }
        let operands = path[..<place] + path[(place + 1)...]
        switch (path[place], operands.count) {
        case ("@count", 1) where place == 1:
            self = .aggregate(relationship: operands[0], sumOf: nil)
        case ("@sum", 2...) where place >= 1:
            self = .aggregate(
                relationship: operands[0], sumOf: operands.dropFirst().joined(separator: "."))
        default: return nil
        }
    }

    private init?(function: String, path: [String]) {
        if path.contains(where: { $0.hasPrefix("@") }) { return nil }
        switch (function, path.count) {
        case ("canonical:", _): self = .value(path: path, function: .canonical)
        case ("uppercase:", _): self = .value(path: path, function: .uppercase)
        case ("lowercase:", _): self = .value(path: path, function: .lowercase)
        case ("count:", 1): self = .aggregate(relationship: path[0], sumOf: nil)
        case ("sum:", 2...):
            self = .aggregate(relationship: path[0], sumOf: path.dropFirst().joined(separator: "."))
        default: return nil
        }
    }
}
