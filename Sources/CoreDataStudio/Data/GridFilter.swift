// The text that a person types into a column's filter, as a predicate.
//
//     nil, !nil             without a value, with one
//     =text, !=text         exactly, anything else
//     > 5, >= 5, < 5, <= 5  compared, dates as whole days, months, years; 3..7 from 3 to 7
//     @Team/12              of a relationship: is this object
//     text                  texts: contains it, whatever the case; other types: is it; dates: within the day, month, year

import CoreData
import CoreDataPredicate
import CoreDataSupport
import StoreTools

enum GridFilter {
    /// Throws a problem that says what the column takes.
    ///
    /// - Parameter object: gives the object of a name like `Team/12`; nil for a text that names none.
    static func predicate(
        _ text: String, column: GridColumn, object: (String) throws -> Value?
    ) throws -> PredicateTree? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if text.isEmpty { return nil }
        let key = ExpressionTree.keyPath(column.key)
        if text.lowercased() == "nil" {
            return .comparison(.init(key, op: .equalTo, right: .constant(.null)))
        }
        if text.lowercased() == "!nil" {
            return .comparison(.init(key, op: .notEqualTo, right: .constant(.null)))
        }
        switch column.content {
        case .attribute(let attribute), .element(let attribute, _):
            return try compare(text, key: key, attribute: attribute)
        case .toOne(let relationship):
            if text.hasPrefix("@"), let object = try object(String(text.dropFirst())) {
                return .comparison(.init(key, op: .equalTo, right: .constant(object)))
            }
            return try related(text, key: column.key, relationship: relationship)
        }
    }

    private static func related(
        _ text: String, key: String, relationship: NSRelationshipDescription
    ) throws -> PredicateTree {
        guard let destination = relationship.destinationEntity, let title = destination.titleKey,
            let attribute = destination.attributesByName[title]
        else {
            throw StudioProblem(
                status: 422,
                "“\(relationship.label)” can be filtered with nil and !nil only: nothing names its objects.")
        }
        return try compare(text, key: .keyPath("\(key).\(title)"), attribute: attribute)
    }

    /// The value of the choice that is shown under a label.
    private static func choice(_ label: String, attribute: NSAttributeDescription) -> String? {
        guard attribute.kind == .choice else { return nil }
        return attribute.rules.choices.first { $0.label.lowercased() == label.lowercased() }?.value
    }

    private static let operators: [(sign: String, op: ComparisonOperator)] = [
        ("!=", .notEqualTo), (">=", .greaterThanOrEqualTo), ("<=", .lessThanOrEqualTo), ("=", .equalTo),
        (">", .greaterThan), ("<", .lessThan),
    ]

    private static func compare(
        _ text: String, key: ExpressionTree, attribute: NSAttributeDescription
    ) throws -> PredicateTree {
        for (sign, op) in operators where text.hasPrefix(sign) {
            let rest = text.dropFirst(sign.count).trimmingCharacters(in: .whitespaces)
            if attribute.attributeType == .dateAttributeType, let range = DateSpan.range(rest) {
                return compare(key, op: op, range: range)
            }
            let value = choice(rest, attribute: attribute) ?? rest
            return .comparison(
                .init(key, op: op, right: .constant(try constant(value, attribute: attribute))))
        }
        if let value = choice(text, attribute: attribute) {
            return .comparison(
                .init(key, op: .equalTo, right: .constant(try constant(value, attribute: attribute))))
        }
        switch attribute.attributeType {
        case .stringAttributeType: return .comparison(contains(text, key: key))
        case .dateAttributeType:
            if let range = DateSpan.range(text) { return span(range, key: key) }
        case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType,
            .undefinedAttributeType,
            .objectIDAttributeType:
            throw StudioProblem(status: 422, "“\(attribute.label)” can be filtered with nil and !nil only.")
        default: break
        }
        if let dots = text.range(of: "..") {
            let low = try constant(
                text[..<dots.lowerBound].trimmingCharacters(in: .whitespaces), attribute: attribute)
            let high = try constant(
                text[dots.upperBound...].trimmingCharacters(in: .whitespaces), attribute: attribute)
            return .and([
                .comparison(.init(key, op: .greaterThanOrEqualTo, right: .constant(low))),
                .comparison(.init(key, op: .lessThanOrEqualTo, right: .constant(high))),
            ])
        }
        return .comparison(
            .init(key, op: .equalTo, right: .constant(try constant(text, attribute: attribute))))
    }

    /// Before, within or after a day, a month or a year.
    private static func compare(
        _ key: ExpressionTree, op: ComparisonOperator, range: Range<Date>
    ) -> PredicateTree {
        func bound(_ op: ComparisonOperator, date: Date) -> PredicateTree {
            .comparison(.init(key, op: op, right: .constant(.date(date))))
        }
        return switch op {
        case .greaterThan: bound(.greaterThanOrEqualTo, date: range.upperBound)
        case .greaterThanOrEqualTo: bound(.greaterThanOrEqualTo, date: range.lowerBound)
        case .lessThan: bound(.lessThan, date: range.lowerBound)
        case .lessThanOrEqualTo: bound(.lessThan, date: range.upperBound)
        case .notEqualTo: .not(span(range, key: key))
        default: span(range, key: key)
        }
    }

    static func contains(_ text: String, key: ExpressionTree) -> PredicateTree.Comparison {
        .init(
            key, op: .contains, right: .constant(.string(text)),
            options: [.caseInsensitive, .diacriticInsensitive])
    }

    private static func span(_ range: Range<Date>, key: ExpressionTree) -> PredicateTree {
        .and([
            .comparison(.init(key, op: .greaterThanOrEqualTo, right: .constant(.date(range.lowerBound)))),
            .comparison(.init(key, op: .lessThan, right: .constant(.date(range.upperBound)))),
        ])
    }

    private static func constant(_ text: String, attribute: NSAttributeDescription) throws -> Value {
        if attribute.attributeType == .stringAttributeType { return .string(text) }
        guard let value = try StudioInput.value(.text(text), for: attribute) else {
            throw StudioProblem(status: 422, "A value for “\(attribute.label)” is missing.")
        }
        switch value {
        case let number as NSDecimalNumber: return .decimal(number.decimalValue)
        case let number as NSNumber where attribute.attributeType == .booleanAttributeType:
            return .bool(number.boolValue)
        case let number as NSNumber where attribute.isInteger: return .integer(number.int64Value)
        case let number as NSNumber: return .double(number.doubleValue)
        case let date as Date: return .date(date)
        case let uuid as UUID: return .uuid(uuid)
        case let url as URL: return .url(url)
        default: throw StudioProblem(status: 422, "“\(attribute.label)” can't be compared with that.")
        }
    }
}

