// Unsigned integers of 64 bits in Swift predicates. An attribute holds their bits, so that what is above `Int64.max` is negative
// there.

import CoreDataPredicate
import CoreDataSupport

extension PredicateScope {
    /// Returns true for the types whose values are stored by their bits.
    static func isUnsigned(_ type: Any.Type) -> Bool {
        let type = (type as? any OptionalType.Type)?.wrapped ?? type
        return type == UInt64.self || type == UInt.self
    }

    /// A comparison of unsigned integers by the bits that stores have of them.
    func compareUnsigned(
        _ left: Term, op: ComparisonOperator, right: Term
    ) throws(UntranslatableExpression) -> Truth {
        let (left, right) = (left.bits, right.bits)
        let isLess: Bool
        switch op {
        case .lessThan, .lessThanOrEqualTo: isLess = true
        case .greaterThan, .greaterThanOrEqualTo: isLess = false
        default: return try compare(left, op: op, right: right)
        }
        let plain = try compare(left, op: op, right: right)
        guard let bits = right.integer ?? left.integer else {
            let (lower, higher) = isLess ? (left, right) : (right, left)
            let isApart = try isNegative(lower, false) && isNegative(higher, true)
            let isTogether =
                try (isNegative(lower, false) && isNegative(higher, false))
                || (isNegative(lower, true) && isNegative(higher, true))
            return isApart || (isTogether && plain)
        }
        // Less than a negative one is every other, greater than one that isn't are all negative ones.
        let (term, isUpper) = right.integer == nil ? (right, !isLess) : (left, isLess)
        let isBeyond = try isNegative(term, !isUpper)
        return (bits < 0) == isUpper ? plain || isBeyond : plain && (try isNegative(term, bits < 0))
    }

    private func isNegative(_ term: Term, _ isNegative: Bool) throws(UntranslatableExpression) -> Truth {
        try compare(
            term, op: isNegative ? .lessThan : .greaterThanOrEqualTo, right: Term(.constant(Int64(0))))
    }
}

extension Term {
    /// Unsigned constants, and collections and ranges of them, as what stores have of them.
    var bits: Term {
        guard case .constant(let any) = content else { return self }
        if let bits = Self.bits(any) { return Term(.constant(bits), guards: guards) }
        if let all = any as? any Sequence, !(any is String) {
            let values = all.map { Self.bits($0) ?? $0 as Any }
            return Term(.constant(values), guards: guards)
        }
        return self
    }

    private static func bits(_ any: Any) -> Int64? {
        if let value = any as? UInt64 { return Int64(bitPattern: value) }
        return (any as? UInt).map { Int64(bitPattern: UInt64($0)) }
    }

    /// The value of a constant integer.
    fileprivate var integer: Int64? {
        if case .integer(let value)? = constant { value } else { nil }
    }
}
