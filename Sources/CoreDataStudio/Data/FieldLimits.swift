// The bounds that a model's validation sets, so that editors can say them before anything is saved.

import CoreData
import CoreDataPredicate
import CoreDataSupport

/// The limits in the validation predicates of an attribute, as far as they have the forms that models use.
struct FieldLimits {
    private(set) var fields: [String: StudioValue] = [:]

    init(_ attribute: NSAttributeDescription) {
        for predicate in attribute.validationPredicates { read(predicate.tree) }
        if let range = Self.range(attribute.attributeType) {
            if fields["min"] == nil { fields["min"] = .integer(range.lowerBound) }
            if fields["max"] == nil { fields["max"] = .integer(range.upperBound) }
        }
    }

    private static func range(_ type: NSAttributeType) -> ClosedRange<Int64>? {
        switch type {
        case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
        case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
        default: nil
        }
    }

    private mutating func read(_ tree: PredicateTree) {
        switch tree {
        case .and(let parts): for part in parts { read(part) }
        case .comparison(let comparison): read(comparison)
        default: break
        }
    }

    private mutating func read(_ comparison: PredicateTree.Comparison) {
        guard case .constant(let value) = comparison.right else { return }
        switch (comparison.left, comparison.op) {
        case (.evaluatedObject, .greaterThanOrEqualTo): fields["min"] = Self.bound(value)
        case (.evaluatedObject, .lessThanOrEqualTo): fields["max"] = Self.bound(value)
        case (.evaluatedObject, .matches):
            if case .string(let pattern) = value { fields["pattern"] = .text(pattern) }
        case (.keyPath(.evaluatedObject, "length"), .greaterThanOrEqualTo):
            fields["minLength"] = Self.bound(value)
        case (.keyPath(.evaluatedObject, "length"), .lessThanOrEqualTo):
            fields["maxLength"] = Self.bound(value)
        default: break
        }
    }

    private static func bound(_ value: Value) -> StudioValue {
        switch value {
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .decimal(let number): .tagged("decimal", text: "\(number)")
        case .date(let date): ShownValue(limit: ShownValue.cell).value(date)
        default: .null
        }
    }
}
