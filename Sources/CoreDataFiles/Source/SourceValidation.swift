// Bounds and patterns that source models state as text, and the validation rules that they stand for.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// The bounds of one attribute in the spelling of source models.
struct SourceValidation {
    // Validation error codes, as `NSValidationError…` of the public API.
    private static let numberTooLarge: Int64 = 1610
    private static let numberTooSmall: Int64 = 1620
    private static let dateTooLate: Int64 = 1630
    private static let dateTooSoon: Int64 = 1640
    private static let stringTooLong: Int64 = 1660
    private static let stringTooShort: Int64 = 1670
    private static let stringPattern: Int64 = 1680

    var minimum: String?
    var maximum: String?
    var pattern: String?

    /// The rules, in the order minimum, maximum, pattern. `remark` gets the attribute, the text and what it is taken
    /// for where that isn't plain.
    func rules(
        for type: AttributeType, remark: (String, String, String) -> Void = { _, _, _ in }
    ) -> [ValidationRule] {
        let isText = type == .string
        let subject: ExpressionTree = isText ? .keyPath("length") : .evaluatedObject
        let codes =
            isText
            ? (Self.stringTooShort, Self.stringTooLong)
            : type == .date
                ? (Self.dateTooSoon, Self.dateTooLate) : (Self.numberTooSmall, Self.numberTooLarge)
        let names = Self.names(for: type)
        var rules: [ValidationRule] = []
        func add(_ op: ComparisonOperator, _ bound: String?, _ code: Int64, _ name: String) {
            guard let bound else { return }
            let reading = SourceDefaultValue.reading(bound, type: isText ? .integer64 : type)
            if let taken = reading.remark { remark(name, bound, taken) }
            guard let value = reading.value else { return }
            rules.append(
                ValidationRule(
                    predicate: .comparison(.init(subject, op: op, right: .constant(value))),
                    warning: .integer(code)))
        }
        add(.greaterThanOrEqualTo, minimum, codes.0, names.minimum)
        add(.lessThanOrEqualTo, maximum, codes.1, names.maximum)
        if let pattern, !pattern.isEmpty {
            let predicate = PredicateTree.comparison(
                .init(.evaluatedObject, op: .matches, right: .constant(.string(pattern))))
            rules.append(ValidationRule(predicate: predicate, warning: .integer(Self.stringPattern)))
        }
        return rules
    }

    /// The XML attributes of bounds.
    static func names(for type: AttributeType) -> (minimum: String, maximum: String) {
        type == .date
            ? ("minDateTimeInterval", "maxDateTimeInterval") : ("minValueString", "maxValueString")
    }

    init(minimum: String? = nil, maximum: String? = nil, pattern: String? = nil) {
        self.minimum = minimum
        self.maximum = maximum
        self.pattern = pattern
    }

    /// The bounds that rules stand for. Throws `ArchiveFailure` for rules that no bound can say.
    init(_ rules: [ValidationRule], type: AttributeType) throws {
        for rule in rules {
            guard case .comparison(let comparison) = rule.predicate,
                case .constant(let value) = comparison.right
            else { throw Self.unsayable }
            if comparison.op == .matches, case .string(let text) = value, pattern == nil {
                pattern = text
            } else if comparison.op == .greaterThanOrEqualTo, minimum == nil {
                minimum = try SourceDefaultValue.text(value, type: type == .string ? .integer64 : type)
            } else if comparison.op == .lessThanOrEqualTo, maximum == nil {
                maximum = try SourceDefaultValue.text(value, type: type == .string ? .integer64 : type)
            }
        }
        guard Set(self.rules(for: type)) == Set(rules) else { throw Self.unsayable }
    }

    private static let unsayable = ArchiveFailure("a source model can't state this validation predicate")
}
