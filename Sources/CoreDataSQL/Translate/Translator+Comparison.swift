// Comparisons between two operands.

import CoreDataPredicate
import CoreDataSupport

extension Translator {
    func compare(
        _ left: Operand, op: ComparisonOperator, right: Operand, options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        switch op {
        case .in:
            return try membership(of: left, in: right, options)
        case .contains:
            if left.isCollection { return try membership(of: right, in: left, options) }
        case .between:
            return try between(left, range: right, options: options)
        default:
            break
        }
        switch (left, right) {
        case (.object(let row), .object(let other)):
            return try compare(row, op: op, other: other)
        case (.object(let row), .constant(let value)), (.constant(let value), .object(let row)):
            return try compare(row, op: op, value: value)
        case (.object(let row), .scalar(let scalar)), (.scalar(let scalar), .object(let row)):
            return try unequalKinds(op, left: row.name, right: scalar.name)
        default:
            return try compareValues(left, op: op, right: right, options: options)
        }
    }

    /// x >= lower AND x <= upper
    private func between(
        _ operand: Operand, range: Operand, options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        let bounds: [Operand]
        switch range {
        case .list(let items): bounds = items
        case .constant(.array(let items)): bounds = items.map(Operand.constant)
        default: throw TranslationFailure("the right side of BETWEEN must be two values")
        }
        guard bounds.count == 2 else {
            throw TranslationFailure("the right side of BETWEEN must be two values, not \(bounds.count)")
        }
        let lower = try compare(operand, op: .greaterThanOrEqualTo, right: bounds[0], options: options)
        let upper = try compare(operand, op: .lessThanOrEqualTo, right: bounds[1], options: options)
        return Self.chain([lower, upper], word: " AND ", empty: .always)
    }

    private func compareValues(
        _ left: Operand, op: ComparisonOperator, right: Operand, options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        switch (left, right) {
        case (.scalar(let scalar), .constant(let value)):
            return try compare(scalar, op: op, value: value, options: options)
        case (.constant(let value), .scalar(let scalar)) where op.mirrored != nil:
            return try compare(scalar, op: op.mirrored ?? op, value: value, options: options)
        default:
            let name = "a comparison"
            let first = try scalar(left, name: name)
            if case .constant(let value) = right {
                return try compare(first, op: op, value: value, options: options)
            }
            return try compare(first, op: op, right: try scalar(right, name: name), options: options)
        }
    }

    /// Translates a comparison that never is equal, because the types differ.
    private func unequalKinds(
        _ op: ComparisonOperator, left: String, right: String
    ) throws(TranslationFailure) -> SQLFragment {
        switch op {
        case .equalTo: return .never
        case .notEqualTo: return .always
        default: throw TranslationFailure("\(left) and \(right) are of types that have no order")
        }
    }
}

// MARK: - Rows

extension Translator {
    /// A row against an object, an object ID or nil: no join, its key is enough.
    private func compare(
        _ row: RowOperand, op: ComparisonOperator, value: Value
    ) throws(TranslationFailure) -> SQLFragment {
        guard op == .equalTo || op == .notEqualTo else {
            throw TranslationFailure("\(row.name) is an object: only == and != compare objects")
        }
        if value == .null {
            return op == .equalTo ? "\(row.key) IS NULL" : "\(row.key) IS NOT NULL"
        }
        if value.isCollection, row.name != "SELF" {
            throw TranslationFailure("\(row.name) is one object, not a collection: use IN")
        }
        guard let key = key(of: value, in: row.entity) else { return .truth(op == .notEqualTo) }
        return op == .equalTo
            ? "\(row.key) = \(binding: .integer(key))"
            : dialect.different(row.key, and: SQLFragment(binding: .integer(key)))
    }