/// Years, months, days, and spans of them, as people write them: `2024`, `2024-05`, `2024-05-01..2024-05-07`.
enum DateSpan {
    static func range(_ text: String) -> Range<Date>? {
        let sides = text.components(separatedBy: "..")
        guard sides.count <= 2, let first = unit(sides[0]), let last = unit(sides[sides.count - 1]),
            first.lowerBound < last.upperBound
        else { return nil }
        return first.lowerBound..<last.upperBound
    }

    private static func unit(_ text: String) -> Range<Date>? {
        let parts = text.trimmingCharacters(in: .whitespaces).split(
            separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].count == 4, let year = Int(parts[0]), year < 9999 else {
            return nil
        }
        let numbers = parts.dropFirst().compactMap { $0.count == 2 ? Int($0) : nil }
        guard numbers.count == parts.count - 1,
            let start = date(year, month: numbers.first ?? 1, day: numbers.dropFirst().first ?? 1)
        else { return nil }
        switch numbers.count {
        case 0: return date(year + 1, month: 1, day: 1).map { start..<$0 }
        case 1:
            return date(
                numbers[0] == 12 ? year + 1 : year, month: numbers[0] == 12 ? 1 : numbers[0] + 1, day: 1
            ).map {
                start..<$0
            }
        default: return start..<start.addingTimeInterval(86400)
        }
    }

    private static func date(_ year: Int, month: Int, day: Int) -> Date? {
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
        }
        return Timestamp.date(from: "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))")
    }
}
