// Dictionaries over several stores: each store answers for itself, and here the answers become one.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Joins the answers of several stores to a fetch of dictionaries: groups and aggregates are combined, and rows
/// sorted, made distinct and bounded over all.
struct SeveralStoreRows {
    private let request: StoreDictionaryFetch
    private let entity: String
    private let columns: [CombinedColumn]
    /// The request to the stores: the parts of the columns, then the keys of groups,
    /// then the keys of the order.
    private let asked: StoreDictionaryFetch
    private let groupStart: Int
    private let sortStart: Int
    private let combinesGroups: Bool

    /// Throws for what can't be combined.
    init(_ request: StoreDictionaryFetch) throws {
        self.request = request
        entity = request.fetch.entity.name
        if request.having != nil {
            throw Self.refused("conditions on groups", entity: entity)
        }
        columns = try request.columns.map { try CombinedColumn($0, entity: request.fetch.entity.name) }
        combinesGroups = !request.groupBy.isEmpty || columns.contains(where: \.isAggregate)
        var asked = request
        asked.fetch = request.fetch.unbounded
        asked.fetch.sortKeys = []
        asked.isDistinct = false
        asked.columns = columns.flatMap(\.parts)
        groupStart = asked.columns.count
        asked.columns += request.groupBy
        sortStart = asked.columns.count
        if combinesGroups, request.groupBy.isEmpty {
            // One row is in order by itself.
        } else {
            asked.columns += request.fetch.sortKeys.enumerated().map {
                .init(name: "sort \($0.offset)", source: .keyPath($0.element.keyPath))
            }
        }
        self.asked = asked
    }

    static func refused(_ what: String, entity: String) -> NSError {
        CoreDataError.make(
            NSCoreDataError,
            description: "The fetch can't be answered by several stores together: it has \(what).",
            userInfo: [
                CoreDataError.Key.entity: entity,
                CoreDataError.Key.reason: "Set affectedStores to one store, or combine the answers.",
            ])
    }

    /// The rows of all stores, one value for each column of the request.
    func rows(_ ask: (StoreDictionaryFetch) throws -> [[Value]], of count: Int) throws -> [[Value]] {
        var rows: [[Value]] = []
        for _ in 0..<count { rows += try ask(asked) }
        if combinesGroups { rows = try combined(rows) }
        rows = try sorted(rows)
        var results = rows.map { row in
            var position = 0
            return columns.map { column in
                defer { position += column.parts.count }
                return column.result(row[position..<position + column.parts.count])
            }
        }
        if request.isDistinct {
            var seen: Set<ExactValues> = []
            results = results.filter { seen.insert(ExactValues($0)).inserted }
        }
        let rest = results.dropFirst(request.fetch.offset)
        return Array(request.fetch.limit > 0 ? rest.prefix(request.fetch.limit) : rest)
    }

    /// Rows of one group become one, in the order in which groups first appear.
    private func combined(_ rows: [[Value]]) throws -> [[Value]] {
        var groups: [ExactValues: [Value]] = [:]
        var order: [ExactValues] = []
        for row in rows {
            let key = ExactValues(Array(row[groupStart..<sortStart]))
            guard let known = groups[key] else {
                groups[key] = row
                order.append(key)
                continue
            }
            groups[key] = try joined(known, and: row)
        }
        return order.compactMap { groups[$0] }
    }

    private func joined(_ left: [Value], and right: [Value]) throws -> [Value] {
        var result = left
        var position = 0
        for column in columns {
            for part in column.parts.indices {
                result[position] = try column.join(left[position], right: right[position], part: part)
                position += 1
            }
        }
        return result
    }