    private func compare(
        _ row: RowOperand, op: ComparisonOperator, other: RowOperand
    ) throws(TranslationFailure) -> SQLFragment {
        guard op == .equalTo || op == .notEqualTo else {
            throw TranslationFailure("\(row.name) is an object: only == and != compare objects")
        }
        guard try table(of: row.entity).rootName == table(of: other.entity).rootName else {
            let both: SQLFragment = "(\(row.key) IS NULL AND \(other.key) IS NULL)"
            return op == .equalTo ? both : both.negated
        }
        return op == .equalTo
            ? dialect.same(row.key, and: other.key) : dialect.different(row.key, and: other.key)
    }

    /// The primary key that a constant has in the table of an entity.
    func key(of value: Value, in entity: String) -> Int64? {
        guard case .object(let reference) = value, let key = context.key(reference),
            let root = context.layout[entity]?.rootName,
            context.layout[root]?.subtreeNumbers.contains(key.entity) ?? false
        else { return nil }
        return key.primaryKey
    }
}

// MARK: - Values

extension Translator {
    private func compare(
        _ scalar: Scalar, op: ComparisonOperator, value: Value, options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        if value == .null {
            switch op {
            case .equalTo: return "\(scalar.sql) IS NULL"
            case .notEqualTo: return "\(scalar.sql) IS NOT NULL"
            default: return .never
            }
        }
        try requireSingle(scalar)
        if value.isCollection, scalar.kind != .transformable {
            throw TranslationFailure("\(scalar.name) is one value, not a collection: use IN")
        }
        guard let found = try constant(value, for: scalar) else {
            if op.isSearch { throw notText(scalar.kind == .text ? "the pattern" : scalar.name, op: op) }
            return try unequalKinds(op, left: scalar.name, right: "the value compared with it")
        }
        var other = Scalar(sql: found.sql, kind: scalar.kind, name: "a constant", isConstant: true)
        if scalar.kind == .any || scalar.kind.isNumeric, let kind = ValueKind(of: found.value) {
            other.kind = kind
        }
        guard case .text(let pattern) = found.binding, scalar.kind == .text else {
            return try compare(scalar, op: op, right: other, options: options, known: "")
        }
        if options.subtracting(.normalized).isEmpty {
            if op == .beginsWith { return begins(scalar, prefix: pattern) }
            if op == .contains {
                return pattern.isEmpty ? .never : dialect.contains(scalar.sql, part: found.sql)
            }
        }
        return try compare(scalar, op: op, right: other, options: options, known: pattern)
    }

    /// Returns the binding of a constant against a value of the given kind; nil if the two can never be
    /// equal.
    func constant(_ value: Value, for scalar: Scalar) throws(TranslationFailure) -> SQLConstant? {
        switch scalar.kind {
        case .transformable:
            return dialect.constant(try transformed(value, for: scalar))
        case .entity:
            guard case .object(let reference) = value, let name = context.entity(reference) else {
                return nil
            }
            return (context.layout[name]?.number).flatMap { dialect.constant(.integer(Int64($0))) }
        case .externalBlob:
            throw TranslationFailure(
                "\(scalar.name) may be stored outside the database: it can only be compared with nil")
        default:
            guard let kind = ValueKind(of: value), kind.isComparable(with: scalar.kind) else { return nil }
            if case .double(let number) = value, number.isNaN { return nil }
            return dialect.constant(value, against: scalar.kind)
        }
    }

    private func transformed(_ value: Value, for scalar: Scalar) throws(TranslationFailure) -> Value {
        guard let property = scalar.property else {
            throw TranslationFailure("\(scalar.name) is computed from a transformable attribute")
        }
        do {
            return try context.transform(property, value)
        } catch {
            throw TranslationFailure(
                "the constant compared with \(scalar.name) can't be transformed: \(error)")
        }
    }

