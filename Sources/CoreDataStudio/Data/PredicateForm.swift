// Predicates as the builder shows them: rows and groups, in JSON, from text and back.
//
//     {"type": "and" | "or" | "not", "parts": […]}
//     {"type": "row", "modifier": "" | "ANY" | "ALL" | "NONE", "left": operand, "op": "==", "options": "cd", "right": operand}
//     {"type": "text", "text"}          what the builder has no row for
//     operand: {"kind": "key" | "variable" | "expression", "text"}
//              {"kind": "constant", "type": "text" | "number" | "date" | "boolean" | "nil", "text"}
//              {"kind": "list", "type", "items": [text]}

import CoreData
import CoreDataPredicate
import CoreDataSupport
import StoreTools

enum PredicateForm {
    private static let depth = 60

    // MARK: To the page

    static func value(of tree: PredicateTree) -> StudioValue {
        switch tree {
        case .and(let parts): ["type": "and", "parts": .list(parts.map(value))]
        case .or(let parts): ["type": "or", "parts": .list(parts.map(value))]
        case .not(.comparison(let comparison))
        where comparison.modifier == .any && comparison.op != .customSelector:
            row(comparison).with("modifier", value: "NONE")
        case .not(let part): ["type": "not", "parts": .list([value(of: part)])]
        case .comparison(let comparison) where comparison.op != .customSelector: row(comparison)
        default: ["type": "text", "text": .text(tree.format)]
        }
    }

    private static func row(_ comparison: PredicateTree.Comparison) -> StudioValue {
        let modifier = [ComparisonModifier.any: "ANY", .all: "ALL"][comparison.modifier] ?? ""
        let options = letters.filter { comparison.options.contains($0.option) }.map(\.letter).joined()
        return [
            "type": "row", "modifier": .text(modifier), "left": operand(comparison.left),
            "op": .text(comparison.op.format(selector: nil)), "options": .text(options),
            "right": operand(comparison.right),
        ]
    }

