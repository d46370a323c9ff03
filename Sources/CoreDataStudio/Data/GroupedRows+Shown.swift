// Groups of rows as the pages show them: with a label, and with the text that filters their column.

import CoreData
import StoreTools

/// The part of a date that rows are grouped by.
enum DateUnit: Int, Codable, Sendable {
    case year = 4, month = 7, day = 10

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        switch text {
        case "year": self = .year
        case "month": self = .month
        case "day": self = .day
        default:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(text.prefix(20))” is no part of a date"))
        }
    }

    /// The unit below another one: years have months, months have days.
    init?(within text: String?) {
        switch text?.count ?? 0 {
        case 0: self = .year
        case 4: self = .month
        case 7: self = .day
        default: return nil
        }
    }
}

/// A group with what a page needs of it.
struct ShownGroup {
    var label: StudioValue
    /// The text that, in the column's filter, finds the group's rows; nil where no text does.
    var filter: String?
    var count: Int
    var number: Double?
    /// The place among the groups: lower ones come first, equal ones by their number of rows.
    var place: Double

    var value: StudioValue {
        [
            "label": label, "filter": .optional(filter), "count": .integer(count),
            "number": number.map { .double($0) } ?? .null,
        ]
    }
}

extension GroupedRows {
    /// Days put together to days, months or years, in order; without dates, those without one come last.
    func dates(_ groups: [RowGroup], by unit: DateUnit) -> [ShownGroup] {
        var found: [String: ShownGroup] = [:]
        for group in groups {
            let text = (group.value as? Date).map(Timestamp.text(of:))
            // Dates that no calendar's year has: no filter finds them.
            let part = text.map { $0.hasSuffix("Z") ? String($0.prefix(unit.rawValue)) : "other" }
            let isPlain = part.map { $0 != "other" } ?? false
            let fresh = ShownGroup(
                label: .optional(part), filter: part == nil ? "nil" : isPlain ? part : nil, count: 0,
                number: nil, place: 0)
            var shown = found[part ?? ""] ?? fresh
            shown.number = joined(shown.number, and: group.number)
            shown.count += group.count
            found[part ?? ""] = shown
        }
        let parts = found.keys.filter { !$0.isEmpty && $0 != "other" }.sorted() + ["other", ""]
        return parts.compactMap { found[$0] }.map(averaged)
    }

    private func joined(_ left: Double?, and right: Double?) -> Double? {
        guard let left, let right else { return left ?? right }
        switch measure.function {
        case .count: return nil
        case .sum, .average: return left + right
        case .min: return min(left, right)
        case .max: return max(left, right)
        }
    }

    /// Averages are fetched as sums.
    func averaged(_ group: ShownGroup) -> ShownGroup {
        guard measure.function == .average else { return group }
        var group = group
        group.number = group.number.flatMap { group.count > 0 ? $0 / Double(group.count) : nil }
        return group
    }

    /// The groups of an attribute's values.
    func values(_ groups: [RowGroup], of attribute: NSAttributeDescription) -> [ShownGroup] {
        let choices = attribute.kind == .choice ? attribute.rules.choices : []
        let shown = groups.map { group -> ShownGroup in
            let plain = group.value.map { "\($0)" }
            let choice = choices.firstIndex { $0.value == plain }
            let label = choice.map { StudioValue.text(choices[$0].label) }
            return averaged(
                ShownGroup(
                    label: label
                        ?? ShownValue(limit: ShownValue.cell).value(group.value, attribute: attribute),
                    filter: Self.filter(
                        group.value, attribute: attribute, choice: choice.map { choices[$0].label }),
                    count: group.count, number: group.number,
                    place: Self.place(group.value, attribute: attribute, choice: choice)))
        }
        return Self.ordered(shown)
    }

    private static func filter(_ value: Any?, attribute: NSAttributeDescription, choice: String?)
        -> String?
    {
        guard let value else { return "nil" }
        if let choice { return "=" + choice }
        switch value {
        case let text as String:
            // Filters are trimmed.
            return text == text.trimmingCharacters(in: .whitespaces) ? "=" + text : nil
        case let number as NSNumber where attribute.attributeType == .booleanAttributeType:
            return number.boolValue ? "yes" : "no"
        case let number as NSDecimalNumber: return "=\(number.decimalValue)"
        case let number as NSNumber: return "=\(number)"
        default: return nil
        }
    }

    /// Choices stand in the model's order, numbers in their own, texts by how many rows have them; nil comes last.
    private static func place(_ value: Any?, attribute: NSAttributeDescription, choice: Int?) -> Double {
        guard let value else { return .infinity }
        if let choice { return Double(choice) }
        if attribute.kind == .choice { return 1e9 }
        if attribute.attributeType == .booleanAttributeType {
            return (value as? NSNumber)?.boolValue == true ? 0 : 1
        }
        return (value as? NSNumber)?.doubleValue ?? 0
    }

    static func ordered(_ groups: [ShownGroup]) -> [ShownGroup] {
        groups.enumerated().sorted { left, right in
            if left.element.place != right.element.place { return left.element.place < right.element.place }
            if left.element.count != right.element.count { return left.element.count > right.element.count }
            let (one, other) = (left.element.label.text ?? "", right.element.label.text ?? "")
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }
}

extension DataWorkspace {
    /// The groups of the objects that a relationship leads to.
    func related(_ groups: [RowGroup], rows: GroupedRows, grants: Grants) throws -> [ShownGroup] {
        let ids = groups.compactMap { $0.value as? NSManagedObjectID }
        if let entity = ids.first.flatMap({ _ in rows.destination }) {
            // Titles come with one statement.
            let request = NSFetchRequest<NSManagedObject>()
            request.entity = entity
            request.predicate = NSPredicate(format: "SELF IN %@", ids)
            request.returnsObjectsAsFaults = false
            _ = try fetching { try context.fetch(request) }
        }
        let shown = groups.map { group -> ShownGroup in
            guard let id = group.value as? NSManagedObjectID else {
                return ShownGroup(
                    label: .null, filter: "nil", count: group.count, number: group.number, place: .infinity)
            }
            let link = link(context.object(with: id), grants: grants)
            return ShownGroup(
                label: link, filter: link["id"]?.text.map { "@" + $0 }, count: group.count,
                number: group.number, place: 0)
        }
        return GroupedRows.ordered(shown).map(rows.averaged)
    }

    /// The groups of any column.
    func shown(_ groups: [RowGroup], rows: GroupedRows, by unit: DateUnit, grants: Grants) throws
        -> [StudioValue]
    {
        switch rows.column.content {
        case .toOne: return try related(groups, rows: rows, grants: grants).map(\.value)
        case .attribute(let attribute) where !rows.isOfDates:
            return rows.values(groups, of: attribute).map(\.value)
        case .attribute, .element: return rows.dates(groups, by: unit).map(\.value)
        }
    }
}