    /// - Parameter known: the text of a right side that is a constant other than NULL; empty for one that is no text.
    private func compare(
        _ left: Scalar, op: ComparisonOperator, right: Scalar, options: ComparisonOptions,
        known: String? = nil
    ) throws(TranslationFailure) -> SQLFragment {
        for side in [left, right] where side.kind == .externalBlob {
            throw TranslationFailure(
                "\(side.name) may be stored outside the database: it can only be compared with nil")
        }
        guard left.kind.isComparable(with: right.kind) else {
            return try unequalKinds(op, left: left.name, right: right.name)
        }
        let search = options.subtracting(.normalized)
        if op.isSearch || (!search.isEmpty && (left.kind == .text || right.kind == .text)) {
            return try self.search(left, op: op, right: right, options: options, known: known)
        }
        let (first, second) =
            left.kind == right.kind ? (left.sql, right.sql) : dialect.comparable(left, right)
        switch op {
        case .equalTo:
            return known != nil ? "\(first) = \(second)" : dialect.same(first, and: second)
        case .notEqualTo:
            return dialect.different(first, and: second)
        default:
            guard let symbol = op.symbol, left.kind.isOrdered, right.kind.isOrdered else {
                throw TranslationFailure("values of \(left.name) have no order in SQL")
            }
            return "\(first) \(symbol) \(second)"
        }
    }

    private func search(
        _ left: Scalar, op: ComparisonOperator, right: Scalar, options: ComparisonOptions,
        known: String?
    ) throws(TranslationFailure) -> SQLFragment {
        for side in [left, right] where side.kind != .text && side.kind != .any {
            throw notText(side.name, op: op)
        }
        try requireStatement(op.format(selector: "a selector"))
        let isNegated = op == .notEqualTo
        let op = isNegated ? .equalTo : op
        let call = try dialect.search(
            TextSearch(text: left.sql, op: op, pattern: right.sql, known: known, options: options))
        if op == .equalTo, known == nil {
            let equal: SQLFragment = "(\(call) OR (\(left.sql) IS NULL AND \(right.sql) IS NULL))"
            return isNegated ? equal.negated : equal
        }
        return isNegated ? call.negated : call
    }

    private func notText(_ name: String, op: ComparisonOperator) -> TranslationFailure {
        TranslationFailure("\(name) is no string: \(op.format(selector: "a selector")) is between strings")
    }

    /// column >= 'ab' AND column < 'ac', which an index serves. Nothing begins with the empty string.
    private func begins(_ scalar: Scalar, prefix: String) -> SQLFragment {
        var upper = prefix.unicodeScalars
        while let last = upper.popLast() {
            guard last.value < 0x10FFFF else { continue }
            let next = last.value + 1
            guard let scalar = Unicode.Scalar(next == 0xD800 ? 0xE000 : next) else { continue }
            upper.append(scalar)
            break
        }
        if prefix.isEmpty { return .never }
        let lower: SQLFragment = "\(scalar.sql) >= \(binding: .text(prefix))"
        if upper.isEmpty { return lower }
        return "(\(lower) AND \(scalar.sql) < \(binding: .text(String(upper))))"
    }
}

extension ComparisonOperator {
    /// The operator with the sides exchanged; nil where the sides have different parts.
    var mirrored: ComparisonOperator? {
        switch self {
        case .lessThan: .greaterThan
        case .lessThanOrEqualTo: .greaterThanOrEqualTo
        case .greaterThan: .lessThan
        case .greaterThanOrEqualTo: .lessThanOrEqualTo
        case .equalTo, .notEqualTo: self
        default: nil
        }
    }

    var symbol: SQLFragment? {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        default: nil
        }
    }

    /// Indicates that only strings have the operator.
    var isSearch: Bool {
        switch self {
        case .matches, .like, .beginsWith, .endsWith, .contains: true
        default: false
        }
    }
}

extension Value {
    var isCollection: Bool {
        switch self {
        case .array, .set, .dictionary: true
        default: false
        }
    }
}

extension Operand {
    var isCollection: Bool {
        switch self {
        case .collection, .list: true
        case .constant(let value): value.isCollection
        case .scalar, .object: false
        }
    }
}