    private func sorted(_ rows: [[Value]]) throws -> [[Value]] {
        guard !request.fetch.sortKeys.isEmpty, asked.columns.count > sortStart, rows.count > 1 else {
            return rows
        }
        let keys = request.fetch.sortKeys.enumerated().map {
            SortKey("k\($0.offset)", ascending: $0.element.ascending, comparison: $0.element.comparison)
        }
        let places = rows.enumerated().map { place, row in
            var pairs: [Value: Value] = [.string("place"): .integer(Int64(place))]
            for (number, value) in row[sortStart...].enumerated() { pairs[.string("k\(number)")] = value }
            return Value.dictionary(pairs)
        }
        return try SortEvaluator(keys).sorted(places).compactMap { sorted in
            guard case .dictionary(let pairs) = sorted, case .integer(let place)? = pairs[.string("place")]
            else { return nil }
            return rows[Int(place)]
        }
    }
}

/// A column of the result, out of what each store is asked for it.
private struct CombinedColumn {
    enum Kind {
        case plain, sum, average
        case extreme(isGreatest: Bool)
    }

    let kind: Kind
    /// The columns that stores are asked for: the column itself, for an average its sum and its count.
    let parts: [FetchDescription.DictionaryColumn]
    private let type: AttributeType

    var isAggregate: Bool {
        if case .plain = kind { return false }
        return true
    }

    init(_ column: FetchDescription.DictionaryColumn, entity: String) throws {
        guard case .expression(let tree, let type) = column.source else {
            (kind, parts, self.type) = (.plain, [column], .undefined)
            return
        }
        self.type = type
        guard let (name, argument) = tree.aggregate else {
            var hides = false
            _ = tree.rewriting { (part, _) throws(Never) in
                if part.aggregate != nil { hides = true }
                return nil
            }
            if hides {
                throw SeveralStoreRows.refused(
                    "a computation on an aggregate (\(column.name))", entity: entity)
            }
            (kind, parts) = (.plain, [column])
            return
        }
        switch name {
        case "count:", "sum:": (kind, parts) = (.sum, [column])
        case "max:": (kind, parts) = (.extreme(isGreatest: true), [column])
        case "min:": (kind, parts) = (.extreme(isGreatest: false), [column])
        case "average:":
            kind = .average
            parts = ["sum:": AttributeType.double, "count:": .integer64].sorted { $0.key > $1.key }.map {
                .init(
                    name: column.name + " " + $0.key,
                    source: .expression(
                        .function(operand: nil, name: $0.key, arguments: [argument]), resultType: $0.value))
            }
        default: throw SeveralStoreRows.refused("the aggregate \(name) (\(column.name))", entity: entity)
        }
    }

    func join(_ left: Value, right: Value, part: Int) throws -> Value {
        if left == .null { return right }
        if right == .null { return left }
        switch kind {
        case .plain: return left
        case .sum, .average: return Self.sum(left, and: right)
        case .extreme(let isGreatest):
            let places = [left, right].map { Value.dictionary([.string("v"): $0]) }
            let sorted = try SortEvaluator([SortKey("v", ascending: !isGreatest)]).sorted(places)
            guard case .dictionary(let pairs)? = sorted.first else { return left }
            return pairs[.string("v")] ?? left
        }
    }

    func result(_ values: ArraySlice<Value>) -> Value {
        guard case .average = kind, let sum = values.first, let count = values.last else {
            return values.first ?? .null
        }
        guard let all = Self.double(sum), let number = Self.double(count), number > 0 else { return .null }
        switch type {
        case .decimal: return Decimal(shortest: all / number).map(Value.decimal) ?? .null
        case .integer16, .integer32, .integer64:
            return Int64(exactly: (all / number).rounded(.towardZero)).map(Value.integer)
                ?? .double(all / number)
        default: return .double(all / number)
        }
    }

    private static func sum(_ left: Value, and right: Value) -> Value {
        switch (left, right) {
        case (.integer(let a), .integer(let b)):
            let (sum, overflows) = a.addingReportingOverflow(b)
            return overflows ? .double(Double(a) + Double(b)) : .integer(sum)
        case (.decimal(let a), .decimal(let b)): return .decimal(a + b)
        default:
            guard let a = double(left), let b = double(right) else { return left }
            return .double(a + b)
        }
    }

    private static func double(_ value: Value) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        default: nil
        }
    }
}