    private static let letters: [(letter: String, option: ComparisonOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]

    private static func operand(_ tree: ExpressionTree) -> StudioValue {
        switch tree {
        case .keyPath(.evaluatedObject, let path): return ["kind": "key", "text": .text(path)]
        case .evaluatedObject: return ["kind": "key", "text": "SELF"]
        case .variable(let name): return ["kind": "variable", "text": .text(name)]
        case .constant(.array(let values)):
            return list(values.map(ExpressionTree.constant)) ?? expression(tree)
        case .constant(let value): return constant(value) ?? expression(tree)
        case .aggregate(let parts): return list(parts) ?? expression(tree)
        case .function(nil, "castObject:toType:", let arguments):
            if arguments.count == 2, arguments[1] == .constant(.string("NSDate")),
                case .constant(let value) = arguments[0], let seconds = seconds(value)
            {
                return constant(
                    "date", text: Timestamp.text(of: Date(timeIntervalSinceReferenceDate: seconds)))
            }
            return expression(tree)
        default: return expression(tree)
        }
    }

    /// Constants of one type; nil for others, which stay text.
    private static func list(_ parts: [ExpressionTree]) -> StudioValue? {
        let items = parts.map(operand)
        guard let type = items.first?["type"], type != "nil" else { return nil }
        guard items.allSatisfy({ $0["kind"] == "constant" && $0["type"] == type }) else { return nil }
        return ["kind": "list", "type": type, "items": .list(items.compactMap { $0["text"] })]
    }

    private static func seconds(_ value: Value) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        default: nil
        }
    }

    private static func expression(_ tree: ExpressionTree) -> StudioValue {
        ["kind": "expression", "text": .text(tree.format)]
    }

    private static func constant(_ type: String, text: String) -> StudioValue {
        ["kind": "constant", "type": .text(type), "text": .text(text)]
    }

    private static func constant(_ value: Value) -> StudioValue? {
        switch value {
        case .null: constant("nil", text: "")
        case .bool(let flag): constant("boolean", text: flag ? "YES" : "NO")
        case .integer, .double, .decimal: constant("number", text: ExpressionTree.constant(value).format)
        case .string(let text): constant("text", text: text)
        case .date(let date): constant("date", text: Timestamp.text(of: date))
        default: nil
        }
    }

    // MARK: From the page

    /// The tree of what the builder shows. Throws a problem for a row that isn't whole.
    static func tree(_ value: StudioValue, depth: Int = 0) throws -> PredicateTree {
        if depth > Self.depth { throw StudioProblem(status: 422, "The groups are nested too deeply.") }
        switch value["type"]?.text {
        case "and": return .and(try parts(value, depth: depth))
        case "or": return .or(try parts(value, depth: depth))
        case "not":
            let parts = try parts(value, depth: depth)
            return .not(parts.count == 1 ? parts[0] : .and(parts))
        case "row" where value["modifier"] == "NONE": return .not(.comparison(try comparison(value)))
        case "row": return .comparison(try comparison(value))
        case "text": return try parsed(value["text"]?.text ?? "")
        default: throw StudioProblem(status: 422, "A part of the predicate has no type.")
        }
    }

    private static func parts(_ value: StudioValue, depth: Int) throws -> [PredicateTree] {
        try (value["parts"]?.list ?? []).map { try tree($0, depth: depth + 1) }
    }

    private static func parsed(_ text: String) throws -> PredicateTree {
        guard text.utf8.count <= PredicateReading.limit else {
            throw StudioProblem(status: 422, "The predicate is too long.")
        }
        do {
            return try NSPredicate(parsing: text).tree
        } catch {
            throw StudioProblem(status: 422, "“\(text.prefix(200))” is no predicate: \(readable(error))")
        }
    }

    private static func comparison(_ value: StudioValue) throws -> PredicateTree.Comparison {
        let sign = value["op"]?.text ?? "=="
        guard
            let op = ComparisonOperator.allCases.first(where: {
                $0 != .customSelector && $0.format(selector: nil) == sign
            })
        else { throw StudioProblem(status: 422, "There is no operator “\(sign.prefix(40))”.") }
        let wanted = value["options"]?.text ?? ""
        var options: ComparisonOptions = []
        for (letter, option) in letters where wanted.contains(letter) { options.insert(option) }
        let modifier: ComparisonModifier =
            switch value["modifier"]?.text {
            case "ANY", "NONE": .any
            case "ALL": .all
            default: .direct
            }
        return .init(
            try operand(value["left"], side: "left"), op: op,
            right: try operand(value["right"], side: "right"), modifier: modifier,
            options: options)
    }

    private static func operand(_ value: StudioValue?, side: String) throws -> ExpressionTree {
        let text = value?["text"]?.text ?? ""
        switch value?["kind"]?.text {
        case "key":
            guard !text.isEmpty else { throw StudioProblem(status: 422, "A row has no key on the \(side).") }
            return try expression(text)
        case "variable":
            guard !text.isEmpty, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
                throw StudioProblem(status: 422, "A variable's name has letters and digits only.")
            }
            return .variable(text)
        case "constant": return .constant(try constant(value?["type"]?.text ?? "text", text: text))
        case "list":
            let type = value?["type"]?.text ?? "text"
            return .aggregate(
                try (value?["items"]?.list ?? []).compactMap(\.text).map {
                    .constant(try constant(type, text: $0))
                }
            )
        case "expression": return try expression(text)
        default: throw StudioProblem(status: 422, "A row has no \(side) side.")
        }
    }

    private static func expression(_ text: String) throws -> ExpressionTree {
        guard case .comparison(let comparison) = try parsed("0 == (\(text))") else {
            throw StudioProblem(status: 422, "“\(text.prefix(200))” is no expression.")
        }
        return comparison.right
    }

    private static func constant(_ type: String, text: String) throws -> Value {
        let typed = text.trimmingCharacters(in: .whitespaces)
        switch type {
        case "nil": return .null
        case "text": return .string(text)
        case "boolean": return .bool(["yes", "true", "1"].contains(typed.lowercased()))
        case "date":
            if let date = Timestamp.date(from: typed) { return .date(date) }
            throw StudioProblem(status: 422, "“\(typed.prefix(100))” is no date as in 2024-05-01.")
        default:
            if let number = Int64(typed) { return .integer(number) }
            if let number = Double(typed), number.isFinite { return .double(number) }
            throw StudioProblem(status: 422, "“\(typed.prefix(100))” is no number.")
        }
    }
}
